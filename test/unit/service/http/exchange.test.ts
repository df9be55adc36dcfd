import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { it } from 'node:test';
import { Exchange } from '../../../../src/service/http/exchange.ts';

const limits = { connect: 1000, headers: 1000, idle: 1000, whole: 1000 };

function throwing(): never {
  throw new Error('Channel has been closed');
}

function countTimers(): number {
  return process.getActiveResourcesInfo().filter((resource) => resource === 'Timeout').length;
}

it('An exchange that was given up keeps no process alive, although its connection comes to stand then', async () => {
  const url = new URL('https://images.example/v1');
  const before = countTimers();
  const exchange = new Exchange({ method: 'GET', url, headers: {}, timeouts: limits }, () => undefined);
  exchange.fail(new Error('given up'));
  await assert.rejects(exchange.response);
  exchange.connected();
  exchange.requestSent();
  assert.equal(countTimers(), before);
});

for (const [status, milliseconds] of [
  [200, 1000],
  [207, 1000],
  [299, 1000],
  [202, 500],
  [304, 500],
  [404, 500],
  [503, 500],
] as const) {
  it(`The body of a ${status} has ${milliseconds} ms, because ${milliseconds === 500 ? 'only its status matters' : 'it may bring images'}`, async (test) => {
    test.mock.timers.enable({ apis: ['setTimeout'] });
    const url = new URL('https://images.example/v1');
    const exchange = new Exchange(
      { method: 'GET', url, timeouts: { ...limits, idle: 2000, statusWhole: 500 } },
      () => undefined,
    );
    exchange.answered(status, {}, new PassThrough());
    const { body } = await exchange.response;
    test.mock.timers.tick(milliseconds - 1);
    assert.equal(body.destroyed, false);
    test.mock.timers.tick(1);
    assert.ok(body.destroyed);
  });
}

it('An exchange ends although its log takes no more lines, as when the window closes', async () => {
  const url = new URL('https://images.example/v1');
  const stop = new AbortController();
  const { signal } = stop;
  let isAbandoned = false;
  const exchange = new Exchange(
    { method: 'POST', url, headers: {}, timeouts: limits, signal, log: throwing },
    () => {
      isAbandoned = true;
    },
  );
  stop.abort();
  await assert.rejects(exchange.response, { code: 'stopped' });
  assert.ok(isAbandoned);
});
