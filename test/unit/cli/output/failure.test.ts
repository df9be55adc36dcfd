import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { LimnerError, type ErrorRecord } from '../../../../src/common/limnerError.ts';
import { fail } from '../../../../src/cli/output/failure.ts';
import { Collected } from '../../../support/cli/collected.ts';

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
