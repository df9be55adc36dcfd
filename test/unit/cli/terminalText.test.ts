import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { jsonLine, printable } from '../../../src/cli/terminalText.ts';

/** What moves a cursor, ends a line, or turns the direction of writing around. */
const hostile = '\u001b[2J\u009b2J\u0007\r\n\u2028\u2029\u202e\u2066\u200b\u007f\0\ud800 \u{e0041}';

describe('text of others on a terminal', () => {
  it('is one line without anything that is not seen', () => {
    assert.equal(printable(`a${hostile}b`), 'a [2J 2J b');
  });

  it('is escaped in JSON, where nothing of it is lost', () => {
    const value = { text: hostile, list: [hostile, 'a fox 🦊'] };
    const line = jsonLine(value);
    assert.doesNotMatch(line, /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u);
    assert.deepEqual(JSON.parse(line), value);
    assert.ok(line.includes('a fox 🦊'));
  });
});
