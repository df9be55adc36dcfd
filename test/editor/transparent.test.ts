import assert from 'node:assert/strict';
import { PNG } from 'pngjs';
import * as vscode from 'vscode';
import type { LimnerApi } from '../../src/vscode/api.ts';
import * as commands from '../../src/vscode/window/commandIds.ts';
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
