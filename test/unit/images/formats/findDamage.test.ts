import assert from 'node:assert/strict';
import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { deflateSync, inflateSync } from 'node:zlib';
import * as fc from 'fast-check';
import { PNG } from 'pngjs';
import sharp, { type Sharp } from 'sharp';
import { Codecs } from '../../../../src/images/finish/codecs.ts';
import type { DamageKind } from '../../../../src/images/formats/damage.ts';
import { findDamage, findPngFlaw } from '../../../../src/images/formats/findDamage.ts';
import { exifBlock, withExif } from '../../../support/images/exifFiles.ts';
import { jpegSegment } from '../../../support/images/jpegFile.ts';
import { pngChunk } from '../../../support/images/pngFile.ts';
import { riffChunk, webpOf } from '../../../support/images/webpFile.ts';
import {
  damagedPngs,
  kinds,
  patched,
  piecesOf,
  pngOf,
  validPngs,
} from '../../../support/images/damagedFiles.ts';
import { sharpTakes } from '../../../support/images/strictDecoders.ts';

const picture = (): Sharp =>
  sharp(
    Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg" width="61" height="40"><rect width="61" height="40" fill="#a73"/><circle cx="20" cy="20" r="15" fill="blue"/></svg>',
    ),
  ).flatten();

const flat = (): Sharp => sharp({ create: { width: 3, height: 2, channels: 3, background: '#123' } });

async function animated(alpha = 1): Promise<Buffer> {
  const frames = await Promise.all([
    picture().ensureAlpha(alpha).png().toBuffer(),
    picture().negate({ alpha: false }).ensureAlpha(alpha).png().toBuffer(),
  ]);
  return sharp(frames, { join: { animated: true } })
    .webp()
    .toBuffer();
}

const encoders: Record<string, () => Promise<Buffer>> = {
  'PNG with a palette': () => picture().png({ palette: true }).toBuffer(),
  'interlaced PNG': () => picture().png({ progressive: true }).toBuffer(),
  'PNG of 16 bits': () => picture().toColourspace('rgb16').png().toBuffer(),
  'PNG with a profile and EXIF data': () =>
    picture()
      .withIccProfile('p3')
      .withExif({ IFD0: { Copyright: 'nobody' } })
      .png()
      .toBuffer(),
  'PNG with alpha': () => picture().ensureAlpha(0.5).png().toBuffer(),
  JPEG: () => picture().jpeg().toBuffer(),
  'progressive JPEG': () => picture().jpeg({ progressive: true }).toBuffer(),
  'JPEG by mozjpeg': () => picture().jpeg({ mozjpeg: true }).toBuffer(),
  'grey JPEG': () => picture().greyscale().jpeg().toBuffer(),
  'JPEG of full colors': () => picture().jpeg({ chromaSubsampling: '4:4:4' }).toBuffer(),
  'JPEG of few colors': () => picture().jpeg({ chromaSubsampling: '4:2:0' }).toBuffer(),
  'progressive JPEG by mozjpeg, of full colors': () =>
    picture().jpeg({ mozjpeg: true, chromaSubsampling: '4:4:4' }).toBuffer(),
  'progressive grey JPEG': () => picture().greyscale().jpeg({ progressive: true }).toBuffer(),
  'JPEG with tables of its own': () => picture().jpeg({ optimiseCoding: true, quality: 3 }).toBuffer(),
  'CMYK JPEG': () => picture().toColourspace('cmyk').jpeg().toBuffer(),
  'JPEG with a profile and EXIF data': () =>
    picture()
      .withIccProfile('p3')
      .withExif({ IFD0: { Copyright: 'nobody' } })
      .jpeg()
      .toBuffer(),
  WebP: () => picture().webp().toBuffer(),
  'lossless WebP': () => picture().webp({ lossless: true }).toBuffer(),
  'WebP with alpha': () => picture().ensureAlpha(0.5).webp().toBuffer(),
  'WebP with a profile and EXIF data': () =>
    picture()
      .withIccProfile('p3')
      .withExif({ IFD0: { Copyright: 'nobody' } })
      .webp()
      .toBuffer(),
  'WebP of one color': () => flat().webp().toBuffer(),
  'WebP of one color with alpha': () => flat().ensureAlpha(0.5).webp({ alphaQuality: 30 }).toBuffer(),
  'animated WebP': animated,
  'animated WebP with alpha': () => animated(0.5),
};

function pngjsTakes(bytes: Buffer): boolean {
  try {
    PNG.sync.read(bytes);
    return true;
  } catch {
    return false;
  }
}

const found = async (bytes: Uint8Array): Promise<[DamageKind, string, number] | undefined> => {
  const damage = await findDamage(bytes);
  return damage && [damage.what, damage.chunk, damage.offset];
};

/** One chunk of a file, with its type and length. */
const chunkOf = (bytes: Buffer, type: string): Buffer => {
  const at = bytes.indexOf(type);
  const length = bytes.readUInt32LE(at + 4);
  return bytes.subarray(at, at + 8 + length + (length & 1));
};

const lengthOf = (length: number): number[] => [length & 255, (length >> 8) & 255];

describe('findDamage', () => {
  const codecs = new Codecs();
  const encoded = new Map<string, Buffer>();
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'limner-damage-'));
    for (const [name, encode] of Object.entries(encoders)) {
      encoded.set(name, await encode());
    }
  });
  after(async () => {
    await codecs.dispose();
    await rm(folder, { recursive: true });
  });

  const file = (name: string): Buffer => encoded.get(name) ?? assert.fail(name);
  const filesLike = (pattern: RegExp): Buffer[] =>
    [...encoded].filter(([name]) => pattern.test(name)).map(([, bytes]) => bytes);
  /** A file of these parts of the animated one, with a frame of another length where it is given. */
  const moving = (types: string[], frameLength?: number): Buffer =>
    webpOf(
      ...types.map((type) => {
        const chunk = chunkOf(file('animated WebP'), type);
        return type === 'ANMF' && frameLength !== undefined
          ? riffChunk(type, chunk.subarray(8, 8 + frameLength))
          : chunk;
      }),
    );
  /** Whether this check, or decoding the whole file after it, refuses a PNG file. */
  const isRefused = async (bytes: Buffer): Promise<boolean> =>
    (await findPngFlaw(bytes)) !== undefined ||
    codecs.decode(bytes).then(
      () => false,
      () => true,
    );

  for (const name of Object.keys(encoders)) {
    it(`takes a valid ${name}`, async () => {
      assert.ok(await sharpTakes(file(name)));
      assert.equal(await findDamage(file(name)), undefined);
      assert.ok(!name.includes('PNG') || (await findPngFlaw(file(name))) === undefined);
    });
  }

  for (const kind of kinds) {
    it(`takes every valid PNG of color type ${kind.colourType} and ${kind.bitDepth} bits`, async () => {
      for (const png of validPngs(kind)) {
        assert.ok(await sharpTakes(png));
        assert.equal(await findDamage(png), undefined);
        assert.equal(await findPngFlaw(png), undefined);
      }
    });
  }

  it('takes what the codecs write, turned files and pixels in many small chunks', async () => {
    const pixels = { width: 30, height: 20, rgba: new Uint8Array(30 * 20 * 4).map((_, at) => at * 7) };
    for (const encoding of [
      { format: 'png' },
      { format: 'jpeg' },
      { format: 'webp' },
      { format: 'webp', lossless: true },
    ] as const) {
      const plain = await codecs.encode(pixels, encoding);
      assert.equal(await findDamage(plain), undefined);
      assert.equal(await findDamage(withExif(plain, exifBlock(6))), undefined);
    }
    const small = piecesOf(file('interlaced PNG')).flatMap(({ type, data }) =>
      type === 'IDAT'
        ? Array.from(data, (_, at) => ({ type, data: data.subarray(at, at + 1) }))
        : [{ type, data }],
    );
    assert.equal(await findDamage(pngOf(small)), undefined);
    assert.equal(await findPngFlaw(pngOf(small)), undefined);
  });

  for (const { name, bytes, what, chunk } of damagedPngs()) {
    it(`refuses a PNG with ${name}`, async () => {
      for (const find of what === 'pixels' ? [findPngFlaw] : [findPngFlaw, findDamage]) {
        const damage = await find(bytes);
        assert.deepEqual([damage?.what, damage?.chunk], [what, chunk]);
      }
    });
  }

  it('takes a PNG with more than decoders read: pixels, an unknown end of them, chunks that mean nothing', async () => {
    const png = file('interlaced PNG');
    const pieces = piecesOf(png);
    const at = pieces.findIndex(({ type }) => type === 'IDAT');
    const data = Buffer.concat(pieces.flatMap((piece) => (piece.type === 'IDAT' ? piece.data : [])));
    const pixels = inflateSync(data);
    const extra = { type: 'IDAT', data: Buffer.alloc(200_000) };
    const withData = (compressed: Buffer, ...more: typeof pieces): Buffer =>
      pngOf([...pieces.slice(0, at), { type: 'IDAT', data: compressed }, ...more, ...pieces.slice(-1)]);
    for (const bytes of [
      withData(deflateSync(Buffer.concat([pixels, Buffer.alloc(1)]))),
      withData(deflateSync(Buffer.concat([pixels, Buffer.alloc(1_000_000)]))),
      withData(data.subarray(0, -2)),
      withData(Buffer.concat([data, Buffer.alloc(2)])),
      withData(data, extra, extra),
      withData(data, { type: 'tRNS', data: Buffer.alloc(3) }),
    ]) {
      assert.equal(await findPngFlaw(bytes), undefined);
    }
    assert.equal((await findPngFlaw(withData(deflateSync(pixels.subarray(1)), extra)))?.what, 'pixels');
  });

  it('is as strict with these as foreign readers are, which refuse most of them', async () => {
    const files = damagedPngs();
    const verdicts = await Promise.all(
      files.map(async ({ bytes }) => !(await sharpTakes(bytes)) || !pngjsTakes(bytes)),
    );
    assert.ok(verdicts.filter(Boolean).length > files.length / 2);
  });

  it('refuses a WebP whose transparency comes twice', async () => {
    const webp = file('WebP with alpha');
    const at = webp.indexOf('ALPH');
    const length = 8 + webp.readUInt32LE(at + 4) + (webp.readUInt32LE(at + 4) & 1);
    const twice = webpOf(
      webp.subarray(12, at + length),
      webp.subarray(at, at + length),
      webp.subarray(at + length),
    );
    assert.deepEqual((await found(twice))?.slice(0, 2), ['order', 'ALPH']);
  });

  it('leaves the pixels of a PNG of more than 100 megapixels alone', async () => {
    const [header, ...others] = piecesOf(file('PNG with alpha'));
    const sized = (width: number, height: number): Buffer => {
      const data = Buffer.from(header?.data ?? assert.fail());
      data.writeUInt32BE(width, 0);
      data.writeUInt32BE(height, 4);
      return pngOf([{ type: 'IHDR', data }, ...others]);
    };
    assert.equal(await findPngFlaw(sized(12_000, 9000)), undefined);
    assert.equal((await findPngFlaw(sized(10_000, 10_000)))?.what, 'pixels');
  });

  it('says where a PNG is damaged', async () => {
    const png = file('PNG with alpha');
    const at = png.indexOf('IDAT') - 4;
    assert.equal(
      (await findDamage(patched(png, at + 12, (png[at + 12] ?? 0) ^ 1)))?.message,
      `the checksum of chunk IDAT at byte ${at} is wrong`,
    );
  });

  it('refuses a PNG of which one byte is another', async () => {
    const pngs = [...kinds.flatMap(validPngs), ...filesLike(/PNG/u)];
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...pngs),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        fc.integer({ min: 1, max: 255 }),
        async (png, where, change) => {
          const at = Math.floor(where * png.length);
          assert.ok(await findDamage(patched(png, at, (png[at] ?? 0) ^ change)));
        },
      ),
      { numRuns: 3000 },
    );
  });

  it('refuses a PNG that is cut off anywhere, or has a byte more anywhere in it', async () => {
    const pngs = [...kinds.flatMap(validPngs), ...filesLike(/PNG/u)];
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...pngs),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        fc.integer({ min: 0, max: 255 }),
        async (png, where, byte) => {
          const at = Math.floor(where * png.length);
          assert.ok(await findDamage(png.subarray(0, at)));
          const longer = Buffer.concat([png.subarray(0, at), Buffer.from([byte]), png.subarray(at)]);
          assert.ok(longer.subarray(0, png.length).equals(png) || (await findDamage(longer)));
        },
      ),
      { numRuns: 1500 },
    );
  });

  it('refuses, with decoding, the pixels that foreign readers refuse of a PNG whose checksums are right', async () => {
    // An index beyond the palette is black to most readers, and an error to pngjs.
    const pngs = kinds.filter(({ colourType }) => colourType !== 3).flatMap(validPngs);
    let refusals = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...pngs),
        fc.nat(),
        fc.integer({ min: 1, max: 255 }),
        async (png, where, change) => {
          const pieces = piecesOf(png);
          const index = pieces.findIndex(({ type }) => type === 'IDAT');
          const piece = pieces[index] ?? assert.fail();
          const at = where % piece.data.length;
          const data = patched(piece.data, at, (piece.data[at] ?? 0) ^ change);
          const changed = pngOf(pieces.with(index, { type: piece.type, data }));
          if (!(await sharpTakes(changed)) || !pngjsTakes(changed)) {
            refusals += 1;
            assert.ok(await isRefused(changed));
          }
        },
      ),
      { numRuns: 600 },
    );
    assert.ok(refusals > 100, `${refusals} were refused`);
  });

  it('refuses a JPEG or WebP that is cut off anywhere, as foreign readers do', async () => {
    for (const bytes of filesLike(/JPEG|WebP/u)) {
      for (let length = 0; length < bytes.length; length++) {
        assert.ok(await findDamage(bytes.subarray(0, length)), `${length} of ${bytes.length} bytes`);
      }
      assert.ok(!(await sharpTakes(bytes.subarray(0, bytes.length / 2))));
    }
  });

  describe('in a JPEG', () => {
    let jpeg: Buffer;
    let frame: number;
    let scan: number;
    before(() => {
      jpeg = file('JPEG');
      frame = jpeg.indexOf(Buffer.from([0xff, 0xc0]));
      scan = jpeg.indexOf(Buffer.from([0xff, 0xda]));
    });
    const inserted = (at: number, bytes: Uint8Array): Buffer =>
      Buffer.concat([jpeg.subarray(0, at), bytes, jpeg.subarray(at)]);
    const without = (from: number, to: number): Buffer =>
      Buffer.concat([jpeg.subarray(0, from), jpeg.subarray(to)]);
    const lengthAt = (at: number): number => 2 + jpeg.readUInt16BE(at + 2);
    const startOfPixels = (): number => scan + lengthAt(scan);
    const damages: [name: string, bytes: () => Buffer, what: DamageKind, chunk: string][] = [
      ['no width', () => patched(jpeg, frame + 7, 0, 0), 'contents', 'SOF0'],
      ['no height', () => patched(jpeg, frame + 5, 0, 0), 'contents', 'SOF0'],
      ['another number of components', () => patched(jpeg, frame + 9, 4), 'contents', 'SOF0'],
      ['no frame', () => without(frame, frame + lengthAt(frame)), 'missing', 'SOF'],
      ['two frames', () => inserted(frame, jpeg.subarray(frame, frame + lengthAt(frame))), 'order', 'SOF0'],
      ['no scan', () => without(scan, jpeg.length - 2), 'missing', 'SOS'],
      ['a second beginning', () => inserted(frame, Buffer.from([0xff, 0xd8])), 'order', 'SOI'],
      ['a length of nothing', () => patched(jpeg, frame + 2, 0, 1), 'contents', 'SOF0'],
      ['something between its segments', () => inserted(frame, Buffer.from('junk')), 'unknown', 'ju'],
      ['a marker that is reserved', () => inserted(frame, jpegSegment(0x02, 'a')), 'unknown', 'FF02'],
      ['the last marker that is reserved', () => inserted(frame, jpegSegment(0xbf, 'a')), 'unknown', 'FFBF'],
      ['a marker for extensions', () => inserted(frame, jpegSegment(0xf3, 'a')), 'unknown', 'FFF3'],
      ['another marker for extensions', () => inserted(frame, jpegSegment(0xc8, 'a')), 'unknown', 'JPG'],
      [
        'a restart marker behind its pixels and something else',
        () =>
          Buffer.concat([
            jpeg.subarray(0, -2),
            jpegSegment(0xfe, 'a'),
            Buffer.from([0xff, 0xd0, 0xff, 0xd9]),
          ]),
        'order',
        'RST0',
      ],
      [
        'a restart marker before its pixels',
        () => inserted(frame, Buffer.from([0xff, 0xd0])),
        'order',
        'RST0',
      ],
      [
        'a restart marker too early',
        () => inserted(startOfPixels() + 2, Buffer.from([0xff, 0xd3])),
        'order',
        'RST3',
      ],
    ];
    for (const [name, bytes, what, chunk] of damages) {
      it(`finds ${name}`, async () => {
        assert.deepEqual((await found(bytes()))?.slice(0, 2), [what, chunk]);
      });
    }

    it('takes fill bytes, and restart markers in their order', async () => {
      const restarts = Buffer.from(
        [0, 1, 2, 3, 4, 5, 6, 7, 0, 1].flatMap((index) => [0xff, 0xd0 + index, 0x12]),
      );
      assert.equal(await found(inserted(startOfPixels() + 2, restarts)), undefined);
      assert.equal(await found(inserted(frame, Buffer.alloc(70_000, 0xff))), undefined);
    });
  });

  describe('in a WebP', () => {
    let plain: Buffer;
    let lossless: Buffer;
    let extended: Buffer;
    before(() => {
      plain = file('WebP');
      lossless = file('lossless WebP');
      extended = file('WebP with alpha');
    });
    /** A file of these parts of the one with alpha, with other transparency where it is given. */
    const parts = (types: string[], alpha?: number[]): Buffer =>
      webpOf(
        ...types.map((type) =>
          type === 'ALPH' && alpha ? riffChunk(type, Uint8Array.from(alpha)) : chunkOf(extended, type),
        ),
      );
    const damages: [name: string, bytes: () => Buffer, what: DamageKind, chunk: string][] = [
      ['a length that is too small', () => patched(plain, 4, (plain[4] ?? 0) - 2), 'contents', 'VP8 '],
      ['a length that is too large', () => patched(plain, 5, 0xff), 'truncated', 'VP8 '],
      ['a chunk beyond its end', () => patched(plain, 17, 0xff), 'contents', 'VP8 '],
      ['no start code', () => patched(plain, 23, 0), 'contents', 'VP8 '],
      ['no width', () => patched(plain, 26, 0, 0), 'contents', 'VP8 '],
      ['another signature', () => patched(lossless, 20, 0), 'contents', 'VP8L'],
      ['a canvas of another size', () => patched(extended, 24, 1), 'contents', 'VP8 '],
      ['nothing but a header', () => webpOf(extended.subarray(12, 30)), 'missing', 'VP8'],
      ['two pictures', () => webpOf(plain.subarray(12), plain.subarray(12)), 'order', 'VP8 '],
      ['something first', () => webpOf(Buffer.from('JUNK\0\0\0\0'), plain.subarray(12)), 'order', 'JUNK'],
      ['an empty picture', () => webpOf(riffChunk('VP8 ', Buffer.alloc(0))), 'contents', 'VP8 '],
      ['an empty lossless picture', () => webpOf(riffChunk('VP8L', Buffer.alloc(0))), 'contents', 'VP8L'],
      [
        'a picture that is only a header',
        () => webpOf(riffChunk('VP8 ', plain.subarray(20, 30))),
        'contents',
        'VP8 ',
      ],
      ['transparency twice', () => parts(['VP8X', 'ALPH', 'ALPH', 'VP8 ']), 'order', 'ALPH'],
      ['transparency after its picture', () => parts(['VP8X', 'VP8 ', 'ALPH']), 'order', 'ALPH'],
      ['no animation header', () => moving(['VP8X', 'ANMF']), 'missing', 'ANIM'],
      ['an animation header behind a frame', () => moving(['VP8X', 'ANMF', 'ANIM']), 'missing', 'ANIM'],
      [
        'a frame of an animation shorter than its header',
        () => moving(['VP8X', 'ANIM', 'ANMF'], 15),
        'contents',
        'ANMF',
      ],
      ['half a chunk', () => webpOf(plain.subarray(12), Buffer.from('EXIF')), 'contents', 'RIFF'],
    ];
    for (const [name, bytes, what, chunk] of damages) {
      it(`finds ${name}`, async () => {
        assert.deepEqual((await found(bytes()))?.slice(0, 2), [what, chunk]);
      });
    }

    it('takes its parts in their order', async () => {
      for (const valid of [
        parts(['VP8X', 'ALPH', 'VP8 ']),
        moving(['VP8X', 'ANIM', 'ANMF']),
        parts(['VP8X', 'ALPH', 'VP8 '], [0, ...Array<number>(61 * 40).fill(9)]),
      ]) {
        assert.ok(await sharpTakes(valid));
        assert.equal(await found(valid), undefined);
      }
    });

    it('refuses a length that leaves out what fills the last chunk up, as foreign readers do', async () => {
      const filled = webpOf(plain.subarray(12), riffChunk('abcd', Buffer.from('e')));
      assert.ok(await sharpTakes(filled));
      assert.equal(await found(filled), undefined);
      const odd = patched(filled, 4, ...lengthOf(filled.length - 9));
      assert.ok(!(await sharpTakes(odd)));
      assert.ok(await found(odd));
    });

    it('finds transparency twice in a frame of an animation, or behind its picture', async () => {
      const alpha = chunkOf(extended, 'ALPH');
      const lossy = chunkOf(extended, 'VP8 ');
      const still = file('animated WebP');
      const head = chunkOf(still, 'ANMF').subarray(8, 24);
      const frames = (...inside: Buffer[]): Buffer =>
        webpOf(
          chunkOf(still, 'VP8X'),
          chunkOf(still, 'ANIM'),
          riffChunk('ANMF', Buffer.concat([head, ...inside])),
        );
      assert.equal(await found(frames(alpha, lossy)), undefined);
      assert.deepEqual((await found(frames(alpha, alpha, lossy)))?.slice(0, 2), ['order', 'ALPH']);
      assert.deepEqual((await found(frames(lossy, alpha)))?.slice(0, 2), ['order', 'ALPH']);
      assert.deepEqual((await found(frames(lossy, lossy)))?.slice(0, 2), ['order', 'VP8 ']);
    });

    it('finds a frame of an animation that does not fit into it', async () => {
      const bytes = file('animated WebP');
      const frame = bytes.indexOf('ANMF');
      assert.deepEqual(await found(patched(bytes, frame + 8, 9)), ['contents', 'ANMF', frame]);
      assert.deepEqual((await found(patched(bytes, frame + 14, 3)))?.[0], 'contents');
    });
  });

  it('reads an open file in pieces, and finds the same in it', async () => {
    const noise = sharp({
      create: {
        width: 500,
        height: 400,
        channels: 3,
        background: 'grey',
        noise: { type: 'gaussian', mean: 128, sigma: 60 },
      },
    });
    for (const bytes of [
      await noise.clone().png().toBuffer(),
      await noise.clone().jpeg({ quality: 100 }).toBuffer(),
      await noise.clone().webp({ lossless: true }).toBuffer(),
    ]) {
      assert.ok(bytes.length > 150_000);
      for (const each of [bytes, bytes.subarray(0, -1), patched(bytes, 100_000, 0xff, 0x01, 0, 0)]) {
        const path = join(folder, 'noise');
        await writeFile(path, each);
        await using handle = await open(path, 'r');
        let longest = 0;
        const damage = await findDamage({
          read(buffer, offset, length, position) {
            longest = Math.max(longest, buffer.length);
            return handle.read(buffer, offset, length, position);
          },
        });
        assert.deepEqual(damage, await findDamage(each));
        assert.ok(longest <= 262_144, `${longest} bytes at once`);
      }
    }
  });

  it('lets others get their turn while it walks very many chunks in memory', async () => {
    const png = file('PNG with alpha');
    const chunk = pngChunk('teXt', Buffer.alloc(0));
    const many = Buffer.concat([
      png.subarray(0, 33),
      ...Array.from({ length: 100_000 }, () => chunk),
      png.subarray(33),
    ]);
    let rounds = 0;
    const count = (): void => {
      rounds += 1;
      next = setImmediate(count);
    };
    let next = setImmediate(count);
    assert.equal(await findDamage(many), undefined);
    clearImmediate(next);
    assert.ok(rounds > 10, `${rounds} turns`);
  });
});
