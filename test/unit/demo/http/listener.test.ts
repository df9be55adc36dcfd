import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { RequestLog } from '../../../../src/demo/http/requestLog.ts';
import { ADA, DemoClient, refused } from '../../../support/demo/demoClient.ts';

describe('the ports of the demo service', () => {
  let client: DemoClient;
  before(async () => {
    client = await DemoClient.start();
  });
  after(() => client.stop());

  it('end a connection that brings no HTTP, and say so', async () => {
    for (const origin of [client.service.baseUrl, client.service.resultHost]) {
      const socket = connect(Number(new URL(origin).port), '127.0.0.1');
      socket.write('EHLO example\r\n\r\n');
      const received = buffer(socket);
      await once(socket, 'end');
      assert.equal((await received).toString(), 'HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n');
    }
  });

  it('have nothing at a path that is no part of an address', async () => {
    for (const path of ['//[', 'http://[', '//']) {
      const response = await send(client.service.baseUrl, 'GET', path);
      assert.equal(response.statusCode, 404, path);
      assert.match((await buffer(response)).toString(), /"code":"not_found"/u);
    }
  });

  it('tell the length and type of an image without sending it', async () => {
    const { id } = await client.submit({ output_format: 'webp' });
    await client.service.advance(1000);
    const { href, origin, pathname } = new URL((await client.query(id)).data?.[0]?.url ?? '');
    const whole = Buffer.from(await (await fetch(href)).arrayBuffer());
    const response = await send(origin, 'HEAD', pathname);
    const { 'content-length': length, 'content-type': type } = response.headers;
    assert.deepEqual([response.statusCode, length, type], [200, String(whole.length), 'image/webp']);
    assert.equal((await buffer(response)).length, 0);
    const other = await send(origin, 'POST', pathname);
    assert.deepEqual([other.statusCode, other.headers['allow']], [405, 'GET, HEAD']);
    assert.match((await buffer(other)).toString(), /"code":"method_not_allowed"/u);
    await refused(await fetch(`${origin}/api/async-images/none.png`), 404, 'image_not_found');
  });

  it('answer before they have read what nobody wants', async () => {
    const body = Buffer.alloc(2_000_000);
    for (const [path, status, code] of [
      ['/nothing', 404, 'not_found'],
      ['/v1/images/generations/task_1', 405, 'method_not_allowed'],
      ['/v1/images/edits', 415, 'unsupported_media_type'],
    ] as const) {
      const headers = { 'content-type': 'text/plain' };
      await refused(await client.send(path, { method: 'POST', headers, body }), status, code);
    }
  });

  it('remember at least the last 20,000 requests, and no more than twice as many', () => {
    const log = new RequestLog();
    const add = (at: number): unknown => log.add({ at, host: 'service', method: 'GET', path: '/' });
    for (let at = 0; at < 40_000; at++) {
      add(at);
    }
    assert.deepEqual([log.list().length, log.list()[0]?.at], [40_000, 0]);
    add(40_000);
    assert.deepEqual([log.list().length, log.list()[0]?.at, log.list().at(-1)?.at], [20_000, 20_001, 40_000]);
    log.clear();
    assert.deepEqual(log.list(), []);
  });
});

/** Sends a request whose path is written as it is. */
async function send(origin: string, method: string, path: string): Promise<IncomingMessage> {
  const { hostname, port } = new URL(origin);
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const headers = { authorization: `Bearer ${ADA}` };
  httpRequest({ hostname, port, method, path, headers, agent: false }, resolve).on('error', reject).end();
  return promise;
}
