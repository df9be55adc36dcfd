import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { Codecs, type Encoding, type Pixels } from '../../../../src/images/finish/codecs.ts';
import { applyOrientation } from '../../../../src/images/codecs/applyOrientation.ts';
import { readOrientation } from '../../../../src/images/formats/animation.ts';
import { describeInput } from '../../../../src/engine/files/taskInput.ts';
import { maskMisfit, type SentMask, sentMask } from '../../../../src/engine/operations/sentMask.ts';
import type { TaskInput } from '../../../../src/engine/task/task.ts';
import { exifBlock, withExif } from '../../../support/images/exifFiles.ts';
import { type Color, differing, paint } from '../../../support/images/pictures.ts';
import { pngFile } from '../../../support/images/pngFile.ts';
import { animatedWebp } from '../../../support/images/specialFiles.ts';
import { memoryFolder } from '../../../support/memoryFolder.ts';

const [width, height] = [24, 16];
const isMarked = (x: number): boolean => x < 8;
const byAlpha = paint(width, height, (x) => [0, 0, 0, isMarked(x) ? 0 : 255]);
const scene = paint(width, height, (x, y) => [x < 12 ? 230 : 40, y < 8 ? 200 : 20, 90, 255]);
const plain = (...colour: Color): Pixels => paint(width, height, () => colour);
const whiteOnBlack = (alpha = 255): Pixels =>
  paint(width, height, (x) => (isMarked(x) ? [255, 255, 255, alpha] : [0, 0, 0, alpha]));

/** Black and white in turn, the first of which may be transparent. */
function palette(transparency: number[]): Uint8Array {
  const line = [0, ...Array.from({ length: width }, (_, x) => x % 2)];
  return pngFile({
    width,
    height,
    bitDepth: 8,
    colourType: 3,
    palette: [0, 0, 0, 255, 255, 255],
    ...(transparency.length > 0 && { transparency }),
    lines: Array.from({ length: height }, () => line).flat(),
  });
}

describe('a mask on its way', () => {
  const codecs = new Codecs();
  let folder: string;
  let count = 0;
  let photo: TaskInput;
  before(async () => {
    folder = await mkdtemp(join(memoryFolder, 'limner-mask-'));
    photo = await input(scene, { format: 'jpeg', quality: 95 });
  });
  after(async () => {
    await codecs.dispose();
    await rm(folder, { recursive: true });
  });

  const newPath = async (name: string): Promise<string> => Promise.resolve(join(folder, `sent ${name}`));

  async function written(bytes: Uint8Array): Promise<TaskInput> {
    const path = join(folder, `${++count}.file`);
    await writeFile(path, bytes);
    return describeInput(path, `memfs:/${count}`, 'mask');
  }

  async function input(
    pixels: Pixels,
    encoding: Encoding = { format: 'png' },
    orientation = 1,
  ): Promise<TaskInput> {
    const file = await codecs.encode(pixels, encoding);
    return written(orientation === 1 ? file : withExif(file, exifBlock(orientation)));
  }

  async function send(
    mask: TaskInput,
    convention?: 'alpha' | 'white' | 'none',
    image = photo,
  ): Promise<Awaited<ReturnType<typeof sentMask>>> {
    const services = { codecs: async () => Promise.resolve(codecs), newPath };
    return sentMask({ image, mask }, convention ? { mask: convention } : {}, services);
  }

  async function sent(...given: Parameters<typeof send>): Promise<SentMask> {
    const result = await send(...given);
    assert.ok(!('problem' in result), JSON.stringify(result));
    return result;
  }

  async function pixelsOf({ path }: TaskInput): Promise<Pixels> {
    return codecs.decode(await readFile(path));
  }

  it('is as it is where the model has no convention', async () => {
    const mask = await input(byAlpha);
    assert.deepEqual(await sent(mask), { image: photo, mask, isTurned: false });
  });

  it('is in the convention of the model, and still the file that was chosen', async () => {
    for (const pixels of [byAlpha, whiteOnBlack(), whiteOnBlack(254)]) {
      const given = await input(pixels);
      for (const [convention, expected] of [
        ['alpha', byAlpha],
        ['white', whiteOnBlack()],
      ] as const) {
        const { image, mask } = await sent(given, convention);
        assert.equal(differing(await pixelsOf(mask), expected), 0);
        assert.deepEqual([image, mask.uri], [photo, given.uri]);
      }
    }
  });

  it('is refused where it marks nothing: by its transparency alone, unless the model has a convention', async () => {
    const masks: [what: string, mask: TaskInput, alone: string, converted: string][] = [
      ['black and white', await input(whiteOnBlack()), 'white on black', 'sent'],
      ['a JPEG file', await input(whiteOnBlack(), { format: 'jpeg', quality: 80 }), 'white on black', 'sent'],
      ['a palette', await written(palette([])), 'white on black', 'sent'],
      ['a palette with transparency', await written(palette([0])), 'sent', 'sent'],
      ['black', await input(plain(0, 0, 0, 255)), 'refused', 'refused'],
      ['a color', await input(plain(250, 20, 20, 255)), 'refused', 'sent'],
      ['almost opaque', await input(plain(0, 0, 0, 254)), 'refused', 'refused'],
      ['slightly transparent', await input(plain(0, 0, 0, 220)), 'sent', 'sent'],
      ['the image itself', photo, 'refused', 'refused'],
    ];
    for (const [what, mask, alone, converted] of masks) {
      for (const [convention, expected] of [
        [undefined, alone],
        ['alpha', converted],
        ['white', converted],
      ] as const) {
        const result = await send(mask, convention);
        const problem = 'problem' in result ? result.problem : undefined;
        assert.equal(problem?.is ?? 'sent', expected === 'sent' ? 'sent' : 'unmarked', what);
        if (problem?.is === 'unmarked') {
          assert.equal(problem.isWhiteOnBlack, expected === 'white on black', what);
          assert.equal(problem.isImage, mask === photo, what);
        }
      }
    }
  });

  it('may mark everything, which is told', async () => {
    assert.equal((await sent(await input(plain(0, 0, 0, 0)))).isAll, 'transparent');
    assert.equal((await sent(await input(plain(255, 255, 255, 255)), 'white')).isAll, 'white');
  });

  for (const [format, encoding] of [
    ['png', { format: 'png' }],
    ['jpg', { format: 'jpeg', quality: 95 }],
    ['webp', { format: 'webp', lossless: true }],
  ] as const) {
    it(`goes with an upright image of the same format (${format})`, async () => {
      for (const orientation of [2, 3, 4, 5, 6, 7, 8] as const) {
        const image = await input(scene, encoding, orientation);
        const upright = applyOrientation(scene, orientation);
        const mask = await input(
          paint(upright.width, upright.height, (x) => [0, 0, 0, isMarked(x) ? 0 : 255]),
        );
        const { image: turned, isTurned, mask: same } = await sent(mask, undefined, image);
        assert.deepEqual(
          [isTurned, turned.uri, turned.mediaType, same],
          [true, image.uri, image.mediaType, mask],
        );
        assert.equal(await readOrientation(await readFile(turned.path)), 1);
        const { width: across, height: down, rgba } = await pixelsOf(turned);
        assert.deepEqual([across, down], [upright.width, upright.height]);
        const most = format === 'jpg' ? 24 : 0;
        assert.ok(rgba.every((value, at) => Math.abs(value - (upright.rgba[at] ?? 0)) <= most));
      }
    });
  }

  it('is upright itself', async () => {
    const mask = await input(applyOrientation(byAlpha, 8), { format: 'png' }, 6);
    const { mask: turned, isTurned } = await sent(mask);
    assert.equal(differing(await pixelsOf(turned), byAlpha), 0);
    assert.equal(isTurned, false);
  });

  it('is refused in the size that the image is stored in, where people see another one', async () => {
    const image = await input(scene, { format: 'png' }, 6);
    const inputs = { image, mask: await input(byAlpha) };
    const problem = await maskMisfit(inputs);
    assert.ok(problem?.is === 'otherSize');
    assert.deepEqual(problem.image.seen, { width: height, height: width });
    assert.deepEqual([problem.image.stored, problem.mask.stored], [{ width, height }, undefined]);
    assert.deepEqual(await send(inputs.mask, undefined, image), { problem });
  });

  it('is refused where it or a turned image cannot be read', async () => {
    const torn = pngFile({ width, height, bitDepth: 8, colourType: 6, lines: [0, 1, 2] });
    const path = join(folder, 'torn.png');
    await writeFile(path, torn);
    const mask = { ...(await input(byAlpha)), path };
    assert.deepEqual(await send(mask, 'white'), { problem: { is: 'unreadable' } });
    const frames = await animatedWebp(width, height);
    const image = await written(withExif(frames, exifBlock(3)));
    assert.deepEqual(await send(await input(byAlpha), undefined, image), {
      problem: { is: 'unturnable', why: 'animated' },
    });
  });

  it('is only checked for a preview', async () => {
    const image = await input(scene, { format: 'png' }, 3);
    const mask = await input(byAlpha);
    const services = { codecs: async () => Promise.resolve(codecs) };
    assert.deepEqual(await sentMask({ image, mask }, { mask: 'white' }, services), {
      image,
      mask,
      isTurned: true,
    });
  });
});
