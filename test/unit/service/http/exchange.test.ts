import assert from 'node:assert/strict';
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
