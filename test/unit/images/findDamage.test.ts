import assert from 'node:assert/strict';
import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import * as fc from 'fast-check';
import { PNG } from 'pngjs';
import sharp, { type Sharp } from 'sharp';
import { Codecs } from '../../../src/images/codecs/codecs.ts';
import type { DamageKind } from '../../../src/images/damage.ts';
import { findDamage } from '../../../src/images/findDamage.ts';
import { exifBlock, withExif } from './exifFiles.ts';
import { pngChunk } from './codecs/pngFile.ts';
import { damagedPngs, kinds, patched, piecesOf, pngOf, validPngs } from './damagedFiles.ts';

const picture = (): Sharp =>
  sharp(
    Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg" width="61" height="40"><rect width="61" height="40" fill="#a73"/><circle cx="20" cy="20" r="15" fill="blue"/></svg>',
    ),
  ).flatten();

async function animated(): Promise<Buffer> {
  const frames = await Promise.all([
    picture().png().toBuffer(),
    picture().negate({ alpha: false }).png().toBuffer(),
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
  'animated WebP': animated,
};

/** Whether a strict reader that is not Limner's takes the file. */
async function sharpTakes(bytes: Uint8Array): Promise<boolean> {
  return sharp(bytes, { failOn: 'warning' })
    .raw()
    .toBuffer()
    .then(
      () => true,
      () => false,
    );
}

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

const jpegSegment = (marker: number, data: string): Buffer => {
  const body = Buffer.from(data, 'latin1');
  return Buffer.concat([Buffer.from([0xff, marker, (body.length + 2) >> 8, (body.length + 2) & 255]), body]);
};

const riff = (...chunks: Buffer[]): Buffer => {
  const body = Buffer.concat([Buffer.from('WEBP'), ...chunks]);
  const head = Buffer.from('RIFF\0\0\0\0');
  head.writeUInt32LE(body.length, 4);
  return Buffer.concat([head, body]);
};

describe('findDamage', { timeout: 120_000 }, () => {
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
    const twice = riff(
      webp.subarray(12, at + length),
      webp.subarray(at, at + length),
      webp.subarray(at + length),
    );
    assert.deepEqual((await found(twice))?.slice(0, 2), ['order', 'ALPH']);
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

  it('refuses a PNG that is cut off anywhere, or has a byte more anywhere', async () => {
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
          assert.ok(await findDamage(longer));
          assert.ok(await findDamage(Buffer.concat([png, Buffer.from([byte])])));
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

    const damages: [name: string, bytes: () => Buffer, what: DamageKind, chunk: string][] = [
      ['bytes after its end', () => Buffer.concat([jpeg, Buffer.alloc(3)]), 'trailing', 'EOI'],
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

    it('takes what telephones append and announce', async () => {
      const more = Buffer.concat([jpeg, Buffer.from('a film')]);
      const xmp = 'http://ns.adobe.com/xap/1.0/\0<x GCamera:MotionPhoto="1"/>';
      for (const announcement of [jpegSegment(0xe2, 'MPF\0MM'), jpegSegment(0xe1, xmp)]) {
        const announced = Buffer.concat([more.subarray(0, 2), announcement, more.subarray(2)]);
        assert.equal(await found(announced), undefined);
      }
      assert.equal(await found(Buffer.concat([more, Buffer.from('SEFT')])), undefined);
      assert.deepEqual(await found(more), ['trailing', 'EOI', jpeg.length]);
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
    const damages: [name: string, bytes: () => Buffer, what: DamageKind, chunk: string][] = [
      ['bytes after its end', () => Buffer.concat([plain, Buffer.alloc(2)]), 'trailing', 'RIFF'],
      ['a length that is too small', () => patched(plain, 4, (plain[4] ?? 0) - 2), 'trailing', 'RIFF'],
      ['a length that is too large', () => patched(plain, 5, 0xff), 'truncated', 'VP8 '],
      ['a chunk beyond its end', () => patched(plain, 17, 0xff), 'contents', 'VP8 '],
      ['no start code', () => patched(plain, 23, 0), 'contents', 'VP8 '],
      ['no width', () => patched(plain, 26, 0, 0), 'contents', 'VP8 '],
      ['a picture that needs another', () => patched(plain, 20, (plain[20] ?? 0) | 1), 'contents', 'VP8 '],
      ['another signature', () => patched(lossless, 20, 0), 'contents', 'VP8L'],
      ['another version', () => patched(lossless, 24, 0xf0), 'contents', 'VP8L'],
      ['a canvas of another size', () => patched(extended, 24, 1), 'contents', 'VP8 '],
      ['reserved bits', () => patched(extended, 20, (extended[20] ?? 0) | 0x80), 'contents', 'VP8X'],
      ['nothing but a header', () => riff(extended.subarray(12, 30)), 'missing', 'VP8'],
      ['two pictures', () => riff(plain.subarray(12), plain.subarray(12)), 'order', 'VP8 '],
      ['something first', () => riff(Buffer.from('JUNK\0\0\0\0'), plain.subarray(12)), 'order', 'JUNK'],
      ['half a chunk', () => riff(plain.subarray(12), Buffer.from('EXIF')), 'contents', 'RIFF'],
    ];
    for (const [name, bytes, what, chunk] of damages) {
      it(`finds ${name}`, async () => {
        assert.deepEqual((await found(bytes()))?.slice(0, 2), [what, chunk]);
      });
    }

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
        assert.ok(longest <= 65_536, `${longest} bytes at once`);
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
    let turns = 0;
    const count = (): void => {
      turns += 1;
      next = setImmediate(count);
    };
    let next = setImmediate(count);
    assert.equal(await findDamage(many), undefined);
    clearImmediate(next);
    assert.ok(turns > 10, `${turns} turns`);
  });
});
