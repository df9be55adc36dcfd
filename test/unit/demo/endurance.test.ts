import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { pngFile } from '../../support/images/pngFile.ts';
import { DemoClient, refused } from '../../support/demo/demoClient.ts';

describe('under bad input and load the service', () => {
  let client: DemoClient;
  before(async () => {
    client = await DemoClient.start();
  });
  after(() => client.stop());

  const openSocket = (): Socket => {
    const { port } = new URL(client.service.baseUrl);
    const socket = connect(Number(port), '127.0.0.1');
    socket.setNoDelay(true);
    socket.on('error', () => undefined);
    return socket;
  };
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

  it('lets a caller read the refusal of a large upload that it did not read', async () => {
    const headers = { authorization: 'Bearer wrong', 'content-type': 'multipart/form-data; boundary=x' };
    const init = { method: 'POST', headers, body: new Uint8Array(30_000_000) };
    assert.equal((await client.send('/v1/images/edits', init)).status, 401);
    await stillAnswers();
  });

  it('refuses a small file of a hundred megapixels by its header, without decoding it', async () => {
    const fresh = await DemoClient.start();
    const side = 9990;
    const lines = new Uint8Array(side * (1 + Math.ceil(side / 8)));
    const image = pngFile({ width: side, height: side, bitDepth: 1, colourType: 0, lines });
    assert.ok(image.length < 20_000);
    let threads = 0;
    const noted = (): unknown => (threads += 1);
    process.on('worker', noted);
    const edits = [1, 2, 3].map(() =>
      fresh.edit({ model: 'demo-painter', prompt: 'a sea', image: [image, image] }),
    );
    for (const response of await Promise.all(edits)) {
      await refused(response, 400, 'invalid_image');
    }
    process.off('worker', noted);
    assert.equal(threads, 0);
    await fresh.stop();
  });

  it('refuses JSON that would take far more memory than its bytes', async () => {
    const many = 5_000_000;
    for (const [body, why] of [
      ['['.repeat(many), /nested/u],
      [`${'{"contents":'.repeat(many / 10)}1${'}'.repeat(many / 10)}`, /nested/u],
      [`{"model":"demo-painter","prompt":${'['.repeat(many)}${']'.repeat(many)}}`, /nested/u],
      [`[${'{},'.repeat(many)}{}]`, /values/u],
      [`{"user":"\\\\","prompt":[${'0,'.repeat(many)}0]}`, /values/u],
    ] as const) {
      for (const path of ['/v1/images/generations', '/v1beta/models/demo-sketch-a:generateContent']) {
        const headers = { 'content-type': 'application/json' };
        const response = await client.send(path, { method: 'POST', headers, body });
        assert.equal(response.status, 400);
        assert.match(await response.text(), why);
      }
    }
    await stillAnswers();
  });

  it('answers others while callers send their requests byte by byte and never end', async () => {
    const whole = generation(5000, '{"model":');
    const slow = await Promise.all(
      Array.from({ length: 200 }, async (_, index) => {
        const socket = openSocket();
        await once(socket, 'connect');
        for (const byte of whole.slice(0, 1 + (index % whole.length))) {
          socket.write(byte);
        }
        return socket;
      }),
    );
    await stillAnswers();
    assert.ok(slow.every((socket) => !socket.destroyed));
    for (const socket of slow) {
      socket.resetAndDestroy();
    }
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

/** The head and the body of a generation, with any length in its head. */
function generation(length: number | string, body: string): string {
  return (
    `POST /v1/images/generations HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer demo-key-ada\r\n` +
    `Content-Type: application/json\r\nContent-Length: ${length}\r\nConnection: close\r\n\r\n${body}`
  );
}
