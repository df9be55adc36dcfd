import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdir, readFile, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { join } from 'node:path';
import tls from 'node:tls';
import { PNG } from 'pngjs';
import * as vscode from 'vscode';
import * as commands from '../../src/vscode/window/commandIds.ts';
import { eventually } from '../support/eventually.ts';
import { withText } from '../support/images/pngText.ts';
import { selfSigned } from '../support/service/selfSigned.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

type Box = vscode.QuickPick<vscode.QuickPickItem> | vscode.InputBox;

describe('limner.addToProject', () => {
  const { path: home, remove } = temporaryFolder('left-images');
  const [root] = vscode.workspace.workspaceFolders ?? [];
  const { createQuickPick, createInputBox, showErrorMessage, showInformationMessage } = vscode.window;
  const codexHome = process.env['CODEX_HOME'];
  const picture = PNG.sync.write(new PNG({ width: 40, height: 20 }));
  const left = join(home, 'generated_images', 'session');
  const original = join(left, 'ig_05.png');
  const shown: Box[] = [];
  const accepted = new Map<Box, vscode.EventEmitter<void>>();
  const told: string[] = [];
  assert.ok(root);
  const folder = vscode.Uri.joinPath(root.uri, 'images');

  /** Answers the next box: a row by its label, or a text. */
  async function answer(title: string, reply: string): Promise<void> {
    const box = await eventually(
      `a box for ${reply}`,
      async () => Promise.resolve(shown.at(-1)),
      (one) => one?.title === title && !one.busy && shown.length > 0,
    );
    assert.ok(box);
    shown.length = 0;
    if ('items' in box) {
      const row = box.items.find(({ label }) => label === reply);
      assert.ok(row, `${reply} isn't among ${box.items.map(({ label }) => label).join(', ')}`);
      box.activeItems = [row];
    } else {
      box.value = reply;
    }
    accepted.get(box)?.fire();
  }

  /** Notes a box, and takes its Enter into the test's hands: whether it is drawn yet doesn't matter to it. */
  function noted<T extends Box>(box: T): T {
    const enter = new vscode.EventEmitter<void>();
    accepted.set(box, enter);
    Object.defineProperty(box, 'onDidAccept', { value: enter.event });
    shown.push(box);
    return box;
  }

  const tell = async (text: string): Promise<undefined> => Promise.resolve(void told.push(text));
  const names = async (): Promise<string[]> =>
    (await vscode.workspace.fs.readDirectory(folder)).map(([name]) => name).toSorted();

  const message = async (text: RegExp): Promise<unknown> =>
    eventually(
      String(text),
      async () => Promise.resolve([...told]),
      (messages) => messages.some((one) => text.test(one)),
    );

  before(async () => {
    await mkdir(left, { recursive: true });
    const words =
      'parameters\0a tall urn\nNegative prompt: cracks\nSteps: 20, Sampler: Euler, Model: clay_v2';
    await writeFile(original, withText(picture, words));
    await writeFile(join(left, 'cut.png'), picture.subarray(0, -20));
    await utimes(join(left, 'cut.png'), 1_000_000, 1_000_000);
    await writeFile(join(left, 'notes.txt'), 'no image');
    await symlink(original, join(left, 'linked.png'));
    const nano = vscode.Uri.joinPath(root.uri, 'nanobanana-output', 'a_bowl.png');
    await vscode.workspace.fs.writeFile(nano, picture);
    process.env['CODEX_HOME'] = home;
    Object.defineProperty(vscode.window, 'createQuickPick', {
      configurable: true,
      value: () => noted(createQuickPick()),
    });
    Object.defineProperty(vscode.window, 'createInputBox', {
      configurable: true,
      value: () => noted(createInputBox()),
    });
    Object.defineProperty(vscode.window, 'showErrorMessage', { configurable: true, value: tell });
    Object.defineProperty(vscode.window, 'showInformationMessage', { configurable: true, value: tell });
  });

  after(() => {
    if (codexHome === undefined) {
      delete process.env['CODEX_HOME'];
    } else {
      process.env['CODEX_HOME'] = codexHome;
    }
    const before = { createQuickPick, createInputBox, showErrorMessage, showInformationMessage };
    for (const [name, value] of Object.entries(before)) {
      Object.defineProperty(vscode.window, name, { configurable: true, value });
    }
    return remove();
  });

  it('copies what Codex left under the name of its prompt, and shows it in the document', async () => {
    const page = vscode.Uri.joinPath(root.uri, 'added.md');
    await vscode.workspace.fs.writeFile(page, Buffer.from(''));
    const editor = await vscode.window.showTextDocument(page);
    const before = await stat(original);
    const running = vscode.commands.executeCommand(commands.addToProject);
    const box = await eventually(
      'the list',
      async () => Promise.resolve(shown.at(-1)),
      (one) =>
        one !== undefined &&
        'items' in one &&
        one.items.some(({ iconPath }) => iconPath instanceof vscode.Uri),
    );
    assert.ok(box && 'items' in box);
    const rows = box.items.map(({ label }) => label);
    const expected = ['a_bowl.png', 'ig_05.png', 'cut.png', 'Choose File…'];
    assert.deepEqual(
      rows.filter((row) => expected.includes(row)),
      expected,
    );
    assert.ok(!rows.includes('linked.png') && !rows.includes('notes.txt'));
    await answer('Add to Project', 'ig_05.png');
    const name = await eventually(
      'the name',
      async () => Promise.resolve(shown.at(-1)),
      (one) => one !== undefined,
    );
    assert.equal(name && 'value' in name && name.value, 'a-tall-urn');
    await answer('Add to Project', 'a-tall-urn');
    await answer('Add to Project', 'Insert into added.md');
    await answer('Add to Project', 'As It Is');
    await running;
    const added = vscode.Uri.joinPath(folder, 'a-tall-urn.png');
    assert.deepEqual(Buffer.from(await vscode.workspace.fs.readFile(added)), await readFile(original));
    assert.equal((await stat(original)).mtimeMs, before.mtimeMs);
    assert.equal(editor.document.getText(), '![a tall urn](images/a-tall-urn.png)');
    await message(/^Saved a-tall-urn\.png\.$/u);
    await editor.document.save();
  });

  it('never overwrites, and converts as the name asks', async () => {
    const given = vscode.Uri.joinPath(root.uri, 'nanobanana-output', 'a_bowl.png');
    for (const [index, name] of ['bowl.webp', 'bowl.webp'].entries()) {
      const running = vscode.commands.executeCommand(commands.addToProject, given);
      await answer('Add a_bowl.png to Project', name);
      await answer('Add a_bowl.png to Project', "Don't Insert");
      await answer('Add a_bowl.png to Project', 'As It Is');
      await running;
      const file = vscode.Uri.joinPath(folder, index === 0 ? 'bowl.webp' : 'bowl-2.webp');
      const webp = Buffer.from(await vscode.workspace.fs.readFile(file));
      assert.equal(webp.toString('latin1', 8, 12), 'WEBP');
    }
  });

  it('takes an address of the clipboard, and refuses what is damaged or no image before it asks for a name', async () => {
    const before = await names();
    const running = vscode.commands.executeCommand(commands.addToProject);
    await answer('Add to Project', 'cut.png');
    await running;
    await message(/^cut\.png is damaged: .*Nothing was added\.$/u);
    await vscode.env.clipboard.writeText(`data:image/png;base64,${Buffer.from('<svg/>').toString('base64')}`);
    const refused = vscode.commands.executeCommand(commands.addToProject);
    await answer('Add to Project', 'pasted-image');
    await refused;
    await message(/^The contents of pasted-image aren't a PNG, JPEG, or WebP image\.$/u);
    assert.deepEqual(await names(), before);
    await vscode.env.clipboard.writeText(`data:image/png;base64,${picture.toString('base64')}`);
    const taken = vscode.commands.executeCommand(commands.addToProject);
    await answer('Add to Project', 'pasted-image');
    await answer('Add to Project', 'from-clipboard');
    await answer('Add to Project', "Don't Insert");
    await answer('Add to Project', 'As It Is');
    await taken;
    assert.deepEqual(await names(), [...before, 'from-clipboard.png'].toSorted());
  });

  it('fetches an address of the clipboard, and refuses what is no image, too large, or elsewhere', async () => {
    const answers: Record<string, (response: ServerResponse) => void> = {
      '/fox.png': (response) => response.writeHead(302, { location: '/moved/fox.png' }).end(),
      '/moved/fox.png': (response) => response.end(picture),
      '/page.png': (response) => response.end('<html>'),
      '/large.png': (response) => response.writeHead(200, { 'content-length': 21 * 1024 * 1024 }).end(),
      '/plain.png': (response) => response.writeHead(302, { location: 'http://localhost/fox.png' }).end(),
      '/inside.png': (response) => response.writeHead(302, { location: 'https://10.1.2.3/fox.png' }).end(),
    };
    const server = createServer(selfSigned, ({ url = '' }, response) => {
      const missing = (): unknown => response.writeHead(404).end();
      (answers[url] ?? missing)(response);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    assert.ok(address !== null && typeof address === 'object');
    const { connect } = tls;
    const trusting = (options: tls.ConnectionOptions): tls.TLSSocket =>
      connect({ ...options, ca: selfSigned.cert });
    Object.assign(tls, { connect: trusting });
    const host = `localhost:${address.port}`;
    const choose = async (name: string): Promise<Thenable<unknown>[]> => {
      await vscode.env.clipboard.writeText(`https://${host}/${name}`);
      const running = vscode.commands.executeCommand(commands.addToProject);
      await answer('Add to Project', name);
      return [running];
    };
    try {
      const before = await names();
      for (const [name, words] of [
        ['page.png', /^The contents of page\.png aren't a PNG, JPEG, or WebP image\.$/u],
        ['large.png', /^Couldn't fetch the image from localhost:\d+: .*20 MB/u],
        ['plain.png', /^Couldn't fetch the image from localhost:\d+: .*over http/u],
        ['inside.png', /^Couldn't fetch the image from localhost:\d+: .*10\.1\.2\.3/u],
        ['gone.png', /^Couldn't fetch the image from localhost:\d+: .*HTTP 404/u],
      ] as const) {
        const [running] = await choose(name);
        await running;
        await message(words);
      }
      assert.deepEqual(await names(), before);
      const [running] = await choose('fox.png');
      await answer('Add to Project', 'fetched-fox');
      await answer('Add to Project', "Don't Insert");
      await answer('Add to Project', 'As It Is');
      await running;
      const added = vscode.Uri.joinPath(folder, 'fetched-fox.png');
      assert.deepEqual(Buffer.from(await vscode.workspace.fs.readFile(added)), picture);
    } finally {
      Object.assign(tls, { connect });
      server.close();
    }
  });

  it('takes a file that the user chooses', async () => {
    const { showOpenDialog } = vscode.window;
    Object.assign(vscode.window, {
      showOpenDialog: async () => Promise.resolve([vscode.Uri.file(original)]),
    });
    const running = vscode.commands.executeCommand(commands.addToProject);
    await answer('Add to Project', 'Choose File…');
    await answer('Add to Project', 'chosen-urn');
    await answer('Add to Project', "Don't Insert");
    await answer('Add to Project', 'As It Is');
    await running;
    Object.assign(vscode.window, { showOpenDialog });
    assert.ok((await names()).includes('chosen-urn.png'));
  });
});
