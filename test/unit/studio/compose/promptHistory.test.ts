import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { rememberPrompt, stepThroughPrompts } from '../../../../src/studio/compose/fields/promptHistory.ts';

void describe('the history of prompts', () => {
  void it('goes to older prompts and back to an empty one', () => {
    const prompts = ['newest', 'older', 'oldest'];
    let draft = { prompt: '', prompts };
    const seen = ['older', 'older', 'older', 'older', 'newer', 'newer', 'newer'] as const;
    assert.deepEqual(
      seen.map((step) => {
        draft = stepThroughPrompts(draft, step);
        return draft.prompt;
      }),
      ['newest', 'older', 'oldest', 'oldest', 'older', 'newest', ''],
    );
    assert.deepEqual(draft.prompts, prompts);
  });

  void it('keeps what was typed and not submitted', () => {
    const there = stepThroughPrompts({ prompt: 'half a thought', prompts: ['newest'] }, 'older');
    assert.equal(there.prompt, 'newest');
    assert.equal(stepThroughPrompts(there, 'newer').prompt, 'half a thought');
  });

  void it('has each prompt once, the newest first, and 50 at most', () => {
    const many = Array.from({ length: 60 }, (_, index) => `prompt ${index}`).reduce<string[]>(
      rememberPrompt,
      [],
    );
    assert.equal(many.length, 50);
    assert.deepEqual(rememberPrompt(many, 'prompt 30').slice(0, 2), ['prompt 30', 'prompt 59']);
    assert.equal(new Set(rememberPrompt(many, 'prompt 30')).size, 50);
    assert.equal(rememberPrompt(many, 'prompt 30').length, 50);
  });
});
