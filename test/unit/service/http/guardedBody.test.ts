import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { LimnerError } from '../../../../src/common/limnerError.ts';
import { GuardedBody } from '../../../../src/service/http/guardedBody.ts';
import { settle } from '../../../support/manualClock.ts';
import { RefreshedTimers } from '../../../support/service/refreshedTimers.ts';

const idle = 1000;
const whole = 100_000;

describe('GuardedBody', () => {
  it('does not call a source stalled while its own reader takes nothing', async (test) => {
    test.mock.timers.enable({ apis: ['setTimeout'] });
    const source = new PassThrough();
    const body = new GuardedBody(source, { idle, whole, onClose: () => undefined });
    source.write(Buffer.alloc(200_000));
    while (!source.isPaused()) {
      await new Promise(setImmediate);
    }
    test.mock.timers.tick(idle * 10);
    assert.equal(body.destroyed, false);
    source.end();
    assert.equal((await buffer(body)).length, 200_000);
  });

  it('tells how many bytes came, once it is closed, however it ends', async () => {
    for (const [end, count] of [
      [(source: PassThrough) => source.end('fox'), 103],
      [(source: PassThrough) => source.destroy(), 100],
      [(source: PassThrough) => source.destroy(new Error('reset')), 100],
    ] as const) {
      const source = new PassThrough();
      const closed: number[] = [];
      const body = new GuardedBody(source, { idle, whole, onClose: (bytes) => closed.push(bytes) });
      source.write(Buffer.alloc(40));
      source.write(Buffer.alloc(60));
      body.once('data', () => setImmediate(() => end(source)));
      await new Promise((resolve) => body.once('close', resolve));
      assert.deepEqual(closed, [count]);
    }
  });

  it('waits anew from each chunk on, and from where its reader goes on', async (test) => {
    const timers = new RefreshedTimers(test);
    const source = new PassThrough();
    const body = new GuardedBody(source, { idle, whole, onClose: () => undefined });
    body.resume();
    for (let count = 0; count < 3; count++) {
      timers.tick(idle - 1);
      source.write('.');
      await settle();
      assert.equal(body.destroyed, false);
    }
    body.pause();
    source.write(Buffer.alloc(200_000));
    await settle();
    timers.tick(idle * 3);
    body.resume();
    await settle();
    timers.tick(idle - 1);
    assert.equal(body.destroyed, false);
    timers.tick(1);
    assert.ok(body.destroyed);
    await assert.rejects(buffer(body), {
      code: 'timeout',
      message: 'The response stalled: no data arrived for 1 s.',
    });
  });

  it('says what broke off: a source that ends without its end, an error of our own as it is', async () => {
    const own = new LimnerError('stopped', 'The request was stopped.', { sent: true });
    for (const [error, expected] of [
      [
        undefined,
        {
          code: 'network',
          message: 'The connection was closed before the response was complete.',
          sent: true,
        },
      ],
      [own, own],
    ] as const) {
      const source = new PassThrough();
      const body = new GuardedBody(source, { idle, whole, onClose: () => undefined });
      source.destroy(error);
      await assert.rejects(buffer(body), expected);
    }
  });

  it('calls a source stalled that brings nothing to a waiting reader', async (test) => {
    test.mock.timers.enable({ apis: ['setTimeout'] });
    const source = new PassThrough();
    const body = new GuardedBody(source, { idle, whole, onClose: () => undefined });
    const reading = assert.rejects(buffer(body), { code: 'timeout', sent: true });
    test.mock.timers.tick(idle - 1);
    assert.equal(body.destroyed, false);
    test.mock.timers.tick(1);
    await reading;
    assert.ok(source.destroyed);
  });

  it('ends what drips for ever', async (test) => {
    test.mock.timers.enable({ apis: ['setTimeout'] });
    const source = new PassThrough();
    const body = new GuardedBody(source, { idle: whole * 2, whole, onClose: () => undefined });
    const reading = assert.rejects(buffer(body), { code: 'timeout', message: /complete after 100 s/u });
    for (let time = 0; time < whole; time += idle / 2) {
      assert.equal(body.destroyed, false);
      source.write('.');
      await new Promise(setImmediate);
      test.mock.timers.tick(idle / 2);
    }
    await reading;
    assert.ok(source.destroyed);
  });

  it('brings no process down with an error that nobody reads', async () => {
    const source = new PassThrough();
    const body = new GuardedBody(source, { idle, whole, onClose: () => undefined });
    source.destroy(new Error('reset'));
    while (!body.closed) {
      await new Promise(setImmediate);
    }
    const error: unknown = await buffer(body).catch((reason: unknown) => reason);
    assert.ok(error instanceof LimnerError && error.cause instanceof Error);
    assert.deepEqual([error.code, error.cause.message], ['network', 'reset']);
  });
});
