import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  type Chunk,
  jpegSegments,
  pngChunks,
  pngChunksBeforePixels,
  webpChunks,
} from '../../../../src/images/formats/containers.ts';
import { RangeReader } from '../../../../src/images/formats/rangeReader.ts';
import { jpegSegment } from '../../../support/images/jpegFile.ts';
import { pngChunk } from '../../../support/images/pngFile.ts';
import { riffChunk } from '../../../support/images/webpFile.ts';
import { Random } from '../../../support/random.ts';

/** Readers of the same bytes, in memory and from an open file that gives few of them at once. */
function readersOf(bytes: Buffer): RangeReader[] {
  const file = {
    read: async (buffer: Uint8Array, offset: number, length: number, position: number) => ({
      bytesRead: bytes.copy(
        buffer,
        offset,
        Math.min(position, bytes.length),
        Math.min(position + Math.min(length, 7000), bytes.length),
      ),
    }),
  };
  return [new RangeReader(bytes), new RangeReader(file)];
}

async function all(chunks: AsyncIterable<Chunk>): Promise<Chunk[]> {
  return Array.fromAsync(chunks);
}

const random = new Random(9);

function data(most = random.pick([0, 1, 2, 5, 100])): Buffer {
  return Buffer.from(Array.from({ length: most }, () => random.below(256)));
}

/** The names of the markers with a length, as the standard gives them. */
const segments: Record<string, number> = {
  SOF0: 0xc0,
  SOF3: 0xc3,
  DHT: 0xc4,
  SOF5: 0xc5,
  JPG: 0xc8,
  SOF9: 0xc9,
  DAC: 0xcc,
  SOF15: 0xcf,
  DQT: 0xdb,
  DNL: 0xdc,
  DRI: 0xdd,
  DHP: 0xde,
  EXP: 0xdf,
  APP0: 0xe0,
  APP11: 0xeb,
  APP15: 0xef,
  COM: 0xfe,
  FF02: 0x02,
  FF0A: 0x0a,
  FFBF: 0xbf,
  FFF0: 0xf0,
  FFFD: 0xfd,
};

describe('the segments of a JPEG', () => {
  it('are all that there are up to its end, with fill bytes before them and pixels behind scans', async () => {
    for (let run = 0; run < 60; run++) {
      const parts: Buffer[] = [Buffer.from([0xff, 0xd8])];
      const expected: Chunk[] = [];
      const length = (): number => parts.reduce((sum, part) => sum + part.length, 0);
      const add = (type: string, part: Buffer, head: number): void => {
        expected.push({ type, offset: length(), start: length() + head, length: part.length - head });
        parts.push(part);
      };
      for (let count = random.below(9); count > 0; count--) {
        const [type, marker] = random.pick([...Object.entries(segments), ['TEM', 1] as const]);
        parts.push(Buffer.alloc(random.pick([0, 0, 1, 3, 7001]), 0xff));
        if (type === 'TEM') {
          add(type, Buffer.from([0xff, 1]), 2);
        } else {
          add(type, jpegSegment(marker, data()), 4);
        }
        if (random.below(3) === 0) {
          add('SOS', jpegSegment(0xda, data(10)), 4);
          for (let restart = 0; restart < random.below(4); restart++) {
            parts.push(Buffer.from(data(90).filter((byte) => byte !== 0xff)));
            parts.push(Buffer.from([0xff, 0, 0xff, 0xff, 0, 0xff, 0, 1]));
            add(`RST${restart}`, Buffer.from([0xff, 0xd0 + restart]), 2);
          }
        }
      }
      const isWhole = random.below(4) > 0;
      if (isWhole) {
        add('EOI', Buffer.from([0xff, 0xd9]), 2);
        parts.push(jpegSegment(0xe1, 'behind it'));
      }
      for (const reader of readersOf(Buffer.concat(parts))) {
        assert.deepEqual(await all(jpegSegments(reader)), expected, `run ${run}`);
      }
    }
  });

  it('end where none follows', async () => {
    const comment = { type: 'COM', offset: 2, start: 6, length: 1 };
    for (const [behind, more] of [
      ['', []],
      ['ff', []],
      ['ffff', []],
      ['ff00', []],
      ['ff00ffe10002', []],
      ['00ffe10002', []],
      ['4142ffe10002', []],
      ['ffe1', []],
      ['ffe100', []],
      ['ffe10009', [{ type: 'APP1', offset: 7, start: 11, length: 7 }]],
      ['ffe10001ffe10002', [{ type: 'APP1', offset: 7, start: 11, length: -1 }]],
      ['ffe10000ffe10002', [{ type: 'APP1', offset: 7, start: 11, length: -2 }]],
      ['ffd8', [{ type: 'SOI', offset: 7, start: 9, length: 0 }]],
    ] as const) {
      const bytes = Buffer.from(`ffd8fffe000361${behind}`, 'hex');
      for (const reader of readersOf(bytes)) {
        assert.deepEqual(await all(jpegSegments(reader)), [comment, ...more], behind);
      }
    }
    assert.deepEqual(await all(jpegSegments(new RangeReader(Buffer.from('ffd8ff0041ffe10002', 'hex')))), []);
  });
});

describe('the chunks of a PNG and of a WebP', () => {
  const signature = Buffer.from('89504e470d0a1a0a', 'hex');

  it('are all that there are, and those before the pixels end there', async () => {
    for (let run = 0; run < 20; run++) {
      const types = Array.from({ length: random.below(6) }, () =>
        random.pick(['IHDR', 'IDAT', 'tEXt', 'IEND']),
      );
      const parts = types.map((type) => pngChunk(type, data()));
      const expected = types.map((type, index) => {
        const offset = parts.slice(0, index).reduce((sum, part) => sum + part.length, 8);
        return { type, offset, start: offset + 8, length: (parts[index]?.length ?? 0) - 12 };
      });
      const bytes = Buffer.concat([signature, ...parts, Buffer.alloc(random.below(8))]);
      const pixels = types.indexOf('IDAT');
      for (const reader of readersOf(bytes)) {
        assert.deepEqual(await all(pngChunks(reader)), expected);
        assert.deepEqual(await all(pngChunks(reader, expected.at(-1)?.offset)), expected.slice(-1));
        const before = await all(pngChunksBeforePixels(reader));
        assert.deepEqual(before, pixels < 0 ? expected : expected.slice(0, pixels));
      }
      const other = Buffer.concat([Buffer.alloc(8), ...parts]);
      assert.deepEqual(await all(pngChunksBeforePixels(new RangeReader(other))), []);
    }
  });

  it('are those between two positions, with what fills them up', async () => {
    for (let run = 0; run < 20; run++) {
      const types = Array.from({ length: random.below(6) }, () => random.pick(['VP8 ', 'ALPH', 'abcd']));
      const bodies = types.map(() => data());
      const parts = types.map((type, index) => riffChunk(type, bodies[index] ?? assert.fail()));
      const expected = types.map((type, index) => {
        const offset = parts.slice(0, index).reduce((sum, part) => sum + part.length, 12);
        return { type, offset, start: offset + 8, length: bodies[index]?.length ?? 0 };
      });
      const bytes = Buffer.concat([Buffer.alloc(12), ...parts, Buffer.alloc(random.below(8))]);
      for (const reader of readersOf(bytes)) {
        assert.deepEqual(await all(webpChunks(reader)), expected);
        const at = random.below(expected.length + 1);
        const end = expected[at]?.offset ?? bytes.length;
        assert.deepEqual(await all(webpChunks(reader, 12, end)), expected.slice(0, at));
        assert.deepEqual(await all(webpChunks(reader, 12, end + 7)), expected.slice(0, at));
        assert.deepEqual(await all(webpChunks(reader, end, end + 8)), expected.slice(at, at + 1));
      }
    }
  });
});
