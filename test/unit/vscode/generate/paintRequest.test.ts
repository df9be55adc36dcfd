import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { InputImage } from '../../../../src/vscode/generate/inputImages.ts';
import type { PaintRequests, RequestServices } from '../../../../src/vscode/generate/paintRequest.ts';
import { Codecs, type Pixels } from '../../../../src/images/finish/codecs.ts';
import { describeInput } from '../../../../src/engine/files/taskInput.ts';
import type { TaskRequest } from '../../../../src/engine/task/task.ts';
import { exifBlock, withExif } from '../../../support/images/exifFiles.ts';
import { type Color, paint } from '../../../support/images/pictures.ts';
import { memoryFolder } from '../../../support/memoryFolder.ts';

const whole: Color = [255, 255, 255, 255];

const stub = new URL('../documents/windowStub.ts', import.meta.url).href;
const hooks = registerHooks({
  resolve: (name, context, next) =>
    name === 'vscode' ? { url: stub, shortCircuit: true } : next(name, context),
});
const module = await import('../../../../src/vscode/generate/paintRequest.ts');
hooks.deregister();

const services = {
  settings: {
    forNewImages: { size: '', quality: '', n: 1 },
    finishing: () => ({ fit: 'crop', fill: 'transparent', fileQuality: 90, embedPrompt: false }),
    ignored: [],
  },
  models: {
    problems: [],
    callStyle: () => 'async',
    priced: (request: TaskRequest) => request,
  },
  targets: { resolve: async () => ({ folder: 'file:///w', root: 'file:///w', fileName: '{prompt}' }) },
};
const usual: unknown = services;
assert.ok(areServices(usual));
const requests: PaintRequests = new module.PaintRequests(usual);

/** Returns the size that the service is asked for, and that of the file. */
async function sizesFor(
  wanted: string,
  sizes: readonly string[],
  isSizeOfDocument: boolean,
): Promise<[asked: string | undefined, made: string]> {
  const { size, finish } = await requests.build('http://127.0.0.1:9', {
    prompt: 'A fox',
    model: { id: 'painter', family: 'image', ...(sizes.length > 0 && { sizes: [...sizes] }) },
    size: wanted,
    fit: 'crop',
    isSizeOfDocument,
    asks: false,
  });
  return [size, `${finish?.size?.width}x${finish?.size?.height}`];
}

describe('a mask in a window', () => {
  const codecs = new Codecs();
  let folder: string;
  before(async () => (folder = await mkdtemp(join(memoryFolder, 'limner-masked-'))));
  after(async () => {
    await codecs.dispose();
    await rm(folder, { recursive: true });
  });

  async function image(name: string, file: Uint8Array): Promise<InputImage> {
    const path = join(folder, name);
    await writeFile(path, file);
    return { original: undefined, name, input: await describeInput(path), dimensions: undefined };
  }

  it('is refused where it marks nothing, and goes with an upright photo, which is told', async () => {
    const opened = {
      ...services,
      engine: {
        home: { fsPath: folder },
        get: async () =>
          Promise.resolve({ codecs: async () => Promise.resolve(codecs), store: { inputPaths: () => [] } }),
      },
    };
    const usual: unknown = opened;
    assert.ok(areServices(usual));
    const paintRequests = new module.PaintRequests(usual);
    const told: string[] = [];
    const build = async (mask: InputImage): Promise<TaskRequest> =>
      paintRequests.build('http://127.0.0.1:9', {
        prompt: 'A hat',
        model: { id: 'painter', family: 'image' },
        images: [photo],
        mask,
        keepOutside: true,
        tell: (note) => told.push(note),
        asks: false,
      });
    const png = async (pixels: Pixels): Promise<Uint8Array> => codecs.encode(pixels, { format: 'png' });
    const stored = paint(6, 4, (x, y) => [x, y, 0, 255]);
    const photo = await image('photo.png', withExif(await png(stored), exifBlock(6)));
    const white = await image('white.png', await png(paint(4, 6, (x) => (x < 2 ? whole : [0, 0, 0, 255]))));
    await assert.rejects(build(white), {
      code: 'invalid_request',
      message:
        'The mask marks nothing: no pixel is transparent. white.png is black and white: to edit its white area, add "mask": "alpha" to the entry of painter in "limner.models", such as [{"id": "painter", "mask": "alpha"}]. Limner then makes white transparent. Or open the image in the studio, and paint or load a mask there.',
    });
    await assert.rejects(build(await image('stored.png', await png(stored))), {
      message:
        /stored\.png is 6 × 4, but photo\.png is 4 × 6 \(stored as 6 × 4, and turned by its EXIF orientation\)/u,
    });
    assert.deepEqual(told, []);
    const mask = await image('mask.png', await png(paint(4, 6, () => [0, 0, 0, 0])));
    const request = await build(mask);
    assert.deepEqual([request.mask?.sha256, request.keepOutside], [mask.input.sha256, true]);
    const [sent] = request.images ?? [];
    assert.ok(sent);
    assert.equal(sent.uri, photo.input.uri);
    const { width, height, rgba } = await codecs.decode(await readFile(sent.path));
    assert.deepEqual([width, height, [...rgba.subarray(0, 4)]], [4, 6, [0, 3, 0, 255]]);
    assert.deepEqual(told, [
      'photo.png has an EXIF orientation: it is sent upright, as it is seen, to match the mask.',
      'mask.png is transparent everywhere, so the whole image will be edited.',
    ]);
  });
});

describe('the size that a service is asked for', () => {
  it('is a usual one for what a document needs, where those of the model are not known', async () => {
    assert.deepEqual(await sizesFor('64x64', [], true), ['1024x1024', '64x64']);
    assert.deepEqual(await sizesFor('300x200', [], true), ['1536x1024', '300x200']);
    assert.deepEqual(await sizesFor('90x160', [], true), ['1024x1536', '90x160']);
    assert.deepEqual(await sizesFor('1200x630', [], true), ['1536x1024', '1200x630']);
  });

  it('is the nearest of the model where they are known', async () => {
    assert.deepEqual(await sizesFor('300x200', ['512x512', '768x512'], true), ['768x512', '300x200']);
  });

  it('is that of a person who names one, where those of the model are not known', async () => {
    assert.deepEqual(await sizesFor('2048x1152', [], false), ['2048x1152', '2048x1152']);
  });
});

/** They are as much of the window's as a request without images needs. */
function areServices(value: unknown): value is RequestServices {
  return typeof value === 'object';
}
