import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { jsonLine, printable } from '../../../../src/cli/output/terminalText.ts';
import { jq } from '../../../readers/scripts.ts';
import { linesOf } from '../../../support/cli/limner.ts';

/** What moves a cursor, ends a line, or turns the direction of writing around. */
const hostile = '\u001b[2J\u009b2J\u0007\r\n\u2028\u2029\u202e\u2066\u200b\u007f\0\ud800 \u{e0041}';

/** Any text, and such as breaks lines, strings and characters. */
const texts = fc
  .array(
    fc.oneof(
      fc.constantFrom(...Array.from(hostile), '"', '\\', '\n', '\udd8a', '🦊'),
      fc.string({ unit: 'binary' }),
    ),
  )
  .map((parts) => parts.join(''));

describe('text of others on a terminal', () => {
  it('is one line without anything that is not seen', () => {
    assert.equal(printable(`\ta${hostile}b\n`), 'a [2J 2J b');
  });

  it('is escaped in JSON, where nothing but half characters is lost', () => {
    const line = jsonLine({ text: hostile, list: [hostile, 'a fox 🦊'] });
    assert.doesNotMatch(line, /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u);
    const whole = hostile.toWellFormed();
    assert.deepEqual(JSON.parse(line), { text: whole, list: [whole, 'a fox 🦊'] });
    assert.ok(line.includes('a fox 🦊'));
  });

  it('is what jq reads, whatever it is, one value a line', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(texts, { minLength: 1, maxLength: 20 }), async (given) => {
        const lines = given.map((text) => `${jsonLine({ prompt: text, error: { message: text } })}\n`);
        const read = linesOf(await jq(lines.join(''), '[.prompt, .error.message]', '-c'));
        assert.deepEqual(
          read.map((line): unknown => JSON.parse(line)),
          given.map((text) => [text.toWellFormed(), text.toWellFormed()]),
        );
      }),
      { numRuns: 20 },
    );
  });
});
