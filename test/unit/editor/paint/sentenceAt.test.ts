import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sentenceAt } from '../../../../src/editor/paint/sentenceAt.ts';

const text = [
  '# A day at the sea',
  '',
  '- The tide is out. A red boat lies',
  '  on the sand! Gulls sleep.',
  '',
  '狐は雪の中にいる。月が明るい。',
  '',
].join('\n');

const at = (part: string, more = 0): string => sentenceAt(text, text.indexOf(part) + more);

void describe('the sentence at a place', () => {
  void it('is the one around it, on one line and without the marks of its paragraph', () => {
    assert.equal(at('tide'), 'The tide is out.');
    assert.equal(at('red boat'), 'A red boat lies on the sand!');
    assert.equal(at('day at'), 'A day at the sea');
    assert.equal(at('月'), '月が明るい。');
  });

  void it('is the last one at the end of a paragraph, and none between paragraphs', () => {
    assert.equal(at('sleep.', 'sleep.'.length), 'Gulls sleep.');
    assert.equal(sentenceAt('One.\n\n\n\nTwo.', 6), '');
    assert.equal(sentenceAt('', 0), '');
  });

  void it('is found in time in a text without paragraphs', () => {
    assert.equal(sentenceAt('x'.repeat(5_000_000), 2_000_000).length, 10_000);
  });
});
