import assert from 'node:assert/strict';
import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import * as fc from 'fast-check';
import { PNG } from 'pngjs';
import sharp, { type Sharp } from 'sharp';
import { Codecs } from '../../../../src/images/codecs/codecs.ts';
import type { DamageKind } from '../../../../src/images/damage/damage.ts';
import { findDamage } from '../../../../src/images/damage/findDamage.ts';
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
  'JPEG of full colours': () => picture().jpeg({ chromaSubsampling: '4:4:4' }).toBuffer(),
  'JPEG of few colours': () => picture().jpeg({ chromaSubsampling: '4:2:0' }).toBuffer(),
  'progressive JPEG by mozjpeg, of full colours': () =>
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
  'WebP of one colour': () => flat().webp().toBuffer(),
  'WebP of one colour with alpha': () => flat().ensureAlpha(0.5).webp({ alphaQuality: 30 }).toBuffer(),
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

const codes = (counts: Record<number, number>, length: number): Buffer =>
  jpegSegment(
    0xc4,
    String.fromCodePoint(0, ...Array.from({ length: 16 }, (_, index) => counts[index + 1] ?? 0)) +
      '\0'.repeat(length),
  );

/** One chunk of a file, with its type and length. */
const chunkOf = (bytes: Buffer, type: string): Buffer => {
  const at = bytes.indexOf(type);
  const length = bytes.readUInt32LE(at + 4);
  return bytes.subarray(at, at + 8 + length + (length & 1));
};

const lengthOf = (length: number): number[] => [length & 255, (length >> 8) & 255];

/** A JPEG of 24 by 16 grey pixels, of six blocks of one and the same grey, with restart markers where asked for. */
function greyJpeg({ interval = 0, restarts = [] as number[], end = [0xff, 0xd9] } = {}): Buffer {
  const table = '\x01' + '\0'.repeat(15) + '\0';
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    jpegSegment(0xdb, '\0' + '\x01'.repeat(64)),
    jpegSegment(0xc0, '\x08\0\x10\0\x18\x01\x01\x11\0'),
    jpegSegment(0xc4, `\x00${table}\x10${table}`),
    ...(interval > 0 ? [jpegSegment(0xdd, String.fromCodePoint(0, interval))] : []),
    jpegSegment(0xda, '\x01\x01\0\0\x3f\0'),
    // Each block is a zero for its brightness and one for the end of the block; the last byte is filled up with ones.
    Buffer.from(pixelsOf(interval > 0 ? interval : 6)),
    Buffer.from(restarts.flatMap((index) => [0xff, 0xd0 + index, ...pixelsOf(interval)])),
    Buffer.from(end),
  ]);
}

function pixelsOf(blocks: number): number[] {
  const bits = '00'.repeat(blocks);
  const padded = bits.padEnd(Math.ceil(bits.length / 8) * 8, '1');
  return Array.from({ length: padded.length / 8 }, (_, at) =>
    Number.parseInt(padded.slice(at * 8, at * 8 + 8), 2),
  );
}

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
  /** A progressive file with another byte so far before the pixels of its first scan. */
  const progressive = (before: number, byte: number): Buffer => {
    const bytes = file('progressive JPEG');
    const first = bytes.indexOf(Buffer.from([0xff, 0xda]));
    return patched(bytes, first + 2 + bytes.readUInt16BE(first + 2) - before, byte);
  };

  /** A file of these parts of the animated one, some of them with another length. */
  const moving = (types: string[], headLength = 6, frameLength?: number): Buffer =>
    webpOf(
      ...types.map((type) => {
        const chunk = chunkOf(file('animated WebP'), type);
        if (type === 'ANIM') {
          return riffChunk(
            type,
            Buffer.concat([chunk.subarray(8, 14), Buffer.alloc(1)]).subarray(0, headLength),
          );
        }
        return type === 'ANMF' && frameLength !== undefined
          ? riffChunk(type, chunk.subarray(8, 8 + frameLength))
          : chunk;
      }),
    );
  /** Whether this check, or decoding the whole file after it, refuses the file. */
  const isRefused = async (bytes: Buffer): Promise<boolean> =>
    (await findDamage(bytes)) !== undefined ||
    codecs.decode(bytes).then(
      () => false,
      () => true,
    );

  for (const name of Object.keys(encoders)) {
    it(`takes a valid ${name}`, async () => {
      assert.ok(await sharpTakes(file(name)));
      assert.equal(await findDamage(file(name)), undefined);
    });
  }

  for (const kind of kinds) {
    it(`takes every valid PNG of colour type ${kind.colourType} and ${kind.bitDepth} bits`, async () => {
      for (const png of validPngs(kind)) {
        assert.ok(await sharpTakes(png));
        assert.equal(await findDamage(png), undefined);
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
  });

  for (const { name, bytes, what, chunk } of damagedPngs()) {
    it(`refuses a PNG with ${name}`, async () => {
      const damage = await findDamage(bytes);
      assert.deepEqual([damage?.what, damage?.chunk], [what, chunk]);
    });
  }

  it('is as strict with these as foreign readers are, which refuse most of them', async () => {
    const files = damagedPngs();
    const verdicts = await Promise.all(
      files.map(async ({ bytes }) => !(await sharpTakes(bytes)) || !pngjsTakes(bytes)),
    );
    assert.ok(verdicts.filter(Boolean).length > files.length / 2);
  });

  it('refuses a PNG chunk whose third letter is a small one, as libpng does', async () => {
    const [header, ...others] = piecesOf(file('PNG with alpha'));
    assert.ok(header);
    const png = pngOf([header, { type: 'abcd', data: Buffer.from('?') }, ...others]);
    assert.ok(!(await sharpTakes(png)));
    assert.deepEqual((await found(png))?.slice(0, 2), ['unknown', 'abcd']);
  });

  it('refuses a JPEG whose tables are missing or damaged, and one without pixels but for a fill byte', async () => {
    const jpeg = file('JPEG');
    const without = (marker: number): Buffer => {
      let rest = jpeg;
      for (let at = rest.indexOf(Buffer.from([0xff, marker])); at > 0;) {
        rest = Buffer.concat([rest.subarray(0, at), rest.subarray(at + 2 + rest.readUInt16BE(at + 2))]);
        at = rest.indexOf(Buffer.from([0xff, marker]));
      }
      return rest;
    };
    assert.deepEqual((await found(without(0xdb)))?.slice(0, 2), ['missing', 'DQT']);
    assert.deepEqual((await found(without(0xc4)))?.slice(0, 2), ['missing', 'DHT']);
    const table = jpeg.indexOf(Buffer.from([0xff, 0xdb]));
    assert.deepEqual((await found(patched(jpeg, table + 4, 0x2f)))?.slice(0, 2), ['contents', 'DQT']);
    const scan = jpeg.indexOf(Buffer.from([0xff, 0xda]));
    const pixels = scan + 2 + jpeg.readUInt16BE(scan + 2);
    assert.deepEqual((await found(patched(jpeg, scan + 5, 9)))?.slice(0, 2), ['contents', 'SOS']);
    const empty = Buffer.concat([jpeg.subarray(0, pixels), Buffer.from([0xff, 0xff, 0xd9])]);
    assert.deepEqual((await found(empty))?.slice(0, 2), ['tooFewPixels', 'SOS']);
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
    assert.equal(await findDamage(sized(12_000, 9000)), undefined);
    assert.deepEqual((await found(sized(10_000, 10_000)))?.slice(0, 2), ['tooFewPixels', 'IDAT']);
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

  it('refuses, with decoding, what foreign readers refuse of a PNG whose checksums are right', async () => {
    // An index beyond the palette is black to most readers, and an error to pngjs.
    const pngs = kinds.filter(({ colourType }) => colourType !== 3).flatMap(validPngs);
    let refusals = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...pngs),
        fc.nat(),
        fc.nat(),
        fc.integer({ min: 1, max: 255 }),
        async (png, which, where, change) => {
          const pieces = piecesOf(png);
          // IEND has no data.
          const index = which % (pieces.length - 1);
          const piece = pieces[index] ?? assert.fail();
          const at = where % piece.data.length;
          const data = patched(piece.data, at, (piece.data[at] ?? 0) ^ change);
          const changed = pngOf(pieces.with(index, { type: piece.type, data }));
          // Enormous sizes are refused for their size, long before anything is read.
          fc.pre(changed.readUInt32BE(16) * changed.readUInt32BE(20) < 1_000_000);
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
    const withPixels = (...pixels: number[]): Buffer =>
      Buffer.concat([jpeg.subarray(0, startOfPixels()), Buffer.from(pixels), jpeg.subarray(-2)]);
    /** Where the first table of such a segment begins. */
    const tableOf = (marker: number): number => jpeg.indexOf(Buffer.from([0xff, marker])) + 4;
    const withoutAll = (marker: number): Buffer => {
      const parts = [jpeg.subarray(0, 2)];
      for (let at = 2; at < scan; at += lengthAt(at)) {
        parts.push(jpeg.subarray(at, jpeg[at + 1] === marker ? at : at + lengthAt(at)));
      }
      return Buffer.concat([...parts, jpeg.subarray(scan)]);
    };

    const damages: [name: string, bytes: () => Buffer, what: DamageKind, chunk: string][] = [
      ['no width', () => patched(jpeg, frame + 7, 0, 0), 'contents', 'SOF0'],
      ['no height', () => patched(jpeg, frame + 5, 0, 0), 'contents', 'SOF0'],
      ['another number of components', () => patched(jpeg, frame + 9, 4), 'contents', 'SOF0'],
      ['no frame', () => without(frame, frame + lengthAt(frame)), 'missing', 'SOF'],
      ['two frames', () => inserted(frame, jpeg.subarray(frame, frame + lengthAt(frame))), 'order', 'SOF0'],
      ['no scan', () => without(scan, jpeg.length - 2), 'missing', 'SOS'],
      ['no pixels', () => without(startOfPixels(), jpeg.length - 2), 'tooFewPixels', 'SOS'],
      ['a second beginning', () => inserted(frame, Buffer.from([0xff, 0xd8])), 'order', 'SOI'],
      ['a length of nothing', () => patched(jpeg, frame + 2, 0, 1), 'contents', 'SOF0'],
      ['something between its segments', () => inserted(frame, Buffer.from('junk')), 'unknown', 'ju'],
      ['nothing but filling for pixels', () => withPixels(0xff, 0xff, 0xff), 'tooFewPixels', 'SOS'],
      ['a marker that is reserved', () => inserted(frame, jpegSegment(0x02, 'a')), 'unknown', 'FF02'],
      ['the last marker that is reserved', () => inserted(frame, jpegSegment(0xbf, 'a')), 'unknown', 'FFBF'],
      ['a marker for extensions', () => inserted(frame, jpegSegment(0xf3, 'a')), 'unknown', 'FFF3'],
      ['another marker for extensions', () => inserted(frame, jpegSegment(0xc8, 'a')), 'unknown', 'JPG'],
      ['a precision that there is not', () => patched(jpeg, frame + 4, 9), 'contents', 'SOF0'],
      ['a precision that is not baseline', () => patched(jpeg, frame + 4, 12), 'contents', 'SOF0'],
      ['a component of no width', () => patched(jpeg, frame + 11, 0x02), 'contents', 'SOF0'],
      ['a component of too much height', () => patched(jpeg, frame + 11, 0x15), 'contents', 'SOF0'],
      ['too many blocks', () => patched(jpeg, frame + 11, 0x44), 'contents', 'SOS'],
      ['a fifth quantisation', () => patched(jpeg, frame + 12, 4), 'contents', 'SOF0'],
      ['a quantisation that is not defined', () => patched(jpeg, frame + 12, 3), 'missing', 'DQT'],
      ['quantisations of 24 bits', () => patched(jpeg, tableOf(0xdb), 0x20), 'contents', 'DQT'],
      [
        'quantisations of 16 bits that are too short',
        () => patched(jpeg, tableOf(0xdb), 0x10),
        'contents',
        'DQT',
      ],
      ['quantisations with a fifth number', () => patched(jpeg, tableOf(0xdb), 4), 'contents', 'DQT'],
      ['half a quantisation', () => inserted(frame, jpegSegment(0xdb, '\0abc')), 'contents', 'DQT'],
      ['codes of a third class', () => patched(jpeg, tableOf(0xc4), 0x20), 'contents', 'DHT'],
      ['codes with a fifth number', () => patched(jpeg, tableOf(0xc4), 4), 'contents', 'DHT'],
      ['more codes than it has', () => patched(jpeg, tableOf(0xc4) + 16, 9), 'contents', 'DHT'],
      ['half a table of codes', () => inserted(frame, jpegSegment(0xc4, '\0\0\0')), 'contents', 'DHT'],
      ['too many codes', () => inserted(frame, codes({ 15: 200, 16: 57 }, 257)), 'contents', 'DHT'],
      ['codes that cannot be told apart', () => inserted(frame, codes({ 1: 3 }, 3)), 'contents', 'DHT'],
      ['no distance of restart markers', () => inserted(frame, jpegSegment(0xdd, '')), 'contents', 'DRI'],
      [
        'a long distance of restart markers',
        () => inserted(frame, jpegSegment(0xdd, 'abc')),
        'contents',
        'DRI',
      ],
      ['no quantisations', () => withoutAll(0xdb), 'missing', 'DQT'],
      ['no codes', () => withoutAll(0xc4), 'missing', 'DHT'],
      ['a component that there is not', () => patched(jpeg, scan + 5, 77), 'contents', 'SOS'],
      ['a fifth table', () => patched(jpeg, scan + 6, 0x40), 'contents', 'SOS'],
      ['brightnesses without codes', () => patched(jpeg, scan + 6, 0x30), 'missing', 'DHT'],
      ['details without codes', () => patched(jpeg, scan + 6, 0x03), 'missing', 'DHT'],
      ['a scan of nothing', () => patched(jpeg, scan + 4, 0), 'contents', 'SOS'],
      [
        'a scan of five components',
        () => inserted(scan, jpegSegment(0xda, '\x05'.padEnd(14))),
        'contents',
        'SOS',
      ],
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
        'too few restart markers',
        () => greyJpeg({ interval: 1, restarts: [0, 1, 2, 3] }),
        'tooFewPixels',
        'SOS',
      ],
      ['no restart markers', () => greyJpeg({ interval: 5 }), 'tooFewPixels', 'SOS'],
      ['a wrong restart marker', () => greyJpeg({ interval: 2, restarts: [0, 2] }), 'order', 'RST2'],
      ['progress from nowhere', () => progressive(3, 5), 'contents', 'SOS'],
      ['progress beyond all bits', () => progressive(1, 0x0e), 'contents', 'SOS'],
      ['progress by two bits', () => progressive(1, 0x31), 'contents', 'SOS'],
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

    it('takes as many restart markers as the distance asks for', async () => {
      for (const bytes of [
        greyJpeg(),
        greyJpeg({ interval: 1, restarts: [0, 1, 2, 3, 4] }),
        greyJpeg({ interval: 2, restarts: [0, 1] }),
        greyJpeg({ interval: 4, restarts: [0] }),
        greyJpeg({ interval: 6 }),
        greyJpeg({ interval: 200 }),
        greyJpeg({ end: [0xff, 0xff, 0xff, 0xd9] }),
      ]) {
        assert.ok(await sharpTakes(bytes));
        assert.equal(await found(bytes), undefined);
      }
    });

    it('takes several tables in one segment, and quantisations of 16 bits', async () => {
      const twice = jpegSegment(0xdb, `\x12${'\0\x01'.repeat(64)}\x03${'\x01'.repeat(64)}`);
      assert.equal(await found(inserted(frame, twice)), undefined);
      assert.ok(await sharpTakes(inserted(frame, twice)));
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
      ['a picture that needs another', () => patched(plain, 20, (plain[20] ?? 0) | 1), 'contents', 'VP8 '],
      ['another signature', () => patched(lossless, 20, 0), 'contents', 'VP8L'],
      ['another version', () => patched(lossless, 24, 0xf0), 'contents', 'VP8L'],
      ['a canvas of another size', () => patched(extended, 24, 1), 'contents', 'VP8 '],
      ['reserved bits', () => patched(extended, 20, (extended[20] ?? 0) | 0x80), 'contents', 'VP8X'],
      ['nothing but a header', () => webpOf(extended.subarray(12, 30)), 'missing', 'VP8'],
      ['two pictures', () => webpOf(plain.subarray(12), plain.subarray(12)), 'order', 'VP8 '],
      ['something first', () => webpOf(Buffer.from('JUNK\0\0\0\0'), plain.subarray(12)), 'order', 'JUNK'],
      [
        'a lossy picture of another version',
        () => patched(plain, 20, (plain[20] ?? 0) | 0x08),
        'contents',
        'VP8 ',
      ],
      ['an empty picture', () => webpOf(riffChunk('VP8 ', Buffer.alloc(0))), 'contents', 'VP8 '],
      ['an empty lossless picture', () => webpOf(riffChunk('VP8L', Buffer.alloc(0))), 'contents', 'VP8L'],
      [
        'a picture that is only a header',
        () => webpOf(riffChunk('VP8 ', plain.subarray(20, 30))),
        'contents',
        'VP8 ',
      ],
      ['a picture whose first part is empty', () => patched(plain, 20, 0x10, 0, 0), 'contents', 'VP8 '],
      [
        'a picture whose first part is too long',
        () =>
          patched(
            plain,
            20,
            0x10 | (((plain.readUInt32LE(16) - 9) & 7) << 5),
            (plain.readUInt32LE(16) - 9) >> 3,
          ),
        'contents',
        'VP8 ',
      ],
      ['transparency twice', () => parts(['VP8X', 'ALPH', 'ALPH', 'VP8 ']), 'order', 'ALPH'],
      ['transparency after its picture', () => parts(['VP8X', 'VP8 ', 'ALPH']), 'order', 'ALPH'],
      ['no transparency in its chunk', () => parts(['VP8X', 'ALPH', 'VP8 '], [0]), 'contents', 'ALPH'],
      [
        'transparency of a third compression',
        () => parts(['VP8X', 'ALPH', 'VP8 '], [2, 0]),
        'contents',
        'ALPH',
      ],
      [
        'transparency prepared another way',
        () => parts(['VP8X', 'ALPH', 'VP8 '], [0x21, 0]),
        'contents',
        'ALPH',
      ],
      ['transparency of reserved kind', () => parts(['VP8X', 'ALPH', 'VP8 '], [0x81, 0]), 'contents', 'ALPH'],
      ['too little transparency', () => parts(['VP8X', 'ALPH', 'VP8 '], [0, 1, 2]), 'contents', 'ALPH'],
      ['no animation header', () => moving(['VP8X', 'ANMF']), 'missing', 'ANIM'],
      ['an animation header behind a frame', () => moving(['VP8X', 'ANMF', 'ANIM']), 'missing', 'ANIM'],
      ['a short animation header', () => moving(['VP8X', 'ANIM', 'ANMF'], 5), 'contents', 'ANIM'],
      ['a long animation header', () => moving(['VP8X', 'ANIM', 'ANMF'], 7), 'contents', 'ANIM'],
      [
        'a frame of an animation shorter than its header',
        () => moving(['VP8X', 'ANIM', 'ANMF'], 6, 15),
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
