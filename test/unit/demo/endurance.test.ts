import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { DemoClient } from './demoClient.ts';

describe('under bad input and load the service', () => {
  let client: DemoClient;
  before(async () => {
    client = await DemoClient.start();
  });
  after(() => client.stop());

  const stillAnswers = async (): Promise<void> => {
    assert.equal((await client.generate()).status, 200);
  };

  it('answers bytes that are not HTTP with 400', async () => {
    const { port } = new URL(client.service.baseUrl);
    for (const bytes of ['nonsense\r\n\r\n', '\u0016\u0003\u0001', 'GET / HTTP/9.9\r\n\r\n']) {
      const socket = connect(Number(port), '127.0.0.1');
      socket.on('error', () => undefined);
      socket.end(bytes);
      let answer = '';
      socket.setEncoding('latin1').on('data', (chunk: string) => {
        answer += chunk;
      });
      await once(socket, 'close');
      assert.match(answer, /^HTTP\/1\.1 (?:400|505) /u);
    }
    await stillAnswers();
  });

  it('survives callers that hang up in the middle of a request', async () => {
    const { port } = new URL(client.service.baseUrl);
    const types = ['application/json', 'multipart/form-data; boundary=x'];
    const starts = [
      '{"model":',
      '--x\r\nContent-Disposition: form-data; name="image"; filename="a.png"\r\n\r\nab',
    ];
    for (const [index, path] of ['generations', 'edits'].entries()) {
      const head = `POST /v1/images/${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer demo-key-ada\r\n`;
      const socket = connect(Number(port), '127.0.0.1');
      socket.on('error', () => undefined);
      socket.write(
        `${head}Content-Type: ${types[index] ?? ''}\r\nContent-Length: 5000\r\n\r\n${starts[index] ?? ''}`,
      );
      await once(socket, 'connect');
      socket.resetAndDestroy();
      await once(socket, 'close');
    }
    await stillAnswers();
  });

  it('survives callers that hang up in the middle of an answer', async () => {
    const hangUp = new AbortController();
    const response = await client.send('/v1/images/generations', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'demo-painter', prompt: 'x', size: '600x600', n: 4 }),
      signal: hangUp.signal,
    });
    hangUp.abort();
    await assert.rejects(response.arrayBuffer());
    await stillAnswers();
  });

  it('lets a caller read the refusal of a large upload that it did not read', async () => {
    const headers = { authorization: 'Bearer wrong', 'content-type': 'multipart/form-data; boundary=x' };
    const init = { method: 'POST', headers, body: new Uint8Array(30_000_000) };
    assert.equal((await client.send('/v1/images/edits', init)).status, 401);
    await stillAnswers();
  });

  it('refuses paths and ids of any kind without stumbling', async () => {
    for (const path of [
      '/%',
      '/v1/images/generations/%E0%A4%A',
      '//x',
      '/v1/../demo',
      `/${'a'.repeat(8000)}`,
      '/v1beta/models/%00:generateContent',
    ]) {
      assert.ok([404, 405].includes((await client.send(path)).status), path);
    }
    await stillAnswers();
  });

  it('answers queries while it paints for many', async () => {
    const tasks = await Promise.all(
      Array.from({ length: 60 }, (_, index) => client.submit({ prompt: `sea ${index}` })),
    );
    const painted = client.service.advance(60_000);
    const queries = await Promise.all(tasks.map(({ id }) => client.query(id)));
    assert.equal(queries.length, 60);
    await painted;
    const done = await Promise.all(tasks.map(({ id }) => client.query(id)));
    assert.ok(done.every(({ status }) => status === 'completed'));
  });
});
