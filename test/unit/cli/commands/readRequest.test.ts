import assert from 'node:assert/strict';
import { chmod, mkdir, mkdtemp, readdir, readlink, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileUri } from '../../../../src/common/fileUris.ts';
import { makeTarget, type PaintOptions, readRequest } from '../../../../src/cli/commands/readRequest.ts';
import { type Environment, readEnvironment } from '../../../../src/cli/setup/environment.ts';
import { pngFile } from '../../../support/images/pngFile.ts';
import { notOnWindows } from '../../../support/platform.ts';
import { memoryFolder } from '../../../support/memoryFolder.ts';
import { asOrdinaryUser } from '../../engine/store/ordinaryUser.ts';

/** Returns the files of a folder that this process has open, where the system tells. */
async function openedBelow(folder: string): Promise<string[]> {
  const descriptors = await readdir('/proc/self/fd').catch(() => []);
  const paths = await Promise.all(
    descriptors.map(async (descriptor) => readlink(`/proc/self/fd/${descriptor}`).catch(() => '')),
  );
  return paths.filter((path) => path.startsWith(folder));
}

describe('the request of a command line', () => {
  let folder: string;
  let image: string;
  before(async () => {
    folder = await mkdtemp(join(memoryFolder, 'limner-request-'));
    image = join(folder, 'hero.png');
    await writeFile(image, pngFile({ width: 1, height: 1, bitDepth: 8, colourType: 2, lines: [0, 1, 2, 3] }));
  });
  after(async () => rm(folder, { recursive: true }));

  function environment(variables: Record<string, string> = {}): Environment {
    const usual = {
      LIMNER_BASE_URL: 'https://images.example.com',
      LIMNER_API_KEY: 'key',
      LIMNER_MODEL: 'painter',
    };
    return readEnvironment({ ...usual, LIMNER_HOME: folder, ...variables }, 'linux');
  }

  function options(given: Partial<PaintOptions>): PaintOptions {
    return { n: 1, callStyle: 'auto', folder, name: '{prompt}', ...given };
  }

  it('names the field of its own images for the edit of one, unless the entry of the model says otherwise', async () => {
    const twoGrounds = options({ image: [image, image], twoGrounds: true });
    const plain = await readRequest('both', twoGrounds, environment());
    assert.deepEqual([plain.imageField, plain.onBlack?.imageField], ['image[]', 'image']);
    const models = '[{"id": "painter", "inputs": {"max": 2, "field": "image[]"}}]';
    const listed = await readRequest('both', twoGrounds, environment({ LIMNER_MODELS: models }));
    assert.deepEqual([listed.imageField, listed.onBlack?.imageField], ['image[]', 'image[]']);
  });

  it('is all that was asked for, as the entry of the model has it sent', async () => {
    const entry = {
      id: 'painter',
      callStyle: 'sync',
      sizes: ['64x64', '64x32'],
      inputs: { max: 2, field: 'image[]' },
      extra: { style: 'flat' },
      transparent: { by: 'alpha', extra: { background: 'transparent' } },
      price: { amount: 0.5, currency: 'USD' },
    };
    const target = join(folder, 'new', 'images');
    const { images, mask, ...request } = await readRequest(
      ' a fox ',
      options({
        image: [image],
        mask: image,
        size: '32x18',
        fit: 'pad',
        fill: 'edge',
        quality: 'high',
        n: 3,
        trim: { margin: 5, unit: '%' },
        multiples: 16,
        transparent: true,
        embedPrompt: true,
        folder: target,
        name: '{name}.webp',
        fileQuality: 40,
      }),
      environment({ LIMNER_MODELS: JSON.stringify([entry]) }),
    );
    const uri = fileUri(target);
    assert.deepEqual(request, {
      kind: 'edit',
      prompt: 'a fox',
      model: 'painter',
      family: 'image',
      callStyle: 'sync',
      size: '64x32',
      quality: 'high',
      extra: { style: 'flat', background: 'transparent' },
      imageField: 'image[]',
      n: 3,
      finish: {
        cutout: { by: 'alpha' },
        encoding: { format: 'webp', quality: 40 },
        trim: { margin: 5, unit: '%' },
        size: { width: 32, height: 18 },
        multiples: 16,
        fit: { by: 'pad', fill: 'edge' },
      },
      embedPrompt: true,
      price: { amount: 0.5, currency: 'USD' },
      baseUrl: 'https://images.example.com',
      target: { folder: uri, root: uri, fileName: '{name}.webp' },
    });
    assert.deepEqual([images?.map(({ path }) => path), mask?.path], [[image], image]);
    assert.ok((await stat(target)).isDirectory());
    assert.deepEqual(await openedBelow(folder), []);
  });

  it('is of the second family where a native call is asked for', async () => {
    const native = await readRequest('a fox', options({ callStyle: 'native', size: '9x9' }), environment());
    assert.deepEqual([native.family, native.callStyle, native.size], ['native', 'native', undefined]);
    const set = await readRequest('a fox', options({}), environment({ LIMNER_CALL_STYLE: 'native' }));
    assert.deepEqual([set.family, set.callStyle], ['image', 'async']);
  });

  it('has files of the quality that is good for most, unless another one is asked for', async () => {
    for (const [name, fileQuality, encoding] of [
      ['fox.jpg', undefined, { format: 'jpeg', quality: 90 }],
      ['fox.JPEG', 1, { format: 'jpeg', quality: 1 }],
      ['fox.webp', 100, { format: 'webp', quality: 100 }],
      ['fox.png', 50, { format: 'png' }],
    ] as const) {
      const quality = fileQuality && { fileQuality };
      const { finish } = await readRequest('a fox', options({ name, ...quality }), environment());
      assert.deepEqual(finish?.encoding, encoding);
    }
  });

  /** Returns how the background is made transparent, now and by the task that follows. */
  async function waysOf(
    given: Partial<PaintOptions>,
    variables?: Record<string, string>,
  ): Promise<unknown[]> {
    const request = await readRequest('a fox', options(given), environment(variables));
    return [request.finish?.cutout?.by, request.onBlack?.finish.cutout?.by];
  }

  it('is transparent in the way that is asked for, or else in that of the model', async () => {
    const models = '[{"id": "painter", "transparent": {"by": "grounds"}}]';
    assert.deepEqual(await waysOf({ transparent: true }), ['key', undefined]);
    assert.deepEqual(await waysOf({ transparent: true }, { LIMNER_MODELS: models }), [undefined, 'grounds']);
    assert.deepEqual(await waysOf({ twoGrounds: true }), [undefined, 'grounds']);
    assert.deepEqual(await waysOf({}, { LIMNER_MODELS: models }), [undefined, undefined]);
  });

  const limited = '[{"id": "painter", "maxCount": 2, "inputs": {"max": 1}, "mask": "none"}]';
  const refused: [string, Partial<PaintOptions>, RegExp, string?][] = [
    [
      'more images than a model makes',
      { n: 3 },
      /^painter generates at most 2 images .*"maxCount"/u,
      limited,
    ],
    ['more images than anybody can want', { n: 101 }, /^One run generates at most 100 images\.$/u],
    ['a format that Limner does not write', { name: 'fox.GIF' }, /but the file name asks for \.GIF\.$/u],
    ['a way to fit without a size', { fit: 'crop' }, /^Use --fit with --size\.$/u],
    [
      'a point of what is not cropped',
      { focus: { x: 0, y: 0 }, size: '9x9', fit: 'pad' },
      /^Use --focus with --fit crop\.$/u,
    ],
    [
      'a fill of what is not padded',
      { fill: 'edge', size: '9x9', fit: 'crop' },
      /^Use --fill with --fit pad\.$/u,
    ],
    [
      'a point outside of the image',
      { focus: { x: 2, y: 0 }, size: '9x9', fit: 'crop' },
      /^The focus must lie between/u,
    ],
    ['a quality that there is not', { fileQuality: 101 }, /^The quality must be a whole number/u],
    [
      'more pixels than fit into a file',
      { size: '20000x9', fit: 'crop', name: 'fox.webp' },
      /^20000 × 9 pixels are too many for webp/u,
    ],
    [
      'several images on two backgrounds',
      { twoGrounds: true, n: 2 },
      /^On two backgrounds, images are generated one/u,
    ],
    ['nothing', {}, /^The prompt is empty\.$/u],
  ];
  for (const [what, given, message, models = '[]'] of refused) {
    it(`refuses ${what}, and makes no folder for it`, async () => {
      const target = join(folder, 'never');
      await assert.rejects(
        readRequest(
          what === 'nothing' ? ' \n' : 'a fox',
          options({ folder: target, ...given }),
          environment({ LIMNER_MODELS: models }),
        ),
        { code: 'invalid_request', message, billing: 'no' },
      );
      await assert.rejects(stat(target), { code: 'ENOENT' });
    });
  }

  it('refuses inputs that a model does not take', async () => {
    const settings = environment({ LIMNER_MODELS: limited });
    await assert.rejects(readRequest('a hat', options({ image: [image, image] }), settings), {
      code: 'invalid_request',
      message:
        'painter takes at most 1 input images. If it supports more, set "inputs" in its entry in LIMNER_MODELS.',
    });
    await assert.rejects(readRequest('a hat', options({ image: [image], mask: image }), settings), {
      message: "painter doesn't support masks.",
    });
  });

  it('refuses a mask that is as large as the image, but lies on its side', async () => {
    const [wide, tall] = await Promise.all(
      [
        [2, 1],
        [1, 2],
      ].map(async ([width = 0, height = 0]) => {
        const path = join(folder, `${width}x${height}.png`);
        const lines = Array.from({ length: height }, () => [0, ...Array<number>(3 * width).fill(9)]).flat();
        await writeFile(path, pngFile({ width, height, bitDepth: 8, colourType: 2, lines }));
        return path;
      }),
    );
    assert.ok(wide !== undefined && tall !== undefined);
    await assert.rejects(readRequest('a hat', options({ image: [wide, tall], mask: tall }), environment()), {
      code: 'invalid_request',
      message: `The mask must be the same size as the image: ${tall} is 1 × 2, but ${wide} is 2 × 1.`,
      billing: 'no',
    });
    const { images, mask } = await readRequest(
      'a hat',
      options({ image: [wide, tall], mask: wide }),
      environment(),
    );
    assert.deepEqual([images?.map(({ path }) => path), mask?.path], [[wide, tall], wide]);
  });

  it('says why images cannot be saved where they are wanted', async () => {
    const file = join(folder, 'file');
    await writeFile(file, '');
    await mkdir(join(folder, 'there'), { recursive: true });
    for (const [path, why] of [
      [file, 'a file with that name exists'],
      [join(file, 'below'), 'a file with that name exists'],
      [join(file, 'further', 'below'), 'a file with that name exists'],
      [
        join(folder, 'x'.repeat(300)),
        process.platform === 'win32' ? "a folder can't be created there" : 'ENAMETOOLONG',
      ],
    ] as const) {
      await assert.rejects(readRequest('a fox', options({ folder: path }), environment()), {
        code: 'invalid_request',
        message: `The folder ${path} isn't writable: ${why}.`,
        billing: 'no',
      });
    }
  });

  it('says where nobody may make a folder', { skip: notOnWindows('rights there are no bits') }, async () => {
    await chmod(folder, 0o700);
    const locked = join(folder, 'locked');
    await asOrdinaryUser(async () =>
      assert.rejects(makeTarget(locked), {
        message: `The folder ${locked} isn't writable: permission denied.`,
      }),
    );
  });
});
