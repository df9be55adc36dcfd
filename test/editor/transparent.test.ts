import assert from 'node:assert/strict';
import { PNG } from 'pngjs';
import * as vscode from 'vscode';
import type { LimnerApi } from '../../src/vscode/api.ts';
import * as commands from '../../src/vscode/window/commandIds.ts';
import { eventually } from '../support/eventually.ts';
import { extensionId } from '../../src/vscode/window/names.ts';
import * as settingNames from '../../src/vscode/window/settingNames.ts';

/** Asks for a picture of a subject alone, and returns the alpha of a corner and the greatest one. */
async function generate(
  prompt: string,
  fileName: string,
  more: object = {},
): Promise<{ corner: number; subject: number }> {
  const { files } = await vscode.commands.executeCommand<{ files: vscode.Uri[] }>(commands.generate, {
    prompt,
    fileName,
    folder: 'transparent',
    model: 'demo-painter',
    size: '128x128',
    background: 'transparent',
    ...more,
  });
  assert.ok(files[0]);
  const { data } = PNG.sync.read(Buffer.from(await vscode.workspace.fs.readFile(files[0])));
  const alphas = data.filter((_, at) => at % 4 === 3);
  return { corner: alphas[0] ?? -1, subject: Math.max(...alphas) };
}

/** Says how the model makes transparent backgrounds, until this is done. */
async function withEntry(transparent: object, act: () => Promise<void>): Promise<void> {
  const configuration = vscode.workspace.getConfiguration();
  const update = async (value: unknown): Promise<void> =>
    configuration.update(settingNames.models, value, vscode.ConfigurationTarget.Global);
  await update([{ id: 'demo-painter', transparent }]);
  try {
    await act();
  } finally {
    await update(undefined);
  }
}

describe('an image with a transparent background', () => {
  let limner: LimnerApi;

  before(async () => {
    const extension = vscode.extensions.getExtension<LimnerApi>(extensionId);
    assert.ok(extension);
    limner = await extension.activate();
    await vscode.commands.executeCommand(commands.useDemoService);
  });

  it('is cut out of a flat color, whose words are not part of the prompt that is kept', async () => {
    assert.deepEqual(await generate('A teapot', 'teapot'), { corner: 0, subject: 255 });
    const tasks = await limner.tasks();
    assert.equal(tasks.filter(({ prompt }) => prompt === 'A teapot').length, 1);
  });

  it('is transparent around the subject, too, where a color is the usual fill', async () => {
    const configuration = vscode.workspace.getConfiguration();
    const update = async (value: unknown): Promise<void> =>
      configuration.update(settingNames.fill, value, vscode.ConfigurationTarget.Global);
    await update('#ff8800');
    try {
      const made = await generate('A mug', 'mug', { size: '160x80', fit: 'pad' });
      assert.deepEqual(made, { corner: 0, subject: 255 });
    } finally {
      await update(undefined);
    }
  });

  it('is made by the model where its entry says that it can', async () => {
    const extra = { background: 'transparent' };
    await withEntry({ by: 'alpha', extra }, async () =>
      assert.deepEqual(await generate('A kettle', 'kettle'), { corner: 0, subject: 255 }),
    );
  });

  it('is saved as it came where the model that should make it does not', async () => {
    await withEntry({ by: 'alpha' }, async () =>
      assert.deepEqual(await generate('A ladle', 'ladle'), { corner: 255, subject: 255 }),
    );
  });

  it('is made of the image on white and an edit of it to black, where the entry or the arguments say so', async () => {
    await withEntry({ by: 'grounds' }, async () =>
      assert.deepEqual(await generate('A jug', 'jug'), { corner: 0, subject: 255 }),
    );
    assert.deepEqual(await generate('A vase', 'vase', { twoGrounds: true }), { corner: 0, subject: 255 });
    const tasks = await limner.tasks();
    for (const made of ['A jug', 'A vase']) {
      assert.equal(tasks.filter(({ prompt }) => prompt === made).length, 2);
    }
  });
});

async function alphasOf(file: vscode.Uri): Promise<Uint8Array> {
  const { data } = PNG.sync.read(Buffer.from(await vscode.workspace.fs.readFile(file)));
  return data.filter((_, at) => at % 4 === 3);
}

/** Writes a green cross between four red corners, and a mask of its middle. */
async function draw(): Promise<{ image: vscode.Uri; mask: vscode.Uri }> {
  const side = 128;
  const [image, mask] = [new PNG({ width: side, height: side }), new PNG({ width: side, height: side })];
  for (let at = 0; at < side * side; at++) {
    const [x, y] = [(at % side) - 64, Math.floor(at / side) - 64];
    const isCross = Math.min(Math.abs(x), Math.abs(y)) < 40;
    image.data.set(isCross ? [0, 255, 0, 255] : [200, 30, 60, 255], 4 * at);
    mask.data.set([0, 0, 0, Math.max(Math.abs(x), Math.abs(y)) < 4 ? 0 : 255], 4 * at);
  }
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? assert.fail();
  const files = {
    image: vscode.Uri.joinPath(folder, 'cross.png'),
    mask: vscode.Uri.joinPath(folder, 'middle.png'),
  };
  await vscode.workspace.fs.writeFile(files.image, PNG.sync.write(image));
  await vscode.workspace.fs.writeFile(files.mask, PNG.sync.write(mask));
  return files;
}

describe('a cut-out whose check failed', () => {
  it('is kept anyway, in the place of the file and at no cost, with its verdict, until that is undone', async () => {
    await vscode.commands.executeCommand(commands.useDemoService);
    const { image, mask } = await draw();
    const { files, taskId } = await vscode.commands.executeCommand<{ files: vscode.Uri[]; taskId: string }>(
      commands.edit,
      image,
      { prompt: 'Make the middle blue', mask, background: 'transparent', fileName: 'kept.png' },
    );
    const [file = image] = files;
    const before = Buffer.from(await vscode.workspace.fs.readFile(file));
    assert.equal(Math.min(...(await alphasOf(file))), 255);
    const said: string[] = [];
    const { showInformationMessage, showErrorMessage } = vscode.window;
    const answers = ['Undo'];
    const answer = async (message: string): Promise<string | undefined> => {
      said.push(message);
      return Promise.resolve(answers.shift());
    };
    Object.assign(vscode.window, { showInformationMessage: answer, showErrorMessage: answer });
    const keep = async (): Promise<number> => {
      await vscode.commands.executeCommand(commands.taskKeepAnyway, taskId);
      return Math.min(...(await alphasOf(file)));
    };
    try {
      assert.equal(await keep(), 0);
      assert.match(said[0] ?? '', /although the check failed: 4 of the 4 corners/u);
      await eventually(
        'the file as before',
        async () => Buffer.from(await vscode.workspace.fs.readFile(file)),
        (bytes) => bytes.equals(before),
      );
      assert.equal(await keep(), 0);
      assert.equal(said.length, 3);
      // Nothing is left to be kept, which is said.
      assert.equal(await keep(), 0);
      assert.match(said[3] ?? '', /kept\.png/u);
    } finally {
      Object.assign(vscode.window, { showInformationMessage, showErrorMessage });
    }
  });

  it('replaces no file that was edited since, unless the user agrees', async () => {
    const { image, mask } = await draw();
    const { files, taskId } = await vscode.commands.executeCommand<{ files: vscode.Uri[]; taskId: string }>(
      commands.edit,
      image,
      { prompt: 'Make the middle red', mask, background: 'transparent', fileName: 'touched.png' },
    );
    const [file = image] = files;
    const touched = await vscode.workspace.fs.readFile(image);
    await vscode.workspace.fs.writeFile(file, touched);
    const asked: string[] = [];
    const { showWarningMessage } = vscode.window;
    Object.assign(vscode.window, {
      showWarningMessage: async (question: string): Promise<undefined> =>
        Promise.resolve(void asked.push(question)),
    });
    try {
      await vscode.commands.executeCommand(commands.taskKeepAnyway, taskId);
      assert.deepEqual(asked, ['touched.png has changed since then. Replace it anyway?']);
      assert.deepEqual(await vscode.workspace.fs.readFile(file), touched);
    } finally {
      Object.assign(vscode.window, { showWarningMessage });
    }
  });
});
