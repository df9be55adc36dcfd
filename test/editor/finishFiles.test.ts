import assert from 'node:assert/strict';
import { PNG } from 'pngjs';
import * as vscode from 'vscode';
import * as commands from '../../src/editor/commandIds.ts';

/** Width and height of a PNG, in pixels. */
async function sizeOf(file: vscode.Uri): Promise<[number, number]> {
  const bytes = Buffer.from(await vscode.workspace.fs.readFile(file));
  assert.equal(bytes.toString('latin1', 1, 4), 'PNG');
  return [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
}

const nameOf = (file: vscode.Uri | undefined): string => vscode.workspace.asRelativePath(file ?? '');

describe('limner.fitImage and limner.convertImage', () => {
  let image: vscode.Uri;

  before(async () => {
    await vscode.commands.executeCommand(commands.useDemoService);
    const { files } = await vscode.commands.executeCommand<{ files: vscode.Uri[] }>(commands.generate, {
      prompt: 'A newt',
      fileName: 'newt',
      folder: 'finish',
      size: '64x48',
    });
    assert.ok(files[0]);
    image = files[0];
  });

  it('make new files beside the image, which stays, and ask nothing when they are given arguments', async () => {
    const before = await vscode.workspace.fs.readFile(image);
    const [fitted] = await vscode.commands.executeCommand<vscode.Uri[]>(commands.fitImage, image, {
      size: '30x30',
    });
    assert.equal(nameOf(fitted), 'finish/newt-30x30.png');
    assert.deepEqual(await sizeOf(fitted ?? image), [30, 30]);
    const [converted] = await vscode.commands.executeCommand<vscode.Uri[]>(
      commands.convertImage,
      'finish/newt.png',
      { format: 'webp', quality: 80 },
    );
    assert.equal(nameOf(converted), 'finish/newt.webp');
    assert.ok(converted);
    const webp = Buffer.from(await vscode.workspace.fs.readFile(converted));
    assert.equal(webp.toString('latin1', 8, 12), 'WEBP');
    assert.deepEqual(await vscode.workspace.fs.readFile(image), before);
  });

  it('answer with the image itself where it is as wanted', async () => {
    const made = await vscode.commands.executeCommand<vscode.Uri[]>(commands.fitImage, image, {
      size: '64x48',
    });
    assert.deepEqual(made.map(String), [image.toString()]);
  });

  it('reject values that cannot be carried out, and files that are no images', async () => {
    for (const [file, given, code] of [
      [image, { size: '0x5' }, 'invalid_request'],
      [image, { format: 'jpeg', quality: 300 }, 'invalid_request'],
      [vscode.Uri.joinPath(image, '..', 'notes.txt'), { size: '5x5' }, 'unsupported_image'],
    ] as const) {
      await assert.rejects(async () => vscode.commands.executeCommand(commands.fitImage, file, given), {
        code,
      });
    }
  });
});

describe('limner.generate with a size that the model does not make', () => {
  it('saves the size and the format that were asked for, and keeps the extension', async () => {
    const { files } = await vscode.commands.executeCommand<{ files: vscode.Uri[] }>(commands.generate, {
      prompt: 'A heron',
      model: 'demo-sketch-a',
      fileName: 'heron.PNG',
      folder: 'finish',
      size: '120x63',
      fit: 'crop',
      focus: { x: 0.5, y: 0 },
    });
    const [file] = files;
    assert.equal(nameOf(file), 'finish/heron.PNG');
    assert.deepEqual(await sizeOf(file ?? assert.fail()), [120, 63]);
  });

  it('refuses a format that Limner does not write before anything is sent', async () => {
    await assert.rejects(
      async () =>
        vscode.commands.executeCommand(commands.generate, { prompt: 'A heron', fileName: 'heron.gif' }),
      { code: 'invalid_request', message: /\.gif/ },
    );
  });
});

describe('limner.removeBackground', () => {
  it('cuts a subject out of a flat color, into a new file, at no cost', async () => {
    await vscode.commands.executeCommand(commands.useDemoService);
    const { files } = await vscode.commands.executeCommand<{ files: vscode.Uri[] }>(commands.generate, {
      prompt: 'A boat, on a flat pure green (#00FF00) background',
      fileName: 'boat',
      folder: 'finish',
      size: '128x128',
    });
    const [image] = files;
    assert.ok(image);
    const before = Buffer.from(await vscode.workspace.fs.readFile(image));
    const [made] = await vscode.commands.executeCommand<vscode.Uri[]>(commands.removeBackground, image);
    assert.equal(nameOf(made), 'finish/boat-cutout.png');
    const { data } = PNG.sync.read(Buffer.from(await vscode.workspace.fs.readFile(made ?? image)));
    assert.deepEqual([data[3], data.at(-1)], [0, 0]);
    assert.ok(data.some((value, at) => at % 4 === 3 && value === 255));
    assert.deepEqual(Buffer.from(await vscode.workspace.fs.readFile(image)), before);
    const again = await vscode.commands.executeCommand<vscode.Uri[]>(commands.removeBackground, made);
    assert.deepEqual(again.map(String), [String(made)]);
  });

  it('goes on with the other files after one that cannot be read', async () => {
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
    assert.ok(folder);
    const good = vscode.Uri.joinPath(folder, 'finish/boat.png');
    const broken = vscode.Uri.joinPath(folder, 'finish/broken.png');
    await vscode.workspace.fs.writeFile(broken, Buffer.from('no image'));
    const made = await vscode.commands.executeCommand<vscode.Uri[]>(commands.removeBackground, broken, [
      broken,
      good,
    ]);
    assert.deepEqual(made.map(nameOf), ['finish/boat-cutout-2.png']);
  });
});
