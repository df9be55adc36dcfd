import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { RangeReader } from '../../../../src/images/formats/rangeReader.ts';

const bytes = Buffer.from(Array.from({ length: 400_000 }, (_, at) => (at * 31 + (at >> 8) + 7) & 255));

/** An open file that gives at most `step` bytes a read, and counts what was taken from it, and into what memory. */
function fileOf(step: number) {
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
        const readers = [new RangeReader(fileOf(step)), new RangeReader(bytes)];
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
    const file = fileOf(1e9);
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
    const file = fileOf(1e9);
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
