import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import * as vscode from 'vscode';
import * as commands from '../../src/vscode/window/commandIds.ts';
import { eventually } from '../support/eventually.ts';
import { FolderProvider } from '../virtualWorkspace/folderProvider.ts';

const { executeCommand } = vscode.commands;

/** A picture of one color, which any window can show. */
const picture = (color: string, size = 8): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}"><rect width="${size}" height="${size}" fill="${color}"/></svg>`;

const titles = (): string[] =>
  vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs).map(({ label }) => label);

async function shown(title: RegExp): Promise<void> {
  await eventually(
    `a tab ${String(title)}`,
    async () => Promise.resolve(titles()),
    (all) => all.some((one) => title.test(one)),
  );
}

const messages: string[] = [];

async function refused(words: RegExp): Promise<void> {
  await eventually(
    `the message ${String(words)}`,
    async () => Promise.resolve(messages),
    (all) => all.some((one) => words.test(one)),
  );
}

describe('any picture of the repository', () => {
  let root: string;
  const file = (name: string): vscode.Uri => vscode.Uri.file(join(root, name));
  const git = (...words: readonly string[]): string =>
    execFileSync('git', ['-c', 'user.name=Fox', '-c', 'user.email=fox@example.com', ...words], {
      cwd: root,
      encoding: 'utf8',
    }).trim();
  const { showErrorMessage } = vscode.window;

  before(async function () {
    if (spawnSync('git', ['--version']).error) {
      // A machine without Git has nothing to compare with.
      this.skip();
    }
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(folder);
    root = join(folder.uri.fsPath, 'pictures');
    mkdirSync(root);
    git('init', '-q');
    writeFileSync(join(root, 'fox.svg'), picture('red'));
    writeFileSync(join(root, 'old.svg'), picture('green'));
    writeFileSync(join(root, 'page.svg'), picture('white'));
    writeFileSync(
      join(root, 'large.png'),
      `version https://git-lfs.github.com/spec/v1\noid sha256:${'0'.repeat(64)}\nsize 20000000\n`,
    );
    git('add', '.');
    git('commit', '-qm', 'Draw');
    const extension = vscode.extensions.getExtension<{
      getAPI(version: 1): { openRepository(folder: vscode.Uri): Promise<unknown> };
    }>('vscode.git');
    assert.ok(extension);
    await (await extension.activate()).getAPI(1).openRepository(vscode.Uri.file(root));
    Object.assign(vscode.window, {
      showErrorMessage: async (message: string) => Promise.resolve(void messages.push(message)),
    });
  });
  after(async () => {
    Object.assign(vscode.window, { showErrorMessage });
    await executeCommand('workbench.action.closeAllEditors');
  });

  it('is compared with the last commit, each in a tab of its own', async () => {
    const head = git('rev-parse', '--short=7', 'HEAD');
    writeFileSync(join(root, 'fox.svg'), picture('blue'));
    await executeCommand(commands.compareWithHead, file('fox.svg'));
    await shown(new RegExp(`^fox\\.svg \\(HEAD ${head} ↔ Working Tree\\)$`, 'u'));
    renameSync(join(root, 'old.svg'), join(root, 'new.svg'));
    git('add', '-A', 'old.svg', 'new.svg');
    await executeCommand(
      commands.compareWithHead,
      ...['fox.svg', 'page.svg', 'new.svg'].map((name) => ({
        resourceUri: file(name),
        resourceGroupType: 1,
      })),
    );
    await shown(/^fox\.svg \(HEAD \w{7} ↔ Staged\)$/u);
    await shown(/^page\.svg \(HEAD \w{7} ↔ Staged\)$/u);
    await shown(/^new\.svg \(HEAD \w{7} ↔ Staged\)$/u);
    assert.equal(messages.length, 0);
    await executeCommand(commands.compareWithHead, file('fox.svg'));
    assert.equal(titles().filter((title) => /^fox\.svg .* Working Tree/u.test(title)).length, 1);
  });

  it('is compared with a commit that changed it, and with another file', async () => {
    const { showQuickPick } = vscode.window;
    let offered: readonly vscode.QuickPickItem[] = [];
    Object.assign(vscode.window, {
      showQuickPick: async (items: readonly vscode.QuickPickItem[]) => {
        offered = items;
        return Promise.resolve(items[0]);
      },
    });
    await executeCommand(commands.compareWithCommit, file('fox.svg'));
    Object.assign(vscode.window, { showQuickPick });
    assert.deepEqual(
      offered.map(({ label }) => label),
      ['Draw'],
    );
    await shown(/^fox\.svg \(\w{7} ↔ Working Tree\)$/u);
    await executeCommand(commands.compareWithFile, file('fox.svg'), [file('fox.svg'), file('new.svg')]);
    await shown(/^new\.svg \(.*fox\.svg ↔ .*new\.svg\)$/u);
  });

  it('resolves a conflict by one side, and asks before it loses what neither has', async () => {
    git('commit', '-qam', 'Draw again');
    git('checkout', '-q', '-b', 'theirs');
    writeFileSync(join(root, 'sun.svg'), picture('orange'));
    git('add', 'sun.svg');
    git('commit', '-qm', 'Draw the sun');
    git('checkout', '-q', '-');
    writeFileSync(join(root, 'sun.svg'), picture('yellow'));
    git('add', 'sun.svg');
    git('commit', '-qm', 'Draw another sun');
    assert.throws(() => git('merge', '-q', 'theirs'));
    writeFileSync(join(root, 'sun.svg'), picture('gold'));
    const { showWarningMessage, showInformationMessage, createWebviewPanel } = vscode.window;
    const questions: string[] = [];
    let answer: string | undefined;
    let ask: ((request: unknown) => unknown) | undefined;
    Object.assign(vscode.window, {
      showWarningMessage: async (question: string) => {
        questions.push(question);
        return Promise.resolve(answer);
      },
      showInformationMessage: async (message: string) => Promise.resolve(void messages.push(message)),
      createWebviewPanel: (...passed: Parameters<typeof createWebviewPanel>) => {
        const panel = createWebviewPanel(...passed);
        const { onDidReceiveMessage } = panel.webview;
        Object.defineProperty(panel.webview, 'onDidReceiveMessage', {
          value: (listener: (request: unknown) => unknown) => {
            ask = listener;
            return onDidReceiveMessage(listener);
          },
        });
        return panel;
      },
    });
    await executeCommand(commands.compareWithHead, file('sun.svg'));
    await shown(/^sun\.svg \(Ours ↔ Theirs\)$/u);
    await ask?.({ kind: 'take', side: 'theirs' });
    assert.deepEqual(questions, ['Replace what sun.svg has now?']);
    assert.equal(readFileSync(join(root, 'sun.svg'), 'utf8'), picture('gold'));
    answer = 'Replace';
    await ask?.({ kind: 'take', side: 'theirs' });
    Object.assign(vscode.window, { showWarningMessage, showInformationMessage, createWebviewPanel });
    assert.equal(readFileSync(join(root, 'sun.svg'), 'utf8'), picture('orange'));
    assert.equal(git('diff', '--name-only', '--diff-filter=U'), '');
    assert.match(git('diff', '--cached', '--name-only'), /^sun\.svg$/mu);
    await refused(/^sun\.svg has the other side of the conflict, and is staged\.$/u);
    await shown(/^sun\.svg \(HEAD \w{7} ↔ Staged\)$/u);
  });

  it('is listed with all others that a commit or the working tree changed', async () => {
    const plain = { create: { width: 10, height: 10, channels: 3, background: '#205080' } } as const;
    const dot = {
      input: { create: { ...plain.create, width: 2, height: 1, background: '#ffffff' } },
      left: 0,
      top: 0,
    };
    writeFileSync(join(root, 'hill.png'), await sharp(plain).png().toBuffer());
    git('add', '-A');
    git('commit', '-qm', 'Draw a hill');
    writeFileSync(join(root, 'hill.png'), await sharp(plain).composite([dot]).png().toBuffer());
    rmSync(join(root, 'page.svg'));
    writeFileSync(join(root, 'moon.svg'), picture('silver'));
    const { showQuickPick, createQuickPick } = vscode.window;
    const opened: vscode.QuickPick<vscode.QuickPickItem>[] = [];
    Object.assign(vscode.window, {
      showQuickPick: async (items: readonly vscode.QuickPickItem[]) => Promise.resolve(items[0]),
      createQuickPick: () => {
        const input = createQuickPick();
        opened.push(input);
        return input;
      },
    });
    const done = executeCommand(commands.compareChangedImages, { rootUri: vscode.Uri.file(root) });
    const rows = await eventually(
      'the share of changed pixels',
      async () =>
        Promise.resolve(
          opened[0]?.items.map(({ label, description }) => [label, description].join(': ')) ?? [],
        ),
      (all) => all.some((one) => one.includes('%')),
    );
    assert.deepEqual(rows.toSorted(), [
      'hill.png: modified · 2% of the pixels',
      'moon.svg: added',
      'page.svg: deleted',
    ]);
    await executeCommand('workbench.action.acceptSelectedQuickOpenItem');
    await done;
    Object.assign(vscode.window, { showQuickPick, createQuickPick });
    await shown(/^hill\.png \(HEAD \w{7} ↔ Working Tree\)$/u);
  });

  it('says why there is nothing to compare', async () => {
    await executeCommand(commands.compareWithHead, file('large.png'));
    await refused(/large\.png .* is a pointer of Git LFS/u);
    writeFileSync(join(root, 'added.svg'), readFileSync(join(root, 'fox.svg')));
    await executeCommand(commands.compareWithHead, file('added.svg'));
    await shown(/^added\.svg \(HEAD \w{7} ↔ Working Tree\)$/u);
    await executeCommand(commands.compareWithFile, file('added.svg'), [file('added.svg'), file('gone.svg')]);
    await refused(/^gone\.svg was not found/u);
    await executeCommand(commands.compareWithHead, file('page.md'));
    await refused(/page\.md isn't an image/u);
  });

  it('is compared with another file where no Git is, as in a virtual workspace', async () => {
    const virtual = vscode.workspace.registerFileSystemProvider('virtual', new FolderProvider(true));
    const [before, after] = ['fox.svg', 'new.svg'].map((name) => file(name).with({ scheme: 'virtual' }));
    await executeCommand(commands.compareWithFile, before, [before, after]);
    await eventually(
      'a second tab with these names',
      async () => Promise.resolve(titles()),
      (all) => all.filter((one) => /^new\.svg \(.*fox\.svg ↔ .*new\.svg\)$/u.test(one)).length === 2,
    );
    await executeCommand(commands.compareWithHead, before);
    await refused(/^fox\.svg isn't in a Git repository/u);
    virtual.dispose();
  });
});
