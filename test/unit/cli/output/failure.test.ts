import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { LimnerError, type ErrorRecord } from '../../../../src/common/limnerError.ts';
import { fail } from '../../../../src/cli/output/failure.ts';
import { formatError } from '../../../../src/cli/output/taskFormat.ts';
import { Collected } from '../../../support/cli/collected.ts';
import { anError } from '../../../support/engine/taskBuilders.ts';

const noNetwork = 'Check your network connection and LIMNER_BASE_URL.';
const twice = 'Running it again is billed again.';

describe('an error in words', () => {
  const errors: [Partial<ErrorRecord>, string][] = [
    [{ code: 'no_key' }, 'Set LIMNER_API_KEY to the API key of this service.'],
    [
      { code: 'no_service' },
      'Set LIMNER_BASE_URL to a URL that starts with https://, or run "limner service" and use its baseUrl.',
    ],
    [{ code: 'unauthorized', billing: 'no' }, 'Not billed. Check LIMNER_API_KEY.'],
    [{ code: 'no_async_channel', billing: 'no' }, 'Not billed. Try --call-style sync.'],
    [{ code: 'queue_full', billing: 'no' }, 'Not billed. Try again later.'],
    [{ code: 'rate_limited', billing: 'no' }, 'Not billed. Try again later.'],
    [
      { code: 'over_budget', billing: 'no' },
      'Not billed. Raise LIMNER_BUDGET, or use --over-budget to send it anyway.',
    ],
    [{ code: 'quota_exceeded', billing: 'no' }, 'Not billed. Top up your account at the service.'],
    [{ code: 'content_rejected', billing: 'refunded' }, 'Refunded. Change the prompt.'],
    [{ code: 'image_generation_failed', billing: 'refunded' }, 'Refunded.'],
    [{ code: 'image_generation_failed', billing: 'yes' }, `Billed. ${twice}`],
    [{ code: 'protocol', billing: 'maybe' }, `May have been billed. ${twice}`],
    [{ code: 'network', billing: 'no', sent: false }, `Not billed. ${noNetwork}`],
    [{ code: 'timeout', billing: 'no', sent: false }, `Not billed. ${noNetwork}`],
    // The network was there: it is the service that did not answer.
    [{ code: 'network', billing: 'maybe', sent: true }, `May have been billed. ${twice}`],
    [{ code: 'timeout', billing: 'maybe' }, `May have been billed. ${twice}`],
    [
      { code: 'outcome_unknown', billing: 'maybe' },
      `May have been billed. Check your account at the service before you run it again. ${twice}`,
    ],
    [{ code: 'invalid_request', billing: 'no' }, 'Not billed.'],
  ];
  for (const [error, words] of errors) {
    it(`of ${error.code} says what it cost, and what can be done: ${words}`, () =>
      assert.equal(formatError(anError({ message: 'Alas.', ...error })), `Alas. ${words}`));
  }

  it('says nothing else where the image can still be fetched', () => {
    const error = anError({ code: 'unauthorized', message: 'Alas.', billing: 'maybe' });
    assert.equal(formatError(error, 'Ask again.'), 'Alas. May have been billed. Ask again.');
  });
});

describe('a command that fails', () => {
  const codes: [ErrorRecord['code'], number][] = [
    ['invalid_request', 2],
    ['unsupported_image', 2],
    ['no_service', 2],
    ['no_key', 2],
    ['over_budget', 4],
    ['network', 1],
    ['save_failed', 1],
  ];
  for (const [code, exitCode] of codes) {
    it(`for ${code} ends with ${exitCode}`, async () => {
      const output = new Collected();
      const error = new LimnerError(code, 'A \u001b[2Jmistake.', { sent: true });
      assert.equal(await fail(error, output), exitCode);
      assert.deepEqual(output.results, []);
      assert.equal(output.said.length, 1);
      assert.match(output.said[0] ?? '', /^error: A \[2Jmistake\./u);
    });
  }

  it('says it in JSON, too, where that is asked for', async () => {
    const output = new Collected(true);
    assert.equal(await fail(new LimnerError('network', 'Alas.', { billing: 'no', sent: true }), output), 1);
    assert.deepEqual(output.said, ['error: Alas. Not billed.']);
    assert.deepEqual(
      output.results.map((line): unknown => JSON.parse(line)),
      [{ error: { code: 'network', message: 'Alas.', billing: 'no', sent: true } }],
    );
  });

  it('says that it is the task list that fails', async () => {
    const output = new Collected();
    const error = Object.assign(new Error('database or disk is full'), {
      code: 'ERR_SQLITE_ERROR',
      errcode: 13,
    });
    assert.equal(await fail(error, output), 1);
    assert.deepEqual(output.said, ["error: The task list can't be used. The disk is full."]);
  });

  it('shows where in Limner the mistake is, if it is one of Limner', async () => {
    const output = new Collected(true);
    const mistake = new TypeError('undefined is not a fox');
    assert.equal(await fail(mistake, output), 1);
    assert.deepEqual(output.said, [mistake.stack]);
    assert.deepEqual(
      output.results.map((line): unknown => JSON.parse(line)),
      [{ error: { code: 'internal', message: 'TypeError: undefined is not a fox' } }],
    );
    const others = new Collected();
    delete mistake.stack;
    for (const thrown of [mistake, 'a fox']) {
      assert.equal(await fail(thrown, others), 1);
    }
    assert.deepEqual([others.said, others.results], [['undefined is not a fox', 'a fox'], []]);
  });
});
