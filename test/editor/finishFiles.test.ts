import assert from 'node:assert/strict';
import { PNG } from 'pngjs';
import * as v from 'valibot';
import * as vscode from 'vscode';
import * as commands from '../../src/vscode/window/commandIds.ts';
import * as settingNames from '../../src/vscode/window/settingNames.ts';
import { readTags } from '../readers/tags.ts';

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
      [image, { format: 'jpeg', lossless: true }, 'invalid_request'],
      [image, { format: 'png', quality: 999 }, 'invalid_request'],
      [image, { quality: 50 }, 'unsupported_image'],
      [image, { size: '5x5', fill: 'purple' }, 'invalid_request'],
      [image, { formt: 'png' }, 'invalid_request'],
      [vscode.Uri.joinPath(image, '..', 'notes.txt'), { size: '5x5' }, 'unsupported_image'],
    ] as const) {
      await assert.rejects(async () => vscode.commands.executeCommand(commands.fitImage, file, given), {
        code,
      });
    }
  });
});

/** Returns the size that the demo service was asked for last. */
async function lastOrder(): Promise<unknown> {
  return (await entriesOfLedger()).at(-1)?.size;
}

/** Returns how often the demo service was asked for images. */
async function orders(): Promise<number> {
  return (await entriesOfLedger()).length;
}

async function entriesOfLedger(): Promise<v.InferOutput<typeof ledger>['entries']> {
  const baseUrl = vscode.workspace.getConfiguration().get<string>(settingNames.baseUrl);
  const { entries } = v.parse(ledger, await (await fetch(`${baseUrl}/demo/ledger`)).json());
  return entries;
}

const ledger = v.object({ entries: v.array(v.object({ size: v.optional(v.unknown()) })) });

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

  it('asks a model for the nearest of its sizes, and makes of it the one that was asked for', async () => {
    const configuration = vscode.workspace.getConfiguration();
    const update = async (value: unknown): Promise<void> =>
      configuration.update(settingNames.models, value, vscode.ConfigurationTarget.Global);
    await update([{ id: 'demo-painter', sizes: ['256x256', '384x256', '256x384'] }]);
    try {
      for (const [size, fileName, asked] of [
        ['300x157', 'card', { width: 384, height: 256 }],
        ['40x90', 'mark', { width: 256, height: 384 }],
      ] as const) {
        const { files } = await vscode.commands.executeCommand<{ files: vscode.Uri[] }>(commands.generate, {
          prompt: 'A heron',
          model: 'demo-painter',
          fileName,
          folder: 'finish',
          size,
          fit: 'crop',
        });
        assert.deepEqual((await sizeOf(files[0] ?? assert.fail())).join('x'), size);
        assert.deepEqual(await lastOrder(), asked);
      }
    } finally {
      await update(undefined);
    }
  });

  it('refuses bad values before anything is sent, also where the fit makes no use of them', async () => {
    const before = await orders();
    for (const given of [
      { size: '0x0' },
      { fit: 'off', fill: 'purple' },
      { fit: 'stretch', size: '9x9', focus: { x: 9, y: 9 } },
      { fileQuality: 500 },
      { trim: { margin: -1, unit: 'px' } },
    ]) {
      await assert.rejects(
        async () => vscode.commands.executeCommand(commands.generate, { prompt: 'A heron', ...given }),
        { code: 'invalid_request' },
      );
    }
    assert.equal(await orders(), before);
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

async function setEmbedPrompt(value: boolean | undefined): Promise<void> {
  const configuration = vscode.workspace.getConfiguration();
  await configuration.update(settingNames.embedPrompt, value, vscode.ConfigurationTarget.Global);
}

/** Returns what a reader of metadata finds in a new image, of what the setting is about. */
async function tagsOf(fileName: string, more: object = {}): Promise<(string | undefined)[]> {
  const { files } = await vscode.commands.executeCommand<{ files: vscode.Uri[] }>(commands.generate, {
    prompt: 'A <red> crab & a gull',
    model: 'demo-painter',
    fileName,
    folder: 'embedded',
    size: '64x64',
    ...more,
  });
  assert.equal(nameOf(files[0]), `embedded/${fileName}`);
  const { xmp } = await readTags(await vscode.workspace.fs.readFile(files[0] ?? assert.fail()));
  return ['AIPromptInformation', 'AISystemUsed', 'DigitalSourceType', 'CreateDate'].map(
    (name) => xmp?.[name]?.description,
  );
}

describe('limner.embedPrompt', () => {
  before(async () => {
    await vscode.commands.executeCommand(commands.useDemoService);
  });
  after(async () => setEmbedPrompt(undefined));

  it('writes prompt, model, source and date into files of all formats, where others read them', async () => {
    const from = Date.now();
    await setEmbedPrompt(true);
    const names = ['crab.png', 'crab.jpg', 'crab.webp'];
    const found = await Promise.all(names.map(async (name) => tagsOf(name)));
    for (const [at, [prompt, model, source, date = '']] of found.entries()) {
      assert.deepEqual([prompt, model], ['A <red> crab & a gull', 'demo-painter'], names[at]);
      assert.equal(source, 'http://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia');
      assert.ok(Date.parse(date) >= from && Date.parse(date) <= Date.now(), date);
    }
  });

  it('gives way to what a run itself asks for, and writes nothing where it is off', async () => {
    const nothing = [undefined, undefined, undefined, undefined];
    await setEmbedPrompt(true);
    assert.deepEqual(await tagsOf('plain.png', { embedPrompt: false }), nothing);
    await setEmbedPrompt(undefined);
    assert.deepEqual(await tagsOf('usual.png'), nothing);
  });
});
