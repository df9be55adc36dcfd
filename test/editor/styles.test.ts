import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { dimensionsFromPrefix } from '../../src/images/formats/dimensions.ts';
import { readProvenance } from '../../src/images/formats/provenance.ts';
import type { LimnerApi } from '../../src/vscode/api.ts';
import * as commands from '../../src/vscode/window/commandIds.ts';
import { extensionId } from '../../src/vscode/window/names.ts';
import * as settingNames from '../../src/vscode/window/settingNames.ts';
import { eventually } from '../support/eventually.ts';

interface Outcome {
  taskId: string;
  files: vscode.Uri[];
}

const set = async (name: string, value: unknown): Promise<void> =>
  vscode.workspace.getConfiguration().update(name, value, vscode.ConfigurationTarget.Global);

const generate = async (given: object): Promise<Outcome> =>
  vscode.commands.executeCommand<Outcome>(commands.generate, {
    folder: 'styled',
    embedPrompt: true,
    ...given,
  });

/** Returns what was sent for an image, and its size. */
async function madeOf({ files: [file] }: Outcome): Promise<unknown[]> {
  assert.ok(file);
  const bytes = await vscode.workspace.fs.readFile(file);
  const size = dimensionsFromPrefix(bytes);
  assert.ok(size.kind === 'known');
  const { width, height } = size;
  return [vscode.workspace.asRelativePath(file), (await readProvenance(bytes))?.prompt, width, height];
}

describe('styles', () => {
  const { createQuickPick } = vscode.window;
  let last: vscode.QuickPick<vscode.QuickPickItem> | undefined;
  let pressed: vscode.EventEmitter<vscode.QuickInputButton>;
  const box = (): vscode.QuickPick<vscode.QuickPickItem> => {
    assert.ok(last);
    return last;
  };
  let folder: vscode.Uri;

  const write = async (name: string, style: object): Promise<void> => {
    const file = vscode.Uri.joinPath(folder, `${name}.json`);
    await vscode.workspace.fs.writeFile(file, Buffer.from(JSON.stringify(style)));
  };

  before(async () => {
    Object.defineProperty(vscode.window, 'createQuickPick', {
      configurable: true,
      value: () => {
        last = createQuickPick();
        pressed = new vscode.EventEmitter();
        Object.defineProperty(last, 'onDidTriggerButton', { value: pressed.event });
        return last;
      },
    });
    const extension = vscode.extensions.getExtension<LimnerApi>(extensionId);
    assert.ok(extension);
    await extension.activate();
    await vscode.commands.executeCommand(commands.useDemoService);
    const [root] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(root);
    folder = vscode.Uri.joinPath(root.uri, '.limner', 'styles');
    await write('icons', { after: ', thick outlines', size: '48x32', format: 'webp' });
    await write('broken', { colour: 'red' });
  });
  after(async () => {
    Object.defineProperty(vscode.window, 'createQuickPick', { configurable: true, value: createQuickPick });
    await set(settingNames.style, undefined);
    await vscode.workspace.fs.delete(vscode.Uri.joinPath(folder, '..'), { recursive: true });
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('are obeyed by new images as the setting says, and what is given wins', async () => {
    await set(settingNames.style, 'icons');
    const snail = await generate({ prompt: 'A styled snail' });
    assert.deepEqual(await madeOf(snail), [
      'styled/a-styled-snail.webp',
      'A styled snail, thick outlines',
      48,
      32,
    ]);
    const own = await generate({ prompt: 'Own', size: '64x64', fileName: 'own.png' });
    assert.deepEqual(await madeOf(own), ['styled/own.png', 'Own, thick outlines', 64, 64]);
    const plain = await generate({ prompt: 'Plain', style: '', fileName: 'plain' });
    assert.equal((await madeOf(plain))[1], 'Plain');
  });

  it('send nothing where their file is not valid, or not there', async () => {
    for (const [style, message] of [
      ['broken', /^The style \.limner\/styles\/broken\.json has the unknown key "colour"\./u],
      ['gone', /^There is no style "gone"\. \.limner\/styles has broken, icons\./u],
    ] as const) {
      await assert.rejects(generate({ prompt: 'A snail', style }), { code: 'invalid_request', message });
    }
  });

  it('are named, not only their image, where that is gone', async () => {
    await write('lost', { images: ['../../gone.png'] });
    const message = /^The style lost names an image that can't be used: gone\.png wasn't found\./u;
    await assert.rejects(generate({ prompt: 'A snail', style: 'lost' }), {
      code: 'invalid_request',
      message,
    });
    await vscode.workspace.fs.delete(vscode.Uri.joinPath(folder, 'lost.json'));
  });

  it('are shown in the prompt box, where one can be taken off', async () => {
    await set(settingNames.style, 'icons');
    const running = vscode.commands.executeCommand<Outcome | undefined>(commands.generate);
    const { title } =
      (await eventually(
        'the box with the style',
        async () => Promise.resolve(last),
        (shown) => shown?.title?.includes('Style: icons') === true,
      )) ?? {};
    assert.ok(title !== undefined);
    assert.match(title, / · 48 × 32 · Style: icons · /u);
    const button = box().buttons.find(({ tooltip }) => tooltip === 'Style: icons');
    assert.ok(button);
    pressed.fire(button);
    await eventually(
      'the styles',
      async () => Promise.resolve(box().items),
      (items) => items.length === 3,
    );
    assert.deepEqual(
      box().items.map(({ label }) => label),
      ['None', 'broken', 'icons'],
    );
    box().value = 'None';
    await eventually(
      'the first item',
      async () => Promise.resolve(box().activeItems),
      ([item]) => item?.label === 'None',
    );
    await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
    await eventually(
      'the box without a style',
      async () => Promise.resolve(box()),
      ({ title = '', buttons }) =>
        !title.includes('Style') && buttons.some(({ tooltip }) => tooltip === 'Choose Style…'),
    );
    box().hide();
    await running;
  });

  it('of an untrusted workspace are shown before they are used, once', async () => {
    const { showWarningMessage } = vscode.window;
    const asked: unknown[] = [];
    let answer = 'Go On Without It';
    const trust = Object.getOwnPropertyDescriptor(vscode.workspace, 'isTrusted');
    Object.defineProperty(vscode.workspace, 'isTrusted', { configurable: true, value: false });
    Object.defineProperty(vscode.window, 'showWarningMessage', {
      configurable: true,
      value: async (question: string, { detail }: vscode.MessageOptions) => {
        asked.push([question, detail?.split('\n')[0]]);
        return Promise.resolve(answer);
      },
    });
    try {
      for (const [after, fileName, sent] of [
        ['red', 'one', 'A kettle'],
        ['red', 'two', 'A kettle'],
        ['blue', 'three', 'A kettle\nblue'],
        ['blue', 'four', 'A kettle\nblue'],
      ]) {
        await write('brought', { after });
        answer = after === 'blue' ? 'Use This Style' : answer;
        const made = await generate({ prompt: 'A kettle', style: 'brought', fileName });
        assert.equal((await madeOf(made))[1], sent);
      }
      const question = 'This workspace is not trusted. Use its style brought?';
      assert.deepEqual(asked, [
        [question, 'After the prompt: red'],
        [question, 'After the prompt: blue'],
      ]);
    } finally {
      Object.defineProperty(vscode.workspace, 'isTrusted', { configurable: true, ...trust });
      Object.defineProperty(vscode.window, 'showWarningMessage', {
        configurable: true,
        value: showWarningMessage,
      });
      await vscode.workspace.fs.delete(vscode.Uri.joinPath(folder, 'brought.json'));
    }
  });

  it('are written from a result, and not over another one', async () => {
    const { taskId } = await generate({
      prompt: 'A kettle',
      model: 'demo-painter',
      style: 'icons',
      fileName: 'jug.webp',
    });
    const { createInputBox } = vscode.window;
    let input: vscode.InputBox | undefined;
    Object.defineProperty(vscode.window, 'createInputBox', {
      configurable: true,
      value: () => (input = createInputBox()),
    });
    try {
      const saving = vscode.commands.executeCommand(commands.taskSaveAsStyle, taskId);
      await eventually(
        'the question for a name',
        async () => Promise.resolve(input?.value),
        (value) => value === 'icons',
      );
      assert.ok(input);
      input.value = 'jugs';
      await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
      await saving;
    } finally {
      Object.defineProperty(vscode.window, 'createInputBox', { configurable: true, value: createInputBox });
    }
    const { document } = vscode.window.activeTextEditor ?? {};
    assert.ok(document);
    assert.equal(vscode.workspace.asRelativePath(document.uri), '.limner/styles/jugs.json');
    const style: unknown = JSON.parse(document.getText());
    assert.deepEqual(style, {
      before: '',
      after: ', thick outlines',
      model: 'demo-painter',
      size: '48x32',
      fit: 'crop',
      format: 'webp',
    });
    await eventually(
      'no complaint about it',
      async () => Promise.resolve(vscode.languages.getDiagnostics(document.uri)),
      (found) => found.length === 0,
    );
  });
});
