import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { redactorFor } from '../../../../src/service/http/keyRedactor.ts';
import { SafeSink } from '../../../../src/service/http/download.ts';
import { fuzzRuns } from '../../../support/fuzzRuns.ts';
import { MemorySink } from '../../../support/service/sinks.ts';

const key = 'sk-secret-of-ada';
/** A key as long as they come, and how it is written where all but its first character are escaped. */
const longKey = 'sk-'.padEnd(1000, 'secret');
const escapedKey = longKey.replaceAll(
  /(?<!^)./gu,
  (character) => `\\u00${character.charCodeAt(0).toString(16)}`,
);

/** Returns what is kept of a text that comes in these pieces. */
async function kept(apiKey: string, pieces: Iterable<Uint8Array>): Promise<string> {
  const target = new MemorySink();
  const sink = new SafeSink(target, redactorFor(apiKey));
  await sink.toText();
  for (const piece of pieces) {
    await sink.write(piece);
  }
  await sink.close();
  assert.equal(target.state, 'closed');
  return target.bytes.toString();
}

function* cut(bytes: Uint8Array, lengths: readonly number[]): Generator<Uint8Array> {
  for (let [start, piece] = [0, 0]; start < bytes.length; piece++) {
    const end = start + (lengths[piece % lengths.length] ?? bytes.length);
    yield bytes.subarray(start, end);
    start = end;
  }
}

describe('a text in the place of an image', () => {
  it('keeps each character and no key, wherever it is cut', async () => {
    const words = fc.array(fc.constantFrom(key, encodeURIComponent(key), 'x', 'ü', '狐', '🦊', '\n'), {
      minLength: 1,
      maxLength: 12,
    });
    const lengths = fc.array(fc.integer({ min: 1, max: 90_000 }), { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(words, fc.integer({ min: 1, max: 200_000 }), lengths, async (some, length, pieces) => {
        const unit = some.join('');
        const text = unit.repeat(Math.ceil(length / unit.length));
        const bytes = Buffer.from(text);
        const expected = text.replaceAll(key, '•••');
        assert.ok((await kept(key, cut(bytes, [...pieces, 4096]))) === expected);
      }),
      { numRuns: fuzzRuns(60, 1000) },
    );
  });

  it('keeps no part of a key that is written in escapes, after whatever number of bytes', async () => {
    const after = 'x'.repeat(80_000);
    for (let before = 57_000; before < 66_500; before += 500) {
      const text = `${'x'.repeat(before)}${escapedKey}${after}`;
      const found = await kept(longKey, cut(Buffer.from(text), [1000]));
      assert.equal(found, `${'x'.repeat(before)}•••${after}`);
    }
  });

  it('shows that its last character broke off', async () => {
    assert.equal(await kept(key, [Buffer.from('a🦊').subarray(0, 3)]), 'a\ufffd');
  });

  it('is written while it comes, not gathered', async () => {
    const target = new MemorySink();
    const sink = new SafeSink(target);
    await sink.toText();
    for (let count = 0; count < 1000; count++) {
      await sink.write(Buffer.alloc(1000, 'x'));
    }
    assert.ok(target.bytes.length > 900_000);
    await sink.close();
    assert.equal(target.bytes.length, 1_000_000);
  });
});
