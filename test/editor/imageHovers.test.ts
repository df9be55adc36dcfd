import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import * as commands from '../../src/vscode/window/commandIds.ts';
import { embedProvenance } from '../../src/images/codecs/embedProvenance.ts';
import { exifBlock, withExif } from '../support/images/exifFiles.ts';

const hoversIn = async (uri: vscode.Uri, position: vscode.Position): Promise<string[]> => {
  const found = await vscode.commands.executeCommand<vscode.Hover[]>(
    'vscode.executeHoverProvider',
    uri,
    position,
  );
  return found
    .flatMap(({ contents }) => contents.map((one) => (typeof one === 'string' ? one : one.value)))
    .filter((shown) => shown.includes(commands.fileEdit));
};

describe('the image that a page names under the pointer', () => {
  let root: vscode.Uri;
  let file: vscode.Uri;

  before(async () => {
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(folder);
    root = vscode.Uri.joinPath(folder.uri, 'hovers');
    await vscode.commands.executeCommand(commands.useDemoService);
    const made = await vscode.commands.executeCommand<{ files: vscode.Uri[] }>(commands.generate, {
      prompt: 'An avocet *on* <b>mud</b>',
      folder: 'hovers/img',
      fileName: 'avocet 1) & co.png',
      size: '64x48',
    });
    assert.ok(made.files[0]);
    [file] = made.files;
  });

  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await vscode.workspace.fs.delete(root, { recursive: true });
  });

  for (const [name, text] of [
    ['page.html', '<p>An image: <img src="img/avocet 1) & co.png" alt="An avocet"></p>'],
    ['style.css', '.hero { background: url("img/avocet 1) & co.png") }'],
    ['page.tsx', 'export const Page = () => <img src="img/avocet 1) & co.png" alt="An avocet" />;'],
  ] as const) {
    it(`is shown with its size, its prompt and what can be done with it: ${name}`, async () => {
      const uri = vscode.Uri.joinPath(root, name);
      await vscode.workspace.fs.writeFile(uri, Buffer.from(text));
      const document = await vscode.workspace.openTextDocument(uri);
      await vscode.window.showTextDocument(document);
      const at = (part: string): vscode.Position => document.positionAt(text.indexOf(part) + 1);
      const [shown = '', ...more] = await hoversIn(uri, at('img/avocet'));
      assert.deepEqual(more, []);
      assert.ok(shown.includes(`![](${file.toString()}|width=64,height=48)`), shown);
      assert.match(shown, /64 × 48/u);
      assert.ok(shown.includes(String.raw`An avocet \*on\* \<b\>mud\<\/b\>`), shown);
      // A bracket of its name would end the link.
      const links = [...shown.matchAll(/\]\(command:([\w.]+)\?([^()\s]+)\)(?: ·|$)/gu)];
      assert.deepEqual(
        links.map(([, command]) => command),
        [commands.fileEdit, commands.fileOpenStudio],
      );
      assert.deepEqual(await hoversIn(uri, new vscode.Position(0, 0)), []);
    });
  }

  it('is shown with the prompt that its file tells, whatever the task list says', async () => {
    const copy = vscode.Uri.joinPath(root, 'img', 'copied.png');
    const provenance = { prompt: 'A curlew', model: 'a', at: 0, source: 'trainedAlgorithmicMedia' } as const;
    const told = await embedProvenance(await vscode.workspace.fs.readFile(file), provenance);
    await vscode.workspace.fs.writeFile(copy, told ?? assert.fail());
    const uri = vscode.Uri.joinPath(root, 'copied.html');
    await vscode.workspace.fs.writeFile(uri, Buffer.from('<img src="img/copied.png">'));
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri));
    const [shown = ''] = await hoversIn(uri, new vscode.Position(0, 14));
    assert.match(shown, /64 × 48 · A curlew/u);
  });

  it('is shown as it stands where its file says that it lies on its side', async () => {
    const turned = vscode.Uri.joinPath(root, 'img', 'turned.png');
    const lying = withExif(await vscode.workspace.fs.readFile(file), exifBlock(6));
    await vscode.workspace.fs.writeFile(turned, lying);
    const uri = vscode.Uri.joinPath(root, 'turned.html');
    await vscode.workspace.fs.writeFile(uri, Buffer.from('<img src="img/turned.png">'));
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri));
    const [shown = ''] = await hoversIn(uri, new vscode.Position(0, 14));
    assert.ok(shown.includes(`![](${turned.toString()}|width=48,height=64)`), shown);
    assert.match(shown, /48 × 64/u);
  });
});
