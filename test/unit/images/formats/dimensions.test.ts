import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import {
  dimensionsFromPrefix,
  type ReadableFile,
  readDimensions,
} from '../../../../src/images/formats/dimensions.ts';
import { Random } from '../../../support/random.ts';
import { bitsPerChannel, sniffImage } from '../../../../src/images/formats/sniff.ts';
import { kinds, validPngs } from '../../../support/images/damagedFiles.ts';
import { RangeReader } from '../../../../src/images/formats/containers.ts';

function png(width: number, height: number): Buffer {
  const bytes = Buffer.alloc(33);
  bytes.write('89504e470d0a1a0a0000000d49484452', 'hex');
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return bytes;
}

function segment(marker: number, payload: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(payload.length + 2, 2);
  return Buffer.concat([head, payload]);
}

function frame(marker: number, width: number, height: number): Buffer {
  const payload = Buffer.alloc(15);
  payload[0] = 8;
  payload.writeUInt16BE(height, 1);
  payload.writeUInt16BE(width, 3);
  return segment(marker, payload);
}

function jpeg(...segments: Buffer[]): Buffer {
  return Buffer.concat([Buffer.from([0xff, 0xd8]), ...segments]);
}

function webp(tag: string, payload: Buffer): Buffer {
  const bytes = Buffer.alloc(20 + Math.max(payload.length, 10));
  bytes.write('RIFF', 0, 'latin1');
  bytes.write('WEBP', 8, 'latin1');
  bytes.write(tag, 12, 'latin1');
  payload.copy(bytes, 20);
  return bytes;
}

function lossy(width: number, height: number): Buffer {
  const payload = Buffer.from([0, 0, 0, 0x9d, 0x01, 0x2a, 0, 0, 0, 0]);
  // The two highest bits are a scale and not part of the size.
  payload.writeUInt16LE(width | 0x4000, 6);
  payload.writeUInt16LE(height | 0x8000, 8);
  return webp('VP8 ', payload);
}

function lossless(width: number, height: number): Buffer {
  const payload = Buffer.alloc(5);
  payload[0] = 0x2f;
  payload.writeUInt32LE(((width - 1) | ((height - 1) << 14) | (1 << 28)) >>> 0, 1);
  return webp('VP8L', payload);
}

function extended(width: number, height: number): Buffer {
  const payload = Buffer.alloc(10);
  payload.writeUIntLE(width - 1, 4, 3);
  payload.writeUIntLE(height - 1, 7, 3);
  return webp('VP8X', payload);
}

/** A file that gives at most `step` bytes a read, and counts its reads and what was taken from it. */
function fileOf(bytes: Buffer, step = 1000): ReadableFile & { taken: number; reads: number } {
  return {
    taken: 0,
    reads: 0,
    read(buffer, offset, length, position) {
      const part = bytes.subarray(position, position + Math.min(length, step));
      buffer.set(part, offset);
      this.taken += part.length;
      this.reads++;
      return Promise.resolve({ bytesRead: part.length });
    },
  };
}

describe('dimensionsFromPrefix', () => {
  const pictures = {
    'a PNG': png(640, 480),
    'a JPEG': jpeg(segment(0xe0, Buffer.alloc(14)), frame(0xc0, 640, 480)),
    'a progressive JPEG': jpeg(segment(0xdb, Buffer.alloc(65)), frame(0xc2, 640, 480)),
    'a lossy WebP': lossy(640, 480),
    'a lossless WebP': lossless(640, 480),
    'an extended WebP': extended(640, 480),
  };

  for (const [name, bytes] of Object.entries(pictures)) {
    it(`finds width and height of ${name}`, () => {
      assert.deepEqual(dimensionsFromPrefix(bytes), { kind: 'known', width: 640, height: 480 });
    });

    it(`asks for more of ${name} until it has enough, and then for no more`, () => {
      let length = 0;
      let found = dimensionsFromPrefix(bytes.subarray(0, length));
      while (found.kind === 'more') {
        assert.ok(found.needed > length && found.needed <= bytes.length);
        // A byte less would not do.
        assert.equal(dimensionsFromPrefix(bytes.subarray(0, found.needed - 1)).kind, 'more');
        length = found.needed;
        found = dimensionsFromPrefix(bytes.subarray(0, length));
      }
      assert.deepEqual(found, { kind: 'known', width: 640, height: 480 });
    });
  }

  it('finds any size that the formats can state, and none that is nothing', () => {
    const random = new Random(2);
    const bits = (most: number): number => random.below(2 ** (1 + random.below(most)));
    for (let run = 0; run < 40; run++) {
      for (const [most, least, make] of [
        [31, 0, png],
        [16, 0, (width: number, height: number): Buffer => jpeg(frame(0xc0, width, height))],
        [14, 0, lossy],
        [14, 1, lossless],
        [24, 1, extended],
      ] as const) {
        const [width, height] = [least + bits(most), least + bits(most)];
        assert.deepEqual(
          dimensionsFromPrefix(make(width, height)),
          width > 0 && height > 0 ? { kind: 'known', width, height } : { kind: 'unknown' },
          `${width} × ${height}`,
        );
      }
    }
  });

  it('knows the frames of a JPEG from all that may come before one', () => {
    const size = { kind: 'known', width: 3, height: 5 };
    for (let marker = 0x01; marker < 0xff; marker++) {
      const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
      const isEnd = marker === 0xd9 || marker === 0xda;
      const hasNoLength = marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7);
      // The size that stands there is the one that counts in a frame.
      const bytes = jpeg(
        hasNoLength ? Buffer.from([0xff, marker]) : frame(marker, isFrame ? 3 : 7, isFrame ? 5 : 9),
        isFrame ? frame(0xc0, 7, 9) : frame(0xc0, 3, 5),
      );
      assert.deepEqual(dimensionsFromPrefix(bytes), isEnd ? { kind: 'unknown' } : size, marker.toString(16));
    }
  });

  it('takes a segment of a JPEG without contents, and none that is shorter', () => {
    for (const [length, kind] of [
      [0, 'unknown'],
      [1, 'unknown'],
      [2, 'known'],
    ] as const) {
      const bytes = jpeg(Buffer.from([0xff, 0xe1, 0, length]), frame(0xc0, 3, 5));
      assert.equal(dimensionsFromPrefix(bytes).kind, kind);
    }
    const junk = jpeg(segment(0xe0, Buffer.alloc(9)), Buffer.from([0xfe]), frame(0xc0, 3, 5));
    assert.equal(dimensionsFromPrefix(junk).kind, 'unknown');
  });

  it('says unknown for damaged headers and zero sizes', () => {
    const unknown = { kind: 'unknown' };
    assert.deepEqual(dimensionsFromPrefix(png(0, 10)), unknown);
    assert.deepEqual(dimensionsFromPrefix(png(0x80000000, 1)), unknown);
    assert.deepEqual(dimensionsFromPrefix(png(1, 0xffffffff)), unknown);
    assert.deepEqual(dimensionsFromPrefix(jpeg(Buffer.from('ffe00001ffc00000000000000000', 'hex'))), unknown);
    assert.deepEqual(dimensionsFromPrefix(jpeg(Buffer.from('ff01ff010000000000000000', 'hex'))), unknown);
    assert.deepEqual(dimensionsFromPrefix(jpeg(segment(0xda, Buffer.alloc(20)))), unknown);
    assert.deepEqual(dimensionsFromPrefix(webp('ALPH', Buffer.alloc(10))), unknown);
    assert.deepEqual(dimensionsFromPrefix(Buffer.from('<svg width="640" height="480"/>')), unknown);
  });
});

describe('readDimensions', () => {
  it('finds the size behind a long color profile and reads no further', async () => {
    const profiles = Array.from({ length: 5 }, () => segment(0xe2, Buffer.alloc(60_000)));
    const file = fileOf(
      Buffer.concat([jpeg(...profiles, frame(0xc0, 7, 9)), Buffer.alloc(3_000_000)]),
      65_536,
    );
    assert.deepEqual(await readDimensions(file), { width: 7, height: 9 });
    assert.ok(file.taken < 700_000, `read ${file.taken} bytes`);
  });

  it('finds the size behind several megabytes in few reads, and gives up on one behind many', async () => {
    const profile = segment(0xe2, Buffer.alloc(65_533));
    const behind = (megabytes: number): Buffer =>
      jpeg(...Array.from({ length: megabytes * 16 }, () => profile), frame(0xc0, 7, 9));
    const near = fileOf(behind(5), 1e9);
    assert.deepEqual(await readDimensions(near), { width: 7, height: 9 });
    assert.ok(near.reads < 15, `${near.reads} reads`);
    const far = fileOf(behind(20), 1e9);
    assert.equal(await readDimensions(far), undefined);
    assert.ok(far.taken <= 16 * 1024 * 1024, `read ${far.taken} bytes`);
  });

  it('reads a file whose size is in its head no further, nor one that has none', async () => {
    for (const [head, size] of [
      [png(640, 480), { width: 640, height: 480 }],
      [webp('ALPH', Buffer.alloc(10)), undefined],
      [jpeg(Buffer.from('ffe0000100', 'hex')), undefined],
      [Buffer.from('GIF89a'), undefined],
    ] as const) {
      const file = fileOf(Buffer.concat([head, Buffer.alloc(100_000)]));
      assert.deepEqual(await readDimensions(file), size);
      assert.ok(file.taken <= 8192, `read ${file.taken} bytes`);
    }
  });

  it('finds no size in a file that is cut off before or in it, and reads it once', async () => {
    for (const [bytes, end] of [
      [png(0x10500, 0x10500), 24],
      [jpeg(segment(0xe0, Buffer.alloc(5000)), frame(0xc0, 0x500, 0x500)), 2 + 5004 + 9],
      [extended(0x10500, 0x10500), 30],
      [lossy(0x500, 0x500), 30],
    ] as const) {
      for (let length = end - 12; length <= end; length++) {
        const file = fileOf(bytes.subarray(0, length), 1e9);
        assert.equal((await readDimensions(file)) !== undefined, length >= end, `${length} bytes`);
        assert.ok(file.reads <= 5, `${file.reads} reads`);
      }
    }
  });
});

const heads = {
  png: Buffer.from('89504e470d0a1a0a0000000d', 'hex'),
  jpg: Buffer.from('ffd8ffe000104a4649460001', 'hex'),
  webp: Buffer.from('RIFF\x24\0\0\0WEBP', 'latin1'),
};

describe('sniffImage', () => {
  it('tells PNG, JPEG and WebP by their first bytes', () => {
    assert.deepEqual(sniffImage(heads.png), { mediaType: 'image/png', extension: 'png' });
    assert.deepEqual(sniffImage(heads.jpg), { mediaType: 'image/jpeg', extension: 'jpg' });
    assert.deepEqual(sniffImage(heads.webp), { mediaType: 'image/webp', extension: 'webp' });
  });

  it('knows nothing else, whatever it claims to be', () => {
    for (const text of [
      '<svg xmlns="http://www.w3.org/2000/svg"/>',
      '<!doctype html>',
      'GIF89a…',
      'RIFF1234WAVE',
      'LIST1234WEBP',
      '',
    ]) {
      assert.equal(sniffImage(Buffer.from(text)), undefined, text);
    }
  });

  it('does not take half a signature for an image', () => {
    assert.equal(sniffImage(heads.png.subarray(0, 7)), undefined);
    assert.equal(sniffImage(heads.webp.subarray(0, 11)), undefined);
    // With every byte of a signature that is another.
    for (const [head, places] of [
      [heads.png, [0, 1, 2, 3, 4, 5, 6, 7]],
      [heads.jpg, [0, 1, 2]],
      [heads.webp, [0, 1, 2, 3, 8, 9, 10, 11]],
    ] as const) {
      for (const at of head.keys()) {
        const other = Buffer.from(head);
        other[at] = (other[at] ?? 0) ^ 1;
        assert.equal(
          sniffImage(other) === undefined,
          places.some((place) => place === at),
          `byte ${at}`,
        );
      }
    }
  });
});

describe('bitsPerChannel', () => {
  it('is 16 for the PNG files with that many, and 8 for all others', () => {
    for (const kind of kinds) {
      for (const file of validPngs(kind)) {
        assert.equal(bitsPerChannel(file), kind.bitDepth === 16 ? 16 : 8);
      }
    }
    for (const head of [heads.jpg, heads.webp, Buffer.alloc(0)]) {
      const file = Buffer.concat([head, Buffer.alloc(60, 16)]);
      assert.equal(bitsPerChannel(file), 8);
    }
  });
});

const bytes = Buffer.from(Array.from({ length: 400_000 }, (_, at) => (at * 31 + (at >> 8) + 7) & 255));

/** An open file that gives at most `step` bytes a read, and counts what was taken from it, and into what memory. */
function countingFile(step: number) {
  return {
    reads: 0,
    memory: new Set<Uint8Array>(),
    taken: 0,
    read(
      buffer: Uint8Array,
      offset: number,
      length: number,
      position: number,
    ): Promise<{ bytesRead: number }> {
      // As files of Node do.
      assert.ok(length > 0 && offset + length <= buffer.length);
      const start = Math.min(position, bytes.length);
      const bytesRead = bytes.copy(buffer, offset, start, start + Math.min(step, length));
      this.reads++;
      this.memory.add(buffer);
      this.taken += bytesRead;
      return Promise.resolve({ bytesRead });
    },
  };
}

describe('ranges of a file', () => {
  const position = fc.integer({ min: 0, max: bytes.length + 10 });
  const length = fc.oneof(fc.integer({ min: -3, max: 40 }), fc.integer({ min: 0, max: 150_000 }));
  const ranges = fc.array(fc.tuple(position, length, fc.boolean()), { minLength: 1, maxLength: 8 });

  it('are what the file has there, on disk and in memory, wherever they begin and end', async () => {
    await fc.assert(
      fc.asyncProperty(ranges, fc.constantFrom(999, 100_000, 1e9), async (ranges, step) => {
        const readers = [new RangeReader(countingFile(step)), new RangeReader(bytes)];
        for (const [position, length, isWhole] of ranges) {
          const expected = bytes.subarray(position, position + Math.max(0, length));
          for (const reader of readers) {
            if (isWhole) {
              assert.ok((await reader.read(position, length)).equals(expected), `${length} from ${position}`);
            }
            const some = await reader.readSome(position);
            assert.ok(some.length > 0 || position >= bytes.length);
            assert.ok(some.equals(bytes.subarray(position, position + some.length)));
          }
        }
      }),
      { numRuns: 40 },
    );
  });

  it('take a quarter of a megabyte of memory at most, unless one is longer', async () => {
    const file = countingFile(1e9);
    const reader = new RangeReader(file);
    for (let position = 0; position < 8 * bytes.length; position += 30_000) {
      await reader.readSome(position % bytes.length);
    }
    const lengths = [...file.memory].map((memory) => memory.length);
    assert.ok(Math.max(...lengths) <= 262_144, `${lengths.join(', ')} bytes`);
    assert.ok(lengths.length <= 3, `${lengths.length} times new memory`);
    assert.equal((await reader.read(0, 300_000)).length, 300_000);
  });

  it('let others get their turn where there are very many, and only then', async () => {
    for (const read of ['read', 'readSome'] as const) {
      let turns = 0;
      const count = (): void => {
        turns += 1;
        next = setImmediate(count);
      };
      let next = setImmediate(count);
      const reader = new RangeReader(bytes);
      for (let index = 0; index < 25_000; index++) {
        await reader[read](index, 1);
      }
      clearImmediate(next);
      assert.ok(turns >= 2 && turns < 100, `${turns} turns`);
    }
  });

  it('that follow each other are read in few pieces, each once, and of a short beginning little is read', async () => {
    const file = countingFile(1e9);
    const reader = new RangeReader(file);
    await reader.read(0, 12);
    await reader.read(65_000, 500);
    assert.equal(file.taken, 65_536);
    for (let position = 65_500; position < bytes.length; position += 20) {
      await reader.read(position, 20);
    }
    assert.ok(file.reads <= 6, `${file.reads} reads`);
    assert.ok(file.taken < bytes.length + 200, `${file.taken} bytes`);
  });
});
