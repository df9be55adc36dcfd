import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import * as fc from 'fast-check';
import sharp from 'sharp';
import {
  Codecs,
  type Encoding,
  jpegSegments,
  RangeReader,
  webpChunks,
} from '../../../../src/images/finish/codecs.ts';
import {
  losesColorsOf,
  profileOf,
  withColorsOf,
  withProfile,
} from '../../../../src/images/codecs/colorProfile.ts';
import { embedProvenance } from '../../../../src/images/codecs/embedProvenance.ts';
import { findDamage } from '../../../../src/images/formats/findDamage.ts';
import { readProvenance } from '../../../../src/images/formats/provenance.ts';
import { readByPngjs, readBySharp, toSharp } from '../../../readers/images.ts';
import { profileOfLength, readProfile } from '../../../readers/metadata.ts';
import { fuzzRuns } from '../../../support/fuzzRuns.ts';
import { exifBlock, withExif } from '../../../support/images/exifFiles.ts';
import { assertPixels, paint, pictureOf } from '../../../support/images/pictures.ts';
import { pngChunk } from '../../../support/images/pngFile.ts';
import { withPngChunks } from '../../../support/images/specialFiles.ts';
import { Random } from '../../../support/random.ts';
import { readTags } from '../../../readers/tags.ts';
import { recipes } from '../../../support/images/recipes.ts';

/** Small files of all formats, of sizes that take one byte or two, with alpha and without. */
async function someFile(random: Random): Promise<Buffer> {
  const side = (): number => 1 + random.below(random.pick([3, 40]));
  const [width, height] = random.pick([
    [side(), side()],
    [side(), side()],
    [side(), side()],
    [250 + random.below(20), 1],
    [1, 250 + random.below(20)],
    [250 + random.below(20), 1],
    [1, 250 + random.below(20)],
    random.pick([
      [16_383, 1],
      [1, 16_383],
    ]),
  ]);
  const isOpaque = random.below(2) === 0;
  const picture = toSharp(
    paint(width, height, (x, y) => [x & 255, y & 255, random.below(20), isOpaque ? 255 : (x + y) & 255]),
  );
  switch (random.below(5)) {
    case 0:
      return picture.removeAlpha().jpeg().toBuffer();
    case 1:
      return (isOpaque ? picture.removeAlpha() : picture).png().toBuffer();
    case 2:
      return picture.webp({ effort: 0, lossless: true }).toBuffer();
    default:
      return (isOpaque ? picture.removeAlpha() : picture).webp({ effort: 0 }).toBuffer();
  }
}

/** The same JPEG file with a header that sharp leaves out. */
function withJfif(file: Buffer): Buffer {
  const jfif = Buffer.from('ffe000104a46494600010100000100010000', 'hex');
  return Buffer.concat([file.subarray(0, 2), jfif, file.subarray(2)]);
}

async function segmentsOf(file: Uint8Array): Promise<string[]> {
  const types: string[] = [];
  for await (const { type, start } of jpegSegments(new RangeReader(file))) {
    types.push(type.startsWith('APP') ? Buffer.from(file).toString('latin1', start, start + 4) : type);
  }
  return types;
}

describe('what is added to a file', () => {
  it('is read by others, in whatever order it came, and everything else of the file stays', async () => {
    const random = new Random(89);
    const profile = await profileOfLength(517);
    const provenance = { prompt: 'A fox', model: 'painter-1' };
    for (let run = 0; run < fuzzRuns(10, 30); run++) {
      const plain = await someFile(random);
      const file = random.below(2) === 0 ? plain : withExif(plain, exifBlock(1));
      const before = await sharp(file).metadata();
      const profiled = withProfile(file, profile);
      const both =
        run % 2 === 0
          ? await embedProvenance(profiled, provenance)
          : withProfile((await embedProvenance(file, provenance)) ?? assert.fail(), profile);
      for (const made of [profiled, both ?? assert.fail()]) {
        const after = await sharp(made, { failOn: 'warning' }).metadata();
        const kept = ({ width, height, hasAlpha, exif, format }: typeof after): unknown => [
          width,
          height,
          hasAlpha,
          exif,
          format,
        ];
        assert.deepEqual(kept(after), kept(before));
        assert.ok(after.icc?.equals(profile), 'the profile is whole');
        assert.equal(await findDamage(made), undefined);
        assertPixels(await readBySharp(made), await readBySharp(file));
      }
      assert.deepEqual(await readProvenance(both ?? assert.fail()), provenance);
      assert.match((await sharp(both).metadata()).xmp?.toString('utf8') ?? '', />A fox</u);
      if (before.format === 'webp') {
        const types: string[] = [];
        for await (const { type } of webpChunks(new RangeReader(both ?? assert.fail()))) {
          types.push(type);
        }
        // Readers find each where the format has it.
        assert.deepEqual(
          [types[0], types[1], types.filter((type) => type === 'VP8X').length],
          ['VP8X', 'ICCP', 1],
        );
        assert.equal(types.at(-1), 'XMP ');
      }
    }
  });

  it('comes behind what a JPEG file has to begin with, if it begins with any of it', async () => {
    const jpeg = await sharp({ create: { width: 9, height: 8, channels: 3, background: 'teal' } })
      .jpeg()
      .toBuffer();
    const exif = withExif(jpeg, exifBlock(1));
    const profile = await profileOfLength(500);
    for (const [file, first] of [
      [withJfif(jpeg), ['JFIF']],
      [jpeg, []],
      [exif, ['Exif']],
      [withJfif(exif), ['JFIF', 'Exif']],
    ] as const) {
      const made = (await embedProvenance(file, { prompt: 'A fox' })) ?? assert.fail();
      assert.deepEqual(await segmentsOf(made), [
        ...first,
        'http',
        ...(await segmentsOf(file)).slice(first.length),
      ]);
      const profiled = withProfile(file, profile);
      const isAfterJfif = first[0] === 'JFIF' ? 1 : 0;
      assert.deepEqual(
        await segmentsOf(profiled),
        (await segmentsOf(file)).toSpliced(isAfterJfif, 0, 'ICC_'),
      );
      for (const one of [made, profiled]) {
        assertPixels(await readBySharp(one), await readBySharp(jpeg));
      }
    }
  });

  it('is all of a prompt and of the name of a model of a usual length', async () => {
    for (const format of ['png', 'jpeg', 'webp'] as const) {
      const file = await sharp({ create: { width: 2, height: 2, channels: 3, background: 'teal' } })
        .toFormat(format)
        .toBuffer();
      const told = { prompt: 'A <fox> & a hare, '.repeat(1000), model: 'painter-<1>'.repeat(50) };
      const made = (await embedProvenance(file, told)) ?? assert.fail();
      assert.deepEqual(await readProvenance(made), { ...told, prompt: told.prompt.trim() });
    }
  });
});

describe('the profile of a JPEG file', () => {
  it('is put together from its parts by their numbers, in whatever order they come', async () => {
    const plain = await sharp({ create: { width: 9, height: 8, channels: 3, background: 'teal' } })
      .jpeg()
      .toBuffer();
    const profile = await profileOfLength(150_000);
    const file = Buffer.from(withProfile(withJfif(plain), profile));
    const [first, second, third, rest] = [0, 1, 2, 3].map((index) => 20 + index * (65_519 + 18));
    const end = 20 + 150_000 + 3 * 18;
    const parts = [file.subarray(first, second), file.subarray(second, third), file.subarray(third, end)];
    assert.ok((rest ?? 0) > end);
    for (const order of [
      [2, 0, 1],
      [1, 2, 0],
      [0, 2, 1],
    ]) {
      const turned = Buffer.concat([
        file.subarray(0, 20),
        ...order.map((index) => parts[index] ?? Buffer.alloc(0)),
        file.subarray(end),
      ]);
      assert.ok(profile.equals((await profileOf(turned)) ?? Buffer.alloc(0)), 'the profile is whole');
      assert.ok((await sharp(turned).metadata()).icc?.equals(profile), 'others read it');
    }
    const torn = Buffer.concat([file.subarray(0, 20), ...parts.slice(1), file.subarray(end)]);
    assert.equal(await profileOf(torn), undefined);
  });
});

describe('the colors that a file says it has', () => {
  const picture = sharp({ create: { width: 3, height: 2, channels: 3, background: 'teal' } });
  const chunks: [string, Buffer][] = [
    ['gAMA', Buffer.from([0, 0, 0x9c, 0x40])],
    ['cHRM', Buffer.from('00007a26000080840000fa00000080e8000075300000ea6000003a9800001771', 'hex')],
    ['sRGB', Buffer.from([1])],
    ['cICP', Buffer.from([12, 13, 0, 1])],
  ];

  it('go from one PNG file to another, as far as they are well-formed, and into no other format', async () => {
    const [png, jpeg] = [await picture.clone().png().toBuffer(), await picture.clone().jpeg().toBuffer()];
    const source = withPngChunks(png, ...chunks.map(([type, data]) => pngChunk(type, data)));
    assert.deepEqual(Buffer.from(await withColorsOf(png, source)), source);
    assert.deepEqual(Buffer.from(await withColorsOf(jpeg, source)), jpeg);
    assert.deepEqual(Buffer.from(await withColorsOf(png, jpeg)), png);
    for (const [type, data] of chunks) {
      for (const wrong of [data.subarray(1), Buffer.concat([data, Buffer.of(0)])]) {
        const file = withPngChunks(png, pngChunk(type, wrong));
        assert.deepEqual(Buffer.from(await withColorsOf(png, file)), png);
      }
    }
  });

  it('are lost where a format has no words for them, and where a profile is for other pixels', async () => {
    const made = {
      png: await picture.clone().png().toBuffer(),
      jpeg: await picture.clone().jpeg().toBuffer(),
      webp: await picture.clone().webp().toBuffer(),
    };
    const gamma = withPngChunks(made.png, pngChunk('gAMA', Buffer.from([0, 0, 0x9c, 0x40])));
    const wide = await picture.clone().withIccProfile('p3').jpeg().toBuffer();
    const gray = await profileOfLength(600);
    gray.write('GRAY', 16, 'latin1');
    for (const [format, file] of Object.entries(made)) {
      for (const [source, isLost] of [
        [made.png, false],
        [made.jpeg, false],
        [made.webp, false],
        [gamma, format !== 'png'],
        [wide, false],
        [withProfile(made.jpeg, gray), true],
      ] as const) {
        assert.equal(await losesColorsOf(await withColorsOf(file, source), source), isLost, format);
      }
    }
  });
});

const encodings: Encoding[] = [
  { format: 'png' },
  { format: 'jpeg' },
  { format: 'webp' },
  { format: 'webp', lossless: true },
];
/** Bytes of a profile in one segment of a JPEG file, and how many segments there can be. */
const [part, maxParts] = [65_519, 255];

/** Odd and even, and around the ends of one to three segments of a JPEG file. */
const lengths = fc.oneof(
  fc.integer({ min: 480, max: 4000 }),
  fc
    .tuple(fc.integer({ min: 1, max: 3 }), fc.integer({ min: -1, max: 1 }))
    .map(([parts, more]) => parts * part + more),
);

describe('a file with a profile, read by others', () => {
  const codecs = new Codecs();
  after(() => codecs.dispose());

  it('has every byte of the profile, and the pixels that it had', async () => {
    await fc.assert(
      fc.asyncProperty(recipes, fc.constantFrom(...encodings), lengths, async (recipe, encoding, length) => {
        const profile = await profileOfLength(length);
        const plain = await codecs.encode(pictureOf(recipe), encoding);
        const file = withProfile(plain, profile);
        assert.ok((await readProfile(file))?.equals(profile), 'the profile is whole');
        const { icc } = await readTags(file);
        assert.equal(icc?.['ICC Description']?.value, 'sP3C');
        assertPixels(await readBySharp(file), await readBySharp(plain));
        if (encoding.format === 'png') {
          assertPixels(readByPngjs(file), readByPngjs(plain));
        }
      }),
      { numRuns: fuzzRuns(12, 50) },
    );
  });

  it('begins with what a JPEG file begins with', async () => {
    const plain = await codecs.encode(pictureOf({ content: 'gradient', size, seed: 1 }), { format: 'jpeg' });
    const file = withProfile(plain, await profileOfLength(500));
    assert.deepEqual(file.subarray(0, 20), plain.subarray(0, 20));
    assert.equal(Buffer.from(file).toString('latin1', 6, 10), 'JFIF');
  });

  it('has the longest profile that a JPEG has room for, and a PNG too', async () => {
    const profile = await profileOfLength(part * maxParts);
    for (const encoding of encodings.slice(0, 2)) {
      const plain = await codecs.encode(pictureOf({ content: 'gradient', size, seed: 1 }), encoding);
      const file = withProfile(plain, profile);
      assert.ok(profile.equals((await profileOf(file)) ?? Buffer.alloc(0)), encoding.format);
      // libvips takes a hundred parts of a JPEG file.
      const theirs = encoding.format === 'jpeg' ? await profileOfLength(part * 100) : profile;
      assert.ok((await readProfile(withProfile(plain, theirs)))?.equals(theirs), encoding.format);
      assertPixels(await readBySharp(file), await readBySharp(plain));
    }
  });

  it('has none rather than part of one where it is longer', async () => {
    const profile = await profileOfLength(part * maxParts + 1);
    for (const encoding of encodings) {
      const plain = await codecs.encode(pictureOf({ content: 'gradient', size, seed: 1 }), encoding);
      assert.ok(withProfile(plain, profile) === plain, encoding.format);
    }
  });

  it('has none of other colors than red, green and blue', async () => {
    const plain = await codecs.encode(pictureOf({ content: 'gradient', size, seed: 1 }), { format: 'jpeg' });
    const profile = await profileOfLength(500);
    for (const space of ['GRAY', 'CMYK']) {
      profile.write(space, 16, 'latin1');
      assert.equal(await profileOf(withProfile(plain, profile)), undefined);
    }
  });

  it('may say that its parts are gigabytes long, which does no harm', async () => {
    for (const hex of [
      '89504e470d0a1a0a0000000d49484452' + '00'.repeat(17) + 'ffffffff69434350' + '00'.repeat(20),
      '52494646ffffffff574542504a554e4bffffffff',
      '52494646ffffffff5745425049434350ffffffff00',
      'ffd8ffe20000' + Buffer.from('ICC_PROFILE\0\x01\x01', 'latin1').toString('hex'),
    ]) {
      assert.equal(await profileOf(Buffer.from(hex, 'hex')), undefined);
    }
  });

  it('may break off anywhere, which does no harm', async () => {
    for (const encoding of encodings) {
      const file = withProfile(
        await codecs.encode(pictureOf({ content: 'gradient', size, seed: 1 }), encoding),
        await profileOfLength(500),
      );
      for (let length = 0; length < file.length; length++) {
        await profileOf(file.subarray(0, length));
      }
      await profileOf(file.fill(0, 40, 60));
    }
  });
});

const size = { width: 6, height: 5 };
