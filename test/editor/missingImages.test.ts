import assert from 'node:assert/strict';
import { PNG } from 'pngjs';
import * as vscode from 'vscode';
import * as commands from '../../src/vscode/window/commandIds.ts';
import * as settingNames from '../../src/vscode/window/settingNames.ts';
import { eventually } from '../support/eventually.ts';

/** A PNG of one pixel, by another encoder. */
const pixel = PNG.sync.write(new PNG({ width: 1, height: 1 }));

const placeholders = ['https://placehold.co/300x200', '/img/dot.png', 'TODO.png'];
const ours = new Set<unknown>([commands.generateMissing, commands.replacePlaceholders]);

const page = `# The pond

![A heron at dawn](heron-64x48.png)
![](/img/there.png) ![Far away](https://example.com/away.png)
<img src="frog.webp" alt="A tree frog" width="32" height="40">
![Outside](../../../outside.png)
![A logo](https://placehold.co/300x200) ![](/img/dot.png)
![A banner](TODO.png)

\`\`\`html
<img src="code.png">
\`\`\`
`;

const set = async (name: string, value: unknown): Promise<void> =>
  vscode.workspace.getConfiguration().update(name, value, vscode.ConfigurationTarget.Global);

/**
 * Makes a folder and waits until VS Code tells of files in it: one that is made in a folder which it does not watch yet,
 * it never watches.
 */
async function makeWatched(folder: vscode.Uri): Promise<void> {
  await vscode.workspace.fs.createDirectory(folder);
  const watcher = vscode.workspace.createFileSystemWatcher('**/probe-*');
  const told: string[] = [];
  watcher.onDidCreate(({ path }) => told.push(path));
  let probes = 0;
  try {
    await eventually(
      'a file that VS Code tells of',
      async () => {
        await vscode.workspace.fs.writeFile(
          vscode.Uri.joinPath(folder, `probe-${probes++}`),
          Buffer.alloc(0),
        );
        return told;
      },
      (paths) => paths.some((path) => path.startsWith(`${folder.path}/`)),
    );
  } finally {
    watcher.dispose();
  }
}

const titles = (found: readonly vscode.CodeAction[]): string[] => found.map(({ title }) => title);

describe('images that a document names and that are not there', () => {
  let root: vscode.Uri;
  let document: vscode.TextDocument;

  before(async () => {
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(folder);
    root = vscode.Uri.joinPath(folder.uri, 'missing');
    for (const folder of ['', 'docs', 'static', 'static/img']) {
      await makeWatched(vscode.Uri.joinPath(root, folder));
    }
    const image = vscode.Uri.joinPath(root, 'static', 'img', 'there.png');
    await vscode.workspace.fs.writeFile(image, Buffer.from('an image'));
    await vscode.workspace.fs.writeFile(vscode.Uri.joinPath(image, '..', 'dot.png'), pixel);
    const uri = vscode.Uri.joinPath(root, 'docs', 'page.md');
    await vscode.workspace.fs.writeFile(uri, Buffer.from(page));
    document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document);
  });

  after(async () => {
    await set(settingNames.missingImages, undefined);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await vscode.workspace.fs.delete(root, { recursive: true });
  });

  const hints = (): string[] =>
    vscode.languages
      .getDiagnostics(document.uri)
      .filter(({ source }) => source === 'Limner')
      .map(({ range, severity }) => `${document.getText(range)} ${vscode.DiagnosticSeverity[severity]}`);

  const whenHinted = async (addresses: readonly string[], severity = 'Hint'): Promise<void> => {
    const wanted = addresses.map((address) => `${address} ${severity}`).join();
    await eventually(
      'the hints',
      async () => hints().join(),
      (seen) => seen === wanted,
    );
  };

  /** Another extension that is started for the document meanwhile makes VS Code give up, or find nothing. */
  const whenOffered = async (line: number, wanted: readonly string[]): Promise<void> => {
    const { range } = document.lineAt(line);
    const offered = async (): Promise<string> => {
      const actions = await vscode.commands
        .executeCommand<vscode.CodeAction[]>(
          'vscode.executeCodeActionProvider',
          document.uri,
          range,
          vscode.CodeActionKind.QuickFix.value,
        )
        .then(undefined, () => []);
      const titles = actions.filter(({ command }) => ours.has(command?.command)).map(({ title }) => title);
      return titles.join('\n');
    };
    await eventually('the quick fixes', offered, (seen) => seen === wanted.join('\n'));
  };

  const lenses = async (): Promise<(string | undefined)[]> => {
    const found = await vscode.commands.executeCommand<vscode.CodeLens[]>(
      'vscode.executeCodeLensProvider',
      document.uri,
      100,
    );
    return found
      .filter(({ command }) => ours.has(command?.command))
      .map(({ command, range }) => `${range.start.line} ${command?.title}`);
  };

  it('get a hint each, but not what is there, elsewhere, outside of the workspace or only code', async () => {
    await whenHinted(['heron-64x48.png', 'frog.webp', ...placeholders]);
  });

  it('get none, but a corrected address, where the image is in another folder', async () => {
    const uri = vscode.Uri.joinPath(root, 'docs', 'elsewhere.md');
    await vscode.workspace.fs.writeFile(
      uri,
      Buffer.from('![A pond](/pond/img/there.png)\n\n![A pond](../static/img/There.PNG)\n'),
    );
    await vscode.workspace.openTextDocument(uri);
    const offeredAt = async (line: number): Promise<vscode.CodeAction[]> =>
      eventually(
        'the corrected address',
        async () =>
          vscode.commands
            .executeCommand<vscode.CodeAction[]>(
              'vscode.executeCodeActionProvider',
              uri,
              // In the alternative text.
              new vscode.Range(line, 4, line, 4),
              vscode.CodeActionKind.QuickFix.value,
            )
            .then(undefined, () => []),
        (found) => found.some(({ title }) => title.startsWith('Use ')),
      );
    const actions = await offeredAt(0);
    assert.deepEqual(titles(actions), ['Use missing/static/img/there.png', 'Generate This Image…']);
    // Other disks find that file.
    if (process.platform === 'linux') {
      assert.deepEqual(titles(await offeredAt(2)), [
        'Use missing/static/img/there.png: Only Upper and Lower Case Differ',
        'Generate This Image…',
      ]);
    }
    const [fix] = actions;
    assert.deepEqual(
      fix?.edit?.get(uri).map(({ newText }) => newText),
      // As the pages beside it name theirs.
      ['/img/there.png'],
    );
    assert.deepEqual(vscode.languages.getDiagnostics(uri), []);
  });

  it('are offered to be made, alone and together', async () => {
    await whenOffered(2, ['Generate This Image…', 'Generate All 2 Missing Images in This File…']);
    await whenOffered(6, [
      'Replace with a Generated Image…',
      'Replace with a Generated Image…',
      'Replace All 3 Placeholders in This File…',
    ]);
    await whenOffered(0, []);
  });

  it('are told as a person sets it, or not at all', async () => {
    await set(settingNames.missingImages, 'warning');
    await whenHinted(['heron-64x48.png', 'frog.webp', ...placeholders], 'Warning');
    await set(settingNames.missingImages, 'off');
    await whenHinted([]);
    await set(settingNames.missingImages, undefined);
    await whenHinted(['heron-64x48.png', 'frog.webp', ...placeholders]);
  });

  it('lose the hint once they are there, and get it back once they are gone', async () => {
    const heron = vscode.Uri.joinPath(root, 'docs', 'heron-64x48.png');
    await vscode.workspace.fs.writeFile(heron, Buffer.from('an image'));
    await whenHinted(['frog.webp', ...placeholders]);
    await vscode.workspace.fs.delete(heron);
    await whenHinted(['heron-64x48.png', 'frog.webp', ...placeholders]);
  });

  it('lose the hint once a picture takes the place of a single pixel', async () => {
    const dot = vscode.Uri.joinPath(root, 'static', 'img', 'dot.png');
    await vscode.workspace.fs.writeFile(dot, PNG.sync.write(new PNG({ width: 9, height: 9 })));
    await whenHinted([
      'heron-64x48.png',
      'frog.webp',
      ...placeholders.filter((name) => !name.includes('dot')),
    ]);
    await vscode.workspace.fs.writeFile(dot, pixel);
    await whenHinted(['heron-64x48.png', 'frog.webp', ...placeholders]);
  });

  it('lose the hint once Limner has made them, also where VS Code watches no files', async () => {
    const watcherExclude = 'files.watcherExclude';
    await set(watcherExclude, { '**/*.webp': true });
    await vscode.commands.executeCommand(commands.useDemoService);
    await vscode.commands.executeCommand(commands.generate, {
      prompt: 'A tree frog',
      folder: 'missing/docs',
      fileName: 'frog.webp',
      size: '32x40',
    });
    await whenHinted(['heron-64x48.png', ...placeholders]);
    await vscode.workspace.fs.delete(vscode.Uri.joinPath(root, 'docs', 'frog.webp'));
    await set(watcherExclude, undefined);
    await set(settingNames.missingImages, 'hint');
    await set(settingNames.missingImages, undefined);
    await whenHinted(['heron-64x48.png', 'frog.webp', ...placeholders]);
  });

  it('are offered above their lines where a person has it so', async () => {
    assert.deepEqual(await lenses(), []);
    await set(settingNames.codeLens, true);
    assert.deepEqual(await lenses(), [
      '2 Generate This Image…',
      '4 Generate This Image…',
      '6 Replace with a Generated Image…',
      '6 Replace with a Generated Image…',
      '7 Replace with a Generated Image…',
    ]);
    await set(settingNames.codeLens, undefined);
  });

  it('follow what is typed', async () => {
    const edit = new vscode.WorkspaceEdit();
    edit.insert(document.uri, new vscode.Position(3, 0), '![A newt](newt-at-dusk.png)\n');
    await vscode.workspace.applyEdit(edit);
    await whenHinted(['heron-64x48.png', 'newt-at-dusk.png', 'frog.webp', ...placeholders]);
  });
});
