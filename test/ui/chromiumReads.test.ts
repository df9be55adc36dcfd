import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { encodeMaskPng } from '../../src/studio/maskPixels/encodeMaskPng.ts';
import { blankMask, copyRow } from '../../src/studio/maskPixels/maskPixels.ts';
import { drawn } from '../../src/studio/maskPixels/operation.ts';
import { startDemoService } from '../../src/demo/endpoints/demoService.ts';
import { Codecs, type Encoding, type Pixels } from '../../src/images/finish/codecs.ts';
import { withProfile } from '../../src/images/codecs/colorProfile.ts';
import { launchChromium } from '../host/fetch/chromium.ts';
import { readBySharp } from '../readers/images.ts';
import { profileOfLength } from '../readers/metadata.ts';
import { imagesOf } from '../support/demo/demoClient.ts';
import { assertPixels, paint, pictureOf, type Recipe } from '../support/images/pictures.ts';
import { exifBlock, withExif } from '../support/images/exifFiles.ts';

const png: Encoding = { format: 'png' };
const lossless: Encoding = { format: 'webp', lossless: true };
const lossy: Encoding[] = [
  { format: 'jpeg', quality: 90 },
  { format: 'webp', quality: 90 },
];

/** Single pixels, strips and odd sizes. */
const sizes = [
  { width: 1, height: 1 },
  { width: 1, height: 999 },
  { width: 5000, height: 3 },
  { width: 3, height: 5000 },
  { width: 67, height: 41 },
];

void describe('what Limner writes, read by Chromium', () => {
  const codecs = new Codecs();
  let browser: Browser;
  let page: Page;

  before(async () => {
    browser = await launchChromium();
    page = await browser.newPage();
  });
  after(async () => {
    await codecs.dispose();
    await browser?.close();
  });

  /**
   * The pixels of a file as a canvas shows them, where colors have been multiplied by their alpha, and whether an
   * element for images takes the file as well.
   */
  async function read(file: Uint8Array): Promise<Pixels> {
    const { width, height, base64 } = await page.evaluate(async (text) => {
      const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
      const blob = new Blob([bytes]);
      const element = new Image();
      element.src = URL.createObjectURL(blob);
      await element.decode();
      const bitmap = await createImageBitmap(blob, { colorSpaceConversion: 'none' });
      if (element.naturalWidth !== bitmap.width || element.naturalHeight !== bitmap.height) {
        throw new Error('An element and a bitmap have different sizes.');
      }
      const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
      const context = canvas.getContext('2d', { willReadFrequently: true });
      context?.drawImage(bitmap, 0, 0);
      const data = context?.getImageData(0, 0, bitmap.width, bitmap.height).data ?? [];
      const letters = Array.from(data, (level) => String.fromCharCode(level)).join('');
      return { width: bitmap.width, height: bitmap.height, base64: btoa(letters) };
    }, Buffer.from(file).toString('base64'));
    return { width, height, rgba: new Uint8Array(Buffer.from(base64, 'base64')) };
  }

  const recipes = sizes.flatMap((size, seed) =>
    (['gradient', 'opaque noise', 'noise', 'half', 'unseen'] as const).map((content): Recipe => ({
      content,
      size,
      seed,
    })),
  );

  void it('refuses a PNG with a wrong checksum, and files that break off', async () => {
    const file = Buffer.from(
      await codecs.encode(
        paint(40, 40, (x, y) => [x, y, x ^ y, 255]),
        png,
      ),
    );
    const wrong = Buffer.from(file);
    // The checksum of the pixels stands before the end, which has twelve bytes.
    wrong[file.length - 16] = (file[file.length - 16] ?? 0) ^ 1;
    assertPixels(await read(file), await readBySharp(file));
    await assert.rejects(read(wrong), /decod/u);
    await assert.rejects(read(file.subarray(0, 40)), /decod/u);
  });

  for (const encoding of [png, lossless]) {
    void it(`has every pixel of lossless ${encoding.format}, with a profile and without one`, async () => {
      const profile = await profileOfLength(501);
      for (const recipe of recipes) {
        const pixels = pictureOf(recipe);
        const file = await codecs.encode(pixels, encoding);
        for (const each of [file, withProfile(file, profile)]) {
          assertShown(await read(each), pixels);
        }
      }
    });
  }

  for (const encoding of lossy) {
    void it(`sees in a lossy ${encoding.format} what another decoder sees`, async () => {
      const profile = await profileOfLength(70_001);
      for (const recipe of recipes) {
        const file = await codecs.encode(pictureOf(recipe), encoding);
        for (const each of [file, withProfile(file, profile)]) {
          assertShown(await read(each), await readBySharp(file), 4);
        }
      }
    });
  }

  void it('sees what is made of a picture, and turns none a second time', async () => {
    for (const encoding of [png, lossless, ...lossy]) {
      const picture = pictureOf({ content: 'gradient', size: { width: 60, height: 31 }, seed: 7 });
      const plain = withProfile(await codecs.encode(picture, encoding), await profileOfLength(3001));
      const file = withExif(plain, exifBlock(6));
      const mask = await codecs.encode(
        paint(31, 60, (x) => [0, 0, 0, x < 12 ? 0 : 255]),
        png,
      );
      const output = await codecs.encode(
        paint(31, 60, (x, y) => [x, y, 90, 255]),
        png,
      );
      const kept = await codecs.compositeMasked({ output, original: file, mask });
      assert.ok(kept.kept);
      const { bytes: fitted } = await codecs.finish(file, { size: { width: 33, height: 35 } });
      const made = [
        kept.bytes,
        await codecs.upright(file),
        fitted,
        await codecs.convertMask(mask, 'alpha'),
        await codecs.convertMask(mask, 'white'),
      ];
      for (const each of made) {
        assertShown(await read(each), await readBySharp(each), encoding.format === 'jpeg' ? 4 : 0);
      }
    }
  });

  void it('sees the mask that the studio writes, as it was drawn', async () => {
    for (const size of [...sizes, { width: 640, height: 480 }]) {
      const points = [0, 0, 1, size.width, size.height, 1];
      const stroke = { kind: 'stroke', mode: 'add', size: 90, hardness: 0.2, points } as const;
      const mask = drawn(blankMask(size), { ...stroke, points });
      const file = await encodeMaskPng(mask);
      const row = new Uint8Array(size.width);
      const rows = Array.from({ length: size.height }, (_, y) => {
        copyRow(mask, y, row);
        return Uint8Array.from(row);
      });
      assertShown(
        await read(file),
        paint(size.width, size.height, (x, y) => [0, 0, 0, 255 - (rows[y]?.[x] ?? 0)]),
      );
    }
  });

  void it('sees the pictures of the demo service', async () => {
    await using demo = await startDemoService({ syncDuration: 0 }).then((service) => ({
      baseUrl: service.baseUrl,
      [Symbol.asyncDispose]: () => service.dispose(),
    }));
    for (const format of ['png', 'jpeg', 'webp']) {
      const response = await fetch(`${demo.baseUrl}/v1/images/generations`, {
        method: 'POST',
        headers: { authorization: 'Bearer demo-key-ada', 'content-type': 'application/json' },
        body: JSON.stringify({
          model: 'demo-painter',
          prompt: 'a fox',
          size: '97x64',
          output_format: format,
        }),
      });
      const [image] = await imagesOf(response);
      assert.ok(image);
      assertShown(await read(image), await readBySharp(image), format === 'png' ? 0 : 4);
    }
  });
});

/**
 * Asserts that a canvas shows these pixels: opaque ones exactly, others as far as their colors are kept when they are
 * multiplied by their alpha.
 */
function assertShown(shown: Pixels, pixels: Pixels, slack = 0): void {
  assert.deepEqual([shown.width, shown.height], [pixels.width, pixels.height]);
  const off = pixels.rgba.findIndex((level, at) => {
    const alpha = pixels.rgba[at | 3] ?? 0;
    const error = Math.abs((shown.rgba[at] ?? 0) - level);
    const rounding = at % 4 === 3 || alpha === 255 ? 0 : alpha === 0 ? 255 : Math.ceil(255 / alpha);
    return error > slack + rounding;
  });
  assert.equal(off, -1, `byte ${off} is ${shown.rgba[off]}, not ${pixels.rgba[off]}`);
}
