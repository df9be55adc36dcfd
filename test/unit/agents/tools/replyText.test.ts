import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { refusalText, taskLine, taskText, type FileNamer } from '../../../../src/agents/tools/replyText.ts';
import { aRequest, aResult, aTask, anError } from '../../../support/engine/taskBuilders.ts';

const namer: FileNamer = { nameOf: (uri) => uri.replace('file:///w/', '') };
const price = { amount: 0.08, currency: 'USD' };
const saved = aResult({ state: 'saved', uri: 'file:///w/fox.png', mediaType: 'image/png' });
const done = { status: 'completed', completedAt: 1_700_000_001_000 } as const;

const onWhite = aTask({
  ...done,
  request: aRequest({ price, onBlack: { finish: { cutout: { by: 'grounds' } }, fileName: 'fox.png' } }),
  results: [{ ...saved, uri: 'file:///w/fox-on-white.png', onBlack: { id: 'black', begun: true } }],
});

describe('what an agent is told', () => {
  it('repeats no more of a prompt or an error than can be read, and nothing that a terminal would obey', () => {
    const prompt = `\u001b]0;b\u0007\u202e${'a fox '.repeat(100_000)}`;
    const task = aTask({ ...done, request: aRequest({ prompt }), results: [saved] });
    for (const text of [
      taskText(task, namer),
      taskLine(task, namer),
      refusalText({ code: 'invalid_request', message: prompt, billing: 'no' }),
    ]) {
      assert.ok(text.length < 1200, String(text.length));
      assert.doesNotMatch(text.replaceAll('\n', ''), /[\p{Cc}\p{Cf}]/u);
    }
  });

  it('counts both images of two backgrounds', () => {
    const task = aTask({ ...done, request: aRequest({ price }), results: [saved] });
    assert.match(
      taskText(task, namer, { onWhite }),
      /^Cost: the service bills 2 images\. That is about 0\.16 USD\.$/mu,
    );
  });

  it('says that the image on white was billed when the one on black is refused', () => {
    const task = aTask({
      status: 'failed',
      request: aRequest({ price }),
      error: anError({ code: 'rate_limited', message: 'Too many requests.', billing: 'no' }),
    });
    const text = taskText(task, namer, { onWhite });
    assert.match(text, /^The image on white was saved as fox-on-white\.png\./mu);
    assert.match(text, /^Cost: the service bills 1 image\. That is about 0\.08 USD\.$/mu);
    assert.match(text, /^What to do: ask the user\. .* both are billed\.$/mu);
    assert.doesNotMatch(text, /in a few minutes|nothing was billed/u);
  });

  it('says that the image on white is not the one that was asked for while the other one waits', () => {
    const task = aTask({ id: 'black', held: true, request: aRequest({ price }), results: [] });
    const text = taskText(task, namer, { onWhite });
    assert.match(text, /^The image on white was saved as fox-on-white\.png\. .* was not sent\.$/mu);
    assert.match(text, /^Cost: the service bills 1 image\. That is about 0\.08 USD\.$/mu);
    assert.match(
      text,
      /^What to do: ask the user to send task black, which may be billed: .*"limner tasks/mu,
    );
    assert.match(text, /^Task: black$/mu);
  });

  it('counts images beyond those asked for, and tasks that were not sent, as the bill does', () => {
    const surplus = aResult({ index: 1, state: 'remote', surplus: true });
    const task = aTask({ ...done, request: aRequest({ price }), results: [saved, surplus] });
    assert.match(
      taskText(task, namer),
      /^Cost: the service bills 1 image, and may have billed 1 image more\. That is about 0\.08 USD, up to 0\.16 USD\.$/mu,
    );
    const held = aTask({ held: true, request: aRequest({ price }), results: [] });
    assert.match(taskText(held, namer), /^Cost: none so far\. The task was not sent\.$/mu);
  });

  it('says where what is paid for is, although Limner cannot save it', () => {
    const error = { billing: 'yes', phase: 'download' } as const;
    const results = [
      aResult({
        state: 'failed',
        stagedPath: '/home/inbox/a.avif',
        error: anError({ ...error, code: 'unsupported_image', message: 'It is AVIF.' }),
      }),
      aResult({
        index: 1,
        state: 'failed',
        url: 'https://results.example/1.png?signature=0',
        error: anError({ ...error, code: 'protocol', status: 401, sent: true, message: 'It is refused.' }),
      }),
    ];
    const text = taskText(aTask({ status: 'failed', request: aRequest({ n: 2 }), results }), namer);
    assert.match(
      text,
      /^Image 1 of 2: It is AVIF\. The received data is kept in \/home\/inbox\/a\.avif\.$/mu,
    );
    assert.match(
      text,
      /^Image 2 of 2: Couldn't fetch the image: It is refused\. The image is at https:\/\/results\.example\/1\.png\?signature=0 for 6 hours\.$/mu,
    );
  });

  it('says about what a task costs, and what may come on top', () => {
    const running = aTask({ status: 'in_progress', request: aRequest({ price, n: 2 }) });
    assert.match(
      taskText(running, namer),
      /^Cost: the service may bill 2 images\. That is up to 0\.16 USD\.$/mu,
    );
    const free = aTask({ ...done, request: aRequest({ free: true }), results: [saved] });
    assert.match(taskText(free, namer), /^Cost: none\./mu);
    const without = aTask({ ...done, results: [saved] });
    assert.match(taskText(without, namer), /^Cost: the service bills 1 image\.$/mu);
  });

  it('sends an agent to the user when the budget is used up', () => {
    const text = refusalText({ code: 'over_budget', message: 'The budget is used up.', billing: 'no' });
    assert.match(text, /^What to do: tell the user\. Only the user can allow more/mu);
  });
});
