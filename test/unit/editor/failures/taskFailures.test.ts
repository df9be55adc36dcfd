import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ErrorRecord } from '../../../../src/common/limnerError.ts';
import { aRequest, aTask } from '../../../support/engine/taskBuilders.ts';
import { loadEditorWords } from './vscodeWords.ts';

const { showTaskFailure, shown } = await loadEditorWords();

const quota: ErrorRecord = { code: 'quota_exceeded', message: 'No credit.', billing: 'no' };
const failed: ErrorRecord = { code: 'image_generation_failed', message: 'No.', billing: 'refunded' };

/** Shows it without waiting for a person. @returns the messages that it added */
function show(error: ErrorRecord, prompt: string, createdAt = 0): string[] {
  const before = shown.length;
  void showTaskFailure(error, aTask({ request: aRequest({ prompt }), status: 'failed', createdAt, error }));
  return shown.slice(before);
}

void describe('the message about a failed task', () => {
  it('begins with its prompt, however long that is', () => {
    assert.match(show(failed, 'A red fox')[0] ?? '', /^"A red fox": The service couldn't create the image/u);
    assert.match(
      show(failed, 'A lighthouse\n'.repeat(9))[0] ?? '',
      /^"A lighthouse A lighthouse .{0,20}…": /u,
    );
  });

  it('is one for all tasks that a cause befalls, and another one for what is started later', () => {
    assert.equal(show(quota, 'One').length, 1);
    assert.equal(show(quota, 'Two').length, 0);
    assert.equal(show({ ...quota, billing: 'maybe' }, 'Two').length, 1);
    assert.equal(show(failed, 'Two').length, 1);
    assert.equal(show(quota, 'Three', Date.now() + 1000).length, 1);
  });
});
