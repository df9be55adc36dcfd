import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { it } from 'node:test';
import { Exchange } from '../../../../src/service/http/exchange.ts';
import type { TransportRequest } from '../../../../src/service/http/transport.ts';

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

it('Each exchange is one line of the log: its method, where it went without its query, and how it ended', async (test) => {
  test.mock.timers.enable({ apis: ['setTimeout', 'Date'] });
  const url = new URL('https://images.example:8443/v1/images?key=secret');
  const lines: string[] = [];
  const log = (line: string): void => {
    lines.push(line);
  };
  const begin = (more: Partial<TransportRequest> = {}): Exchange =>
    new Exchange({ method: 'POST', url, timeouts: limits, log, ...more }, () => undefined);
  const answered = begin();
  test.mock.timers.tick(7);
  const raw = new PassThrough();
  answered.answered(200, {}, raw);
  raw.end('picture');
  assert.equal(await text((await answered.response).body), 'picture');
  const silent = begin();
  silent.connected();
  test.mock.timers.tick(1000);
  await assert.rejects(silent.response, { code: 'timeout', sent: true });
  silent.fail(new Error('closed'));
  const unreached = begin({ method: 'GET' });
  test.mock.timers.tick(1000);
  await assert.rejects(unreached.response, { code: 'timeout', sent: false });
  assert.throws(
    () => Exchange.throwIfStopped({ method: 'GET', url, timeouts: limits, log, signal: AbortSignal.abort() }),
    { code: 'stopped', sent: false },
  );
  assert.deepEqual(lines, [
    'POST images.example:8443/v1/images 200, 7 bytes, 7 ms',
    "POST images.example:8443/v1/images timeout (images.example didn't start to respond within 1 s.), 1000 ms",
    "GET images.example:8443/v1/images timeout (Couldn't reach images.example within 1 s.), 1000 ms",
    'GET images.example:8443/v1/images stopped (The request was stopped.), 0 ms',
  ]);
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
