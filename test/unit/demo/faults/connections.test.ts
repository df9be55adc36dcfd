import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { eventually } from '../../../support/eventually.ts';
import { HostileWorld } from '../../../support/demo/hostileWorld.ts';
import { ask, dechunk, RawRequest } from '../../../support/demo/rawRequest.ts';

describe('connections to the demo service', () => {
  let world: HostileWorld;
  let url: string;
  let whole: Buffer;
  before(async () => {
    world = await HostileWorld.start();
    [url = ''] = (await world.completedTask()).urls;
    whole = (await ask(url)).body;
    assert.ok(whole.length > 100);
  });
  after(() => world.stop());
  afterEach(() => world.calm());

  it('end in the middle of a body that has a length', async () => {
    await world.switchOn({ kind: 'truncate' });
    const { headers, body } = await ask(url);
    assert.equal(headers['content-length'], String(whole.length));
    assert.ok(body.equals(whole.subarray(0, whole.length / 2)));
  });

  for (const framing of ['length', 'chunked', 'close', 'http1.0']) {
    it(`end after the head where nothing of the body is sent, framed by ${framing}`, async () => {
      await world.switchOn({ kind: 'truncate', framing, bytes: 0 });
      const { status, headers, body } = await ask(url);
      assert.deepEqual([status, headers['content-type'], body.length], [200, 'image/png', 0]);
      assert.equal(headers['content-length'], framing === 'length' ? String(whole.length) : undefined);
    });
  }

  for (const [bytesPerSecond, size] of [
    [1, 1],
    [30, 2],
    [1000, 50],
  ] as const) {
    it(`bring a body in pieces of ${size} at ${bytesPerSecond} bytes a second`, async () => {
      await world.switchOn({ kind: 'slow', bytesPerSecond });
      const request = new RawRequest(url);
      const start = performance.now();
      const sizes: number[] = [];
      const { promise, resolve } = Promise.withResolvers<void>();
      request.socket.on('data', () => {
        sizes.push(bodyOf(request.received).length);
        if (sizes.length === 3) {
          resolve();
        }
      });
      await promise;
      request.socket.destroy();
      // A timer may ring a millisecond early.
      assert.ok(performance.now() - start >= 3 * 49, 'each piece after a pause');
      assert.deepEqual(sizes.slice(0, 3), [size, 2 * size, 3 * size]);
      assert.ok(whole.subarray(0, 3 * size).equals(bodyOf(request.received).subarray(0, 3 * size)));
    });
  }

  it('stay open in the middle of a body, with half of it sent', async () => {
    await world.switchOn({ kind: 'stall', when: 'body' });
    const request = new RawRequest(url);
    const isHalf = (received: Buffer): boolean => bodyOf(received).length >= Math.floor(whole.length / 2);
    await eventually('half of the body', () => Promise.resolve(request.received), isHalf);
    assert.equal((await ask(url)).body.length, whole.length);
    assert.ok(bodyOf(request.received).equals(whole.subarray(0, whole.length / 2)));
    assert.equal(request.socket.readableEnded, false);
    request.socket.destroy();
  });

  it('end in the middle of a chunked body', async () => {
    await world.switchOn({ kind: 'truncate', framing: 'chunked', bytes: 100 });
    const { headers, body } = await ask(url);
    assert.deepEqual([headers['transfer-encoding'], headers['content-length']], ['chunked', undefined]);
    assert.deepEqual(dechunk(body), { data: whole.subarray(0, 100), isWhole: false });
  });

  for (const [framing, version] of [
    ['close', 'HTTP/1.1'],
    ['http1.0', 'HTTP/1.0'],
  ] as const) {
    it(`end in the middle of a body of ${version} whose end is that of the connection`, async () => {
      await world.switchOn({ kind: 'truncate', framing, bytes: 100 });
      const { headers, statusLine, body } = await ask(url);
      assert.equal(statusLine, `${version} 200 OK`);
      assert.deepEqual([headers['transfer-encoding'], headers['content-length']], [undefined, undefined]);
      assert.ok(body.equals(whole.subarray(0, 100)));
    });
  }

  it('stay open after an answer that is complete but for its last chunk', async () => {
    const { id } = await world.completedTask();
    await world.switchOn({ kind: 'framing', as: 'unended' });
    const request = new RawRequest(`${world.client.service.baseUrl}/v1/images/generations/${id}`);
    const complete = /\r\n\{.*\}\r\n$/u;
    await eventually(
      'the whole task',
      () => Promise.resolve(request.received.toString()),
      (text) => complete.test(text),
    );
    assert.equal((await world.query(id)).status, 200);
    assert.match(request.received.toString(), complete);
    assert.equal(request.socket.readableEnded, false);
    request.socket.destroy();
  });

  for (const [status, line] of [
    [100, 'HTTP/1.1 100 Continue'],
    [102, 'HTTP/1.1 102 Processing'],
    [103, 'HTTP/1.1 103 Early Hints'],
  ] as const) {
    it(`bring an interim answer ${status} before the true one`, async () => {
      await world.switchOn({ kind: 'interim', status });
      const { interim, statusLine, body } = await ask(url);
      assert.deepEqual([interim, statusLine], [[line], 'HTTP/1.1 200 OK']);
      assert.ok(body.equals(whole));
    });
  }
});

/** Returns what came after the headers so far. */
function bodyOf(received: Buffer): Buffer {
  return received.subarray(received.indexOf('\r\n\r\n') + 4);
}
