import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { CodecError, Codecs, type Encoding, type Pixels } from '../../../../src/images/finish/codecs.ts';
import { withProfile } from '../../../../src/images/codecs/colorProfile.ts';
import type { Finished } from '../../../../src/images/finish/finish.ts';
import type { Finish } from '../../../../src/images/formats/finish.ts';
import { readByPngjs, readBySharp, readUprightBySharp } from '../../../readers/images.ts';
import { profileOfLength, readProfile } from '../../../readers/metadata.ts';
import { exifBlock, withExif } from '../../../support/images/exifFiles.ts';
import { assertPixels, colorAt, paint } from '../../../support/images/pictures.ts';
import { pngChunk, pngFile } from '../../../support/images/pngFile.ts';
import {
  animatedPng,
  animatedWebp,
  cmykJpeg,
  twelveBitJpeg,
  withCredentials,
  withPngChunks,
} from '../../../support/images/specialFiles.ts';

const png: Encoding = { format: 'png' };
const lossless: Encoding = { format: 'webp', lossless: true };
const jpeg: Encoding = { format: 'jpeg', quality: 95 };

const provenance = { prompt: 'a', model: 'b', at: 0, source: 'trainedAlgorithmicMedia' } as const;

/** Not square; every pixel has another color. */
const drawn = paint(60, 40, (x, y) => [x * 4, y * 6, (x + y) * 2, 255]);
/** A disc with a soft edge, around which all is transparent. */
const disc = paint(60, 40, (x, y) => [
  200,
  90,
  40,
  Math.max(0, Math.min(255, (9 - Math.hypot(x - 20, y - 15)) * 128)),
]);

/** Draws a solid disc on a gray. */
function solidOn(gray: number): Pixels {
  return paint(60, 40, (x, y) =>
    Math.hypot(x - 30, y - 20) < 14 ? [220, 90, 40, 255] : [gray, gray, gray, 255],
  );
}

describe('finish', () => {
  const codecs = new Codecs();
  after(() => codecs.dispose());

  async function finished(
    pixels: Pixels,
    how: Finish,
  ): Promise<{ facts: Omit<Finished, 'bytes'>; pixels: Pixels }> {
    const { bytes, ...facts } = await codecs.finish(await codecs.encode(pixels, png), how);
    return { facts, pixels: await readBySharp(bytes) };
  }

  describe('crops', () => {
    it('to the middle, without another word', async () => {
      const { pixels, facts } = await finished(drawn, { size: { width: 24, height: 40 } });
      assertPixels(pixels, part(drawn, 18, 0, 24, 40));
      assert.deepEqual(facts, {
        mediaType: 'image/png',
        got: { width: 60, height: 40 },
        size: { width: 24, height: 40 },
      });
    });

    it('around the point that was chosen, but never beyond the edge', async () => {
      for (const [x, y, left] of [
        [0, 0, 0],
        [0.3, 0.9, 6],
        [1, 0.5, 36],
      ] as const) {
        const fit = { by: 'crop', focus: { x, y } } as const;
        const { pixels } = await finished(drawn, { size: { width: 24, height: 40 }, fit });
        assertPixels(pixels, part(drawn, left, 0, 24, 40));
      }
    });

    it('what is too high, too, and scales what is too small or too large', async () => {
      for (const [width, height, scaled] of [
        [30, 30, 'down'],
        [120, 20, 'up'],
        [60, 20, undefined],
      ] as const) {
        const { pixels, facts } = await finished(drawn, { size: { width, height } });
        assert.deepEqual([pixels.width, pixels.height, facts.scaled], [width, height, scaled]);
        const [red = 0, green = 0] = colorAt(pixels, width / 2, height / 2);
        assert.ok(Math.abs(red - 120) <= 6 && Math.abs(green - 120) <= 6, 'the middle stays in the middle');
      }
    });
  });

  describe('pads', () => {
    it('with nothing, a color, or the edge itself', async () => {
      // 60 × 40 becomes 70 × 46.67, and lies 7 below the top.
      for (const [fill, above] of [
        ['transparent', () => [0, 0, 0, 0]],
        ['#102030', () => [16, 32, 48, 255]],
        ['edge', (x: number, pixels: Pixels) => colorAt(pixels, x, 7)],
      ] as const) {
        const { pixels, facts } = await finished(drawn, padded(fill));
        assert.deepEqual([pixels.width, pixels.height, facts.scaled], [70, 61, 'up']);
        for (const x of [0, 33, 69]) {
          assert.deepEqual(colorAt(pixels, x, 0), above(x, pixels), `${fill} at ${x}`);
          assert.deepEqual(colorAt(pixels, x, 6), above(x, pixels), `${fill} at ${x}`);
          assert.equal(colorAt(pixels, x, 7)[3], 255);
          assert.equal(colorAt(pixels, x, 53)[3], 255);
        }
        assert.equal(colorAt(pixels, 9, 54)[3], fill === 'transparent' ? 0 : 255);
      }
    });

    it('with a color that lies under the picture, too', async () => {
      const half = paint(10, 10, () => [255, 0, 0, 128]);
      const { pixels, facts } = await finished(half, padded('#102030', 20, 10));
      assert.deepEqual(colorAt(pixels, 0, 0), [16, 32, 48, 255]);
      assert.deepEqual(colorAt(pixels, 10, 5), [136, 16, 24, 255]);
      assert.equal(facts.flattened, undefined, 'it was asked for');
    });

    it('in JPEG with white, and says so', async () => {
      const { pixels, facts } = await finished(drawn, { ...padded('transparent'), encoding: jpeg });
      assert.equal(facts.flattened, '#ffffff');
      assertPixels(
        part(pixels, 0, 0, 70, 5),
        paint(70, 5, () => [255, 255, 255, 255]),
        3,
      );
    });
  });

  it('stretches', async () => {
    const quarters = paint(40, 40, (x, y) => [x < 20 ? 0 : 250, y < 20 ? 0 : 250, 0, 255]);
    const { pixels, facts } = await finished(quarters, {
      size: { width: 80, height: 20 },
      fit: { by: 'stretch' },
    });
    assert.deepEqual([pixels.width, pixels.height, facts.scaled], [80, 20, 'up']);
    assert.deepEqual(
      [
        [3, 3],
        [76, 3],
        [3, 16],
        [76, 16],
      ].map(([x = 0, y = 0]) => colorAt(pixels, x, y).slice(0, 2)),
      [
        [0, 0],
        [250, 0],
        [0, 250],
        [250, 250],
      ],
    );
  });

  describe('rounds sizes up', () => {
    it('and fills what is missing without scaling, where it pads', async () => {
      const { pixels, facts } = await finished(drawn, {
        multiples: 'powerOfTwo',
        fit: { by: 'pad', fill: 'transparent' },
      });
      assert.deepEqual([pixels.width, pixels.height, facts.scaled], [64, 64, undefined]);
      assertPixels(part(pixels, 2, 12, 60, 40), drawn);
      assert.equal(colorAt(pixels, 1, 20)[3], 0);
    });

    it('or scales, where it crops or stretches', async () => {
      for (const by of ['crop', 'stretch'] as const) {
        const { facts } = await finished(drawn, { multiples: 16, fit: { by } });
        assert.deepEqual([facts.size, facts.scaled], [{ width: 64, height: 48 }, 'up']);
      }
    });
  });

  describe('trims', () => {
    // What is seen of the disc goes from 12 to 28, and from 7 to 23.
    const [left, top, side] = [12, 7, 17];

    it('to what is seen, with a margin in pixels around it', async () => {
      for (const margin of [0, 5]) {
        const { pixels, facts } = await finished(disc, { trim: { unit: 'px', margin } });
        assert.deepEqual(facts.size, { width: side + 2 * margin, height: side + 2 * margin });
        assertPixels(part(pixels, margin, margin, side, side), part(disc, left, top, side, side));
        assert.equal(margin > 0 && colorAt(pixels, margin - 1, margin + 8)[3] !== 0, false);
      }
    });

    it('with a margin in percent of the finished picture', async () => {
      // 17 are 70 percent of 24.3.
      const { facts } = await finished(disc, { trim: { unit: '%', margin: 15 } });
      assert.deepEqual(facts.size, { width: 25, height: 25 });
    });

    it('into the size that was asked for, of which the margin is a part', async () => {
      for (const trim of [
        { unit: 'px', margin: 20 },
        { unit: '%', margin: 20 },
      ] as const) {
        const { pixels } = await finished(disc, {
          trim,
          size: { width: 160, height: 100 },
          fit: { by: 'pad', fill: 'transparent' },
        });
        const { width, height, ...seen } = boundsOf(pixels);
        assert.deepEqual([pixels.width, pixels.height], [160, 100]);
        for (const [length, expected] of [
          [width, 60],
          [height, 60],
          [seen.left, 50],
          [seen.top, 20],
        ] as const) {
          assert.ok(Math.abs(length - expected) <= 2, `${length}, not ${expected}`);
        }
      }
    });

    it('and puts what is seen in the middle of a picture that is as large already', async () => {
      const size = { width: 60, height: 40 };
      for (const [left, top] of [
        [20, 3],
        [7, 10],
      ] as const) {
        const isSeen = (x: number, y: number): boolean =>
          x >= left && x < left + 20 && y >= top && y < top + 20;
        const { pixels } = await finished(
          paint(60, 40, (x, y) => [9, 9, 9, isSeen(x, y) ? 255 : 0]),
          { trim: { unit: 'px', margin: 10 }, size, fit: { by: 'pad', fill: 'transparent' } },
        );
        assert.deepEqual(boundsOf(pixels), { left: 20, top: 10, width: 20, height: 20 });
      }
    });

    it('nothing where nothing is transparent, or all is, and says so', async () => {
      const empty = paint(12, 10, () => [255, 0, 0, 0]);
      for (const [pixels, untrimmed] of [
        [drawn, 'opaque'],
        [empty, 'empty'],
      ] as const) {
        const { facts } = await finished(pixels, { trim: { unit: 'px', margin: 4 } });
        const size = { width: pixels.width, height: pixels.height };
        assert.deepEqual(facts, {
          mediaType: 'image/png',
          got: size,
          size,
          untouched: 'nothingToDo',
          untrimmed,
        });
      }
    });

    it('before it crops around a point of the whole picture', async () => {
      const two = paint(60, 20, (x) => [x, 0, 0, x < 10 || x >= 50 ? 0 : 255]);
      const { pixels } = await finished(two, {
        trim: { unit: 'px', margin: 0 },
        size: { width: 20, height: 20 },
        fit: { by: 'crop', focus: { x: 0.5, y: 0.5 } },
      });
      assertPixels(pixels, part(two, 20, 0, 20, 20));
    });
  });

  describe('scales', () => {
    it('in linear light: black and white in turn become the gray that the eye sees', async () => {
      const chequers = paint(128, 96, (x, y) => ((x + y) % 2 === 0 ? [255, 255, 255, 255] : [0, 0, 0, 255]));
      for (const encoding of [png, lossless]) {
        const { pixels, facts } = await finished(chequers, { encoding, size: { width: 64, height: 48 } });
        assert.equal(facts.scaled, 'down');
        assertPixels(
          pixels,
          paint(64, 48, () => [188, 188, 188, 255]),
          2,
        );
      }
    });

    it('flat colors to the very same colors, whatever their opacity', async () => {
      for (let level = 0; level < 256; level += 51) {
        for (const alpha of [255, 7]) {
          const color = [level, 255 - level, (level * 7) & 255, alpha] as const;
          for (const [width, height] of [
            [3, 5],
            [20, 9],
          ] as const) {
            const flat = paint(7, 6, () => color);
            const { pixels } = await finished(flat, { size: { width, height }, fit: { by: 'stretch' } });
            assertPixels(
              pixels,
              paint(width, height, () => color),
            );
          }
        }
      }
    });

    it('no color out of what is transparent', async () => {
      const halves = paint(64, 64, (x) => (x < 32 ? [255, 0, 0, 0] : [0, 0, 255, 255]));
      const { pixels } = await finished(halves, { size: { width: 21, height: 21 } });
      for (let x = 0; x < 21; x++) {
        const [red, , , alpha = 0] = colorAt(pixels, x, 10);
        assert.ok(alpha === 0 || red === 0, `red ${red} at ${x}`);
      }
    });
  });

  describe('applies the orientation', () => {
    const encodings: Encoding[] = [png, lossless, jpeg];
    for (const encoding of encodings) {
      it(`of a ${encoding.format} once, so that it looks as other programs show it`, async () => {
        const plain = await codecs.encode(drawn, encoding);
        for (let orientation = 1; orientation <= 8; orientation++) {
          const file = withExif(plain, exifBlock(orientation));
          const seen = await readUprightBySharp(file);
          const to = await codecs.finish(file, { encoding: encoding === png ? lossless : png });
          assert.deepEqual(to.got, { width: seen.width, height: seen.height });
          assertPixels(await readBySharp(to.bytes), seen, encoding === jpeg ? 4 : 0);
          assertPixels(await readUprightBySharp(to.bytes), seen, encoding === jpeg ? 4 : 0);
          const size = { width: 20, height: 30 };
          const left = await codecs.finish(file, {
            encoding: png,
            size,
            fit: { by: 'crop', focus: { x: 0, y: 0 } },
          });
          const scaled = await codecs.finish(to.bytes, {
            encoding: png,
            size,
            fit: { by: 'crop', focus: { x: 0, y: 0 } },
          });
          assertPixels(readByPngjs(left.bytes), readByPngjs(scaled.bytes));
        }
      });
    }

    it('even if nothing else is to be done, except to JPEG, of which all programs apply it', async () => {
      for (const encoding of encodings) {
        const file = withExif(await codecs.encode(drawn, encoding), exifBlock(6));
        const { bytes, untouched, size } = await codecs.finish(file, { size: { width: 40, height: 60 } });
        assert.deepEqual(size, { width: 40, height: 60 });
        assert.equal(untouched, encoding === jpeg ? 'nothingToDo' : undefined);
        assertPixels(await readUprightBySharp(bytes), await readUprightBySharp(file));
      }
    });
  });

  describe('loses transparency only', () => {
    it('to a format without it, and says onto which color', async () => {
      const glass = paint(32, 16, (x) => [0, 0, 0, x < 16 ? 0 : 128]);
      const { pixels, facts } = await finished(glass, { encoding: jpeg });
      assert.deepEqual([facts.mediaType, facts.flattened], ['image/jpeg', '#ffffff']);
      assertPixels(
        part(pixels, 0, 0, 8, 16),
        paint(8, 16, () => [255, 255, 255, 255]),
        3,
      );
      assertPixels(
        part(pixels, 24, 0, 8, 16),
        paint(8, 16, () => [127, 127, 127, 255]),
        3,
      );
    });

    it('if there is any', async () => {
      assert.equal((await finished(drawn, { encoding: jpeg })).facts.flattened, undefined);
      assert.equal((await finished(disc, { encoding: lossless })).facts.flattened, undefined);
    });
  });

  describe('leaves as it is', () => {
    const all: Finish = {
      encoding: jpeg,
      size: { width: 5, height: 5 },
      trim: { unit: 'px', margin: 1 },
      multiples: 16,
    };

    it('what moves, has deeper pixels, or has the colors of printing, of which the last two cannot be decoded', async () => {
      const lines = [0, 1, 2, 3, 4, 5, 6];
      for (const [file, why] of [
        [animatedPng(await codecs.encode(drawn, png)), 'animated'],
        [await animatedWebp(60, 40), 'animated'],
        [pngFile({ width: 1, height: 1, bitDepth: 16, colourType: 2, lines }), '16bit'],
        [twelveBitJpeg(await codecs.encode(drawn, jpeg)), '12bit'],
        [await cmykJpeg(60, 40, { progressive: true }), 'cmyk'],
      ] as const) {
        const { bytes, untouched } = await codecs.finish(file, all, { provenance });
        assert.equal(untouched, why);
        assert.ok(file.equals(bytes));
        if (why === '12bit' || why === 'cmyk') {
          await assert.rejects(codecs.decode(file), why === 'cmyk' ? /CMYK/u : /12 bits/u);
        }
      }
    });

    it('what already is as it is wanted, byte by byte', async () => {
      for (const [encoding, how] of [
        [png, {}],
        [png, { encoding: png, size: { width: 60, height: 40 }, fit: { by: 'stretch' } }],
        [jpeg, { encoding: { format: 'jpeg', quality: 20 } }],
        [lossless, { encoding: lossless, size: { width: 60, height: 40 }, fit: { by: 'pad', fill: 'edge' } }],
        [png, { fit: { by: 'pad', fill: '#123456' } }],
      ] as const satisfies [Encoding, Finish][]) {
        const file = Buffer.from(withCredentials(await codecs.encode(drawn, encoding)));
        const { bytes, ...facts } = await codecs.finish(file, how);
        const size = { width: 60, height: 40 };
        const mediaType = `image/${encoding.format}`;
        assert.deepEqual(facts, { mediaType, got: size, size, untouched: 'nothingToDo' });
        assert.ok(file.equals(bytes));
      }
    });
  });

  it('leaves a picture alone whose background cannot be removed, in its own format', async () => {
    const busy = paint(60, 40, (x, y) => [(x * 37 + y * 91) % 256, (x * 113) % 256, (y * 59) % 256, 255]);
    const flat = paint(60, 40, () => [0, 200, 40, 255]);
    for (const pixels of [busy, flat]) {
      for (const encoding of [png, jpeg, lossless]) {
        const file = Buffer.from(withCredentials(await codecs.encode(pixels, encoding)));
        const { bytes, untouched, cutout, lostCredentials } = await codecs.finish(file, {
          cutout: { by: 'key' },
        });
        assert.deepEqual([untouched, cutout?.verdict, lostCredentials], ['nothingToDo', 'bad', undefined]);
        assert.ok(file.equals(bytes));
      }
    }
    const half = await codecs.finish(await codecs.encode(flat, png), {
      cutout: { by: 'key' },
      size: { width: 30, height: 20 },
    });
    const small = await codecs.decode(half.bytes);
    assert.deepEqual([half.cutout?.verdict, colorOf(small, 15, 10)], ['bad', [0, 200, 40, 255]]);
  });

  it('keeps the colors of the picture on white, whose pixels are used, and says where the other one means others', async () => {
    const [onWhite, onBlack] = [await codecs.encode(solidOn(255), png), await codecs.encode(solidOn(0), png)];
    const profile = await profileOfLength(3144);
    for (const [white, black, isTold] of [
      [withProfile(onWhite, profile), onBlack, true],
      [onWhite, withProfile(onBlack, profile), true],
      [withProfile(onWhite, profile), withProfile(onBlack, profile), false],
    ] as const) {
      const { bytes, cutout } = await codecs.finish(black, { cutout: { by: 'grounds' } }, { onWhite: white });
      assert.deepEqual(await readProfile(bytes), await readProfile(white));
      assert.equal(cutout?.verdict, isTold ? 'doubtful' : 'good');
      assert.equal(/color profiles/u.test(JSON.stringify(cutout?.reasons)), isTold);
      assert.deepEqual(colorAt(await codecs.decode(bytes), 30, 20), [220, 90, 40, 255]);
    }
  });

  it('turns no picture that only gets its provenance', async () => {
    const file = withExif(await codecs.encode(drawn, png), exifBlock(6));
    const { bytes, embedded } = await codecs.finish(file, {}, { provenance });
    assert.equal(embedded, true);
    assertPixels(await codecs.decode(bytes), drawn);
  });

  describe('tells that it lost', () => {
    it('colors that the format cannot express', async () => {
      const gamma = Buffer.alloc(4);
      gamma.writeUInt32BE(100_000);
      const file = withPngChunks(await codecs.encode(drawn, png), pngChunk('gAMA', gamma));
      assert.equal((await codecs.finish(file, { encoding: lossless })).lostColours, true);
      const size = { width: 30, height: 20 };
      const kept = await codecs.finish(file, { size });
      assert.equal(kept.lostColours, undefined);
      assert.ok(Buffer.from(kept.bytes).includes('gAMA'));
    });

    it('Content Credentials', async () => {
      for (const encoding of [png, jpeg, lossless]) {
        const plain = await codecs.encode(drawn, encoding);
        const how: Finish = { size: { width: 9, height: 9 } };
        assert.equal((await codecs.finish(withCredentials(plain), how)).lostCredentials, true);
        assert.equal((await codecs.finish(plain, how)).lostCredentials, undefined);
      }
    });
  });

  it('refuses what cannot be: no picture, too many pixels, no room', async () => {
    const file = await codecs.encode(disc, png);
    const pad = { by: 'pad', fill: 'transparent' } as const;
    for (const [bytes, how, words] of [
      [Buffer.from('<svg/>'), {}, /isn't a PNG/u],
      [file.subarray(0, 100), { encoding: jpeg }, /damaged/u],
      [(await codecs.encode(disc, jpeg)).subarray(0, -40), { encoding: lossless }, /damaged.*too early/u],
      [file.subarray(0, -20), {}, /damaged.*too early/u],
      [file, { encoding: lossless, size: { width: 16_384, height: 1 } }, /16383 in width/u],
      [file, { trim: { unit: 'px', margin: 6000 } }, /more than 100 megapixels/u],
      [file, { trim: { unit: 'px', margin: 10 }, size: { width: 20, height: 30 }, fit: pad }, /no room/u],
    ] as const satisfies [Uint8Array, Finish, RegExp][]) {
      await assert.rejects(
        codecs.finish(bytes, how),
        (error) => error instanceof CodecError && words.test(error.message),
      );
    }
  });

  it('writes large pictures, too, in every format', async () => {
    const [width, height] = [2600, 2400];
    const glass = { width, height, rgba: new Uint8Array(width * height * 4) };
    const opaque = { width, height, rgba: new Uint8Array(width * height * 4) };
    for (let at = 0; at < glass.rgba.length; at++) {
      glass.rgba[at] = at >> 17;
      opaque.rgba[at] = at % 4 === 3 ? 255 : at >> 17;
    }
    for (const [pixels, encoding, slack] of [
      [glass, lossless, 0],
      [opaque, jpeg, 4],
      [opaque, { format: 'webp', quality: 95 }, 12],
    ] as const) {
      const file = await codecs.encode(pixels, png);
      assert.ok(Buffer.from(pixels.rgba).equals((await readBySharp(file)).rgba), 'PNG');
      const read = await readBySharp((await codecs.finish(file, { encoding })).bytes);
      let off = 0;
      for (let at = 0; at < read.rgba.length; at++) {
        off = Math.max(off, Math.abs((read.rgba[at] ?? 0) - (pixels.rgba[at] ?? 0)));
      }
      assert.ok(off <= slack, `${encoding.format} is ${off} off`);
    }
  });
});

/** Returns a step that pads a picture to a size. */
function padded(fill: 'transparent' | 'edge' | '#102030', width = 70, height = 61): Finish {
  return { size: { width, height }, fit: { by: 'pad', fill } };
}

function colorOf(pixels: Pixels, x: number, y: number): [number, number, number, number] {
  const [red = 0, green = 0, blue = 0, alpha = 0] = colorAt(pixels, x, y);
  return [red, green, blue, alpha];
}

function part(pixels: Pixels, left: number, top: number, width: number, height: number): Pixels {
  return paint(width, height, (x, y) => colorOf(pixels, left + x, top + y));
}

/** Returns where a picture is not transparent. */
function boundsOf(pixels: Pixels): { left: number; top: number; width: number; height: number } {
  const seen = [...Array(pixels.width * pixels.height).keys()].filter(
    (at) => (pixels.rgba[4 * at + 3] ?? 0) > 4,
  );
  const columns = seen.map((at) => at % pixels.width);
  const rows = seen.map((at) => Math.floor(at / pixels.width));
  const [left, top] = [Math.min(...columns), Math.min(...rows)];
  return { left, top, width: Math.max(...columns) - left + 1, height: Math.max(...rows) - top + 1 };
}
