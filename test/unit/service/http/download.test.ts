import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import http from 'node:http';
import { Readable } from 'node:stream';
import { describe, it, type TestContext } from 'node:test';
import { gzipSync } from 'node:zlib';
import { HttpsTransport } from '../../../../src/service/http/httpsTransport.ts';
import type { Transport } from '../../../../src/service/http/transport.ts';
import { isLimnerError, LimnerError } from '../../../../src/common/limnerError.ts';
import { downloaderOn, imageBytes } from '../../../support/service/requestBuilders.ts';
import { listenUntilEnd } from '../../../support/service/listenUntilEnd.ts';
import { listen } from '../../../support/service/loopback.ts';
import { undiciTransport } from '../../../support/cli/undici.ts';
import { ScriptedTransport, type ScriptedAnswer } from '../../../support/service/scriptedTransport.ts';
import { MemorySink } from '../../../support/service/sinks.ts';

const service = new URL('https://api.example.com/gateway/v1/images/generations');
const url = 'https://results.example/api/async-images/a.png';
const megabyte = 1024 * 1024;

type Download = (url: string, sink: MemorySink, signal?: AbortSignal) => Promise<string | undefined>;

function downloadBy(transport: Transport, from = service, resultHosts: readonly string[] = []): Download {
  const downloader = downloaderOn(transport, { resultHosts });
  return async (...args) => downloader.download(from, ...args);
}

/** Downloads from hosts on a scripted transport. */
function answering(...answers: (ScriptedAnswer | LimnerError)[]): {
  download: Download;
  transport: ScriptedTransport;
} {
  const transport = new ScriptedTransport(...answers);
  return { transport, download: downloadBy(transport) };
}

function redirect(location: string, status = 302): { status: number; headers: { location: string } } {
  return { status, headers: { location } };
}

/** The error that a download ends in, as a task's row holds it. */
async function recordOf(download: Promise<unknown>): Promise<object> {
  const error: unknown = await download.catch((reason: unknown) => reason);
  assert.ok(isLimnerError(error));
  return error.toRecord();
}

describe('ResultDownloader.download', () => {
  it('fetches the image from where it is, without the key', async () => {
    const { download, transport } = answering({
      body: 'picture',
      headers: { 'content-type': 'image/PNG; charset=binary' },
    });
    const sink = new MemorySink();
    assert.equal(await download(url, sink), 'image/png');
    assert.equal(sink.bytes.toString(), 'picture');
    assert.equal(sink.state, 'closed');
    assert.equal(transport.sent[0]?.url, url);
    assert.doesNotMatch(JSON.stringify(transport.sent[0]?.headers), /sk-secret|authorization/iu);
    // Many a host lets nobody in who does not say what they are.
    assert.equal(transport.sent[0]?.headers['user-agent'], 'Limner');
    assert.equal(transport.sent[0]?.headers['accept-encoding'], 'identity');
  });

  it('gives back the memory of each piece that is written, where that is possible', async () => {
    const ofItsOwn = Buffer.from(new ArrayBuffer(2)).fill('a');
    const shared = Buffer.from(new ArrayBuffer(5)).fill('b');
    const pieces = [
      ofItsOwn,
      shared.subarray(0, 2),
      shared.subarray(2),
      Buffer.from(new SharedArrayBuffer(2)).fill('c'),
      Buffer.from(new WebAssembly.Memory({ initial: 1 }).buffer).fill('d'),
    ];
    const sink = new MemorySink();
    const body = Readable.from(pieces);
    await downloadBy({ request: async () => ({ statusCode: 200, headers: {}, body }) })(url, sink);
    assert.equal(sink.bytes.toString(), `aabbbbbcc${'d'.repeat(64 * 1024)}`);
    assert.deepEqual([ofItsOwn.length, shared.toString()], [0, 'bbbbb']);
  });

  it('sends no key even where results come from the service itself', async () => {
    const { download, transport } = answering({ body: 'picture' });
    await download('https://api.example.com/api/async-images/a.png', new MemorySink());
    assert.equal(transport.sent[0]?.headers['authorization'], undefined);
  });

  it('follows up to three redirects, relative ones too', async () => {
    const { download, transport } = answering(
      redirect('/b.png'),
      redirect('https://cdn.example/c.png', 307),
      redirect('d.png', 301),
      { body: 'picture' },
    );
    await download(url, new MemorySink());
    assert.deepEqual(
      transport.sent.map((sent) => sent.url),
      [url, 'https://results.example/b.png', 'https://cdn.example/c.png', 'https://cdn.example/d.png'],
    );
  });

  it('refuses a fourth redirect, and every hop that the policy does not allow', async () => {
    for (const [location, requests, code] of [
      ['https://results.example/again.png', 4, 'protocol'],
      ['https://169.254.169.254/latest/meta-data', 1, 'result_refused'],
      ['http://results.example/b.png', 1, 'result_refused'],
      ['file:///etc/passwd', 1, 'result_refused'],
    ] as const) {
      const { download, transport } = answering(redirect(location));
      const sink = new MemorySink();
      await assert.rejects(download(url, sink), { code, phase: 'download', billing: 'yes' });
      assert.equal(transport.sent.length, requests, location);
      assert.equal(sink.state, 'discarded');
    }
  });

  it('carries the key to nobody, not even in an address that holds it', async () => {
    for (const held of ['sk-secret', 'sk%2Dsecret', Buffer.from('me:sk-secret').toString('base64')]) {
      for (const address of [
        `https://results.example/a.png?key=${held}`,
        `https://results.example/${held}/a.png`,
        `https://${held}@results.example/a.png`,
        `https://${held.toLowerCase()}.results.example/a.png#${held}`,
      ]) {
        const direct = answering({ body: 'picture' });
        await assert.rejects(direct.download(address, new MemorySink()), { code: 'result_refused' });
        assert.equal(direct.transport.sent.length, 0, address);
        const redirected = answering(redirect(address), { body: 'picture' });
        await assert.rejects(redirected.download(url, new MemorySink()), { code: 'result_refused' });
        assert.equal(redirected.transport.sent.length, 1, address);
      }
    }
  });

  it('sends nothing of the user information of an address', async (test) => {
    const server = await listen(test, async (connection) => {
      await connection.received('\r\n\r\n');
      connection.socket.end('HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\npicture');
    });
    const download = downloadBy(new HttpsTransport(), server.url);
    await download(`http://someone:secret@127.0.0.1:${server.port}/a.png`, new MemorySink());
    const head = await server.connections[0]?.received('\r\n\r\n');
    assert.doesNotMatch(head ?? '', /authorization|someone|secret/iu);
  });

  it('checks the addresses of a name where the request itself resolves it', async () => {
    const { download, transport } = answering({ body: 'picture' });
    await download(url, new MemorySink());
    const lookup = transport.sent[0]?.request.lookup;
    assert.ok(lookup !== undefined);
    const error = await new Promise((resolve) => {
      lookup('localhost', { all: true }, (reason) => resolve(reason));
    });
    assert.equal(error instanceof LimnerError && error.code, 'result_refused');
  });

  it('names the host that was refused, be it that of a later hop', async () => {
    const hop = answering(redirect('https://10.0.0.7:8443/b.png'));
    await assert.rejects(hop.download(url, new MemorySink()), { refusedHost: '10.0.0.7:8443' });
    const first = answering();
    await assert.rejects(first.download('https://[fd00::7]/a.png', new MemorySink()), {
      refusedHost: '[fd00::7]',
    });
  });

  it('names no host where allowing it would not help', async () => {
    const { download } = answering(redirect('http://results.example/b.png'));
    await assert.rejects(download(url, new MemorySink()), {
      code: 'result_refused',
      refusedHost: undefined,
    });
  });

  it('refuses a private address unless its host was allowed', async () => {
    const { download, transport } = answering({ body: 'picture' });
    await assert.rejects(download('https://10.0.0.7/a.png', new MemorySink()), {
      code: 'result_refused',
    });
    assert.equal(transport.sent.length, 0);
    await downloadBy(transport, service, ['10.0.0.7'])('https://10.0.0.7/a.png', new MemorySink());
    assert.equal(transport.sent.length, 1);
  });

  it('gives every answer that is no image a code', async () => {
    for (const [status, code, message] of [
      [403, 'result_expired', "The image's host doesn't have it (HTTP 403)."],
      [404, 'result_expired', "The image's host doesn't have it (HTTP 404)."],
      [410, 'result_expired', "The image's host doesn't have it (HTTP 410)."],
      [429, 'rate_limited', "The image's host reports too many requests (HTTP 429)."],
      [499, 'protocol', "The image's host sent an unexpected response (HTTP 499)."],
      [500, 'network', "The image's host couldn't deliver it (HTTP 500)."],
      [503, 'network', "The image's host couldn't deliver it (HTTP 503)."],
      [204, 'protocol', "The image's host sent an unexpected response (HTTP 204)."],
      [302, 'protocol', "The image's host sent an unexpected response (HTTP 302)."],
    ] as const) {
      const { download } = answering({ status, headers: { 'retry-after': '2' } });
      const sink = new MemorySink();
      assert.deepEqual(await recordOf(download(url, sink)), {
        code,
        message,
        status,
        phase: 'download',
        billing: 'yes',
        sent: true,
        retryAfter: 2000,
      });
      assert.equal(sink.state, 'discarded');
    }
  });

  it('waits half a minute for the host, one for its answer, and half an hour for all of it', async () => {
    const { download, transport } = answering({ body: 'picture' });
    await download(url, new MemorySink());
    assert.deepEqual(transport.sent[0]?.request.timeouts, {
      connect: 30_000,
      headers: 60_000,
      idle: 60_000,
      whole: 1_800_000,
    });
  });

  it('takes 20 MB and not a byte more, whether announced or not', async () => {
    const exact = 'x'.repeat(20 * megabyte);
    const fitting = answering({ body: exact, headers: { 'content-length': String(exact.length) } });
    const whole = new MemorySink();
    await fitting.download(url, whole);
    assert.equal(whole.bytes.length, exact.length);
    for (const headers of [{}, { 'content-length': String(exact.length + 1) }]) {
      const { download } = answering({ body: `${exact}x`, headers });
      const sink = new MemorySink();
      await assert.rejects(download(url, sink), { code: 'result_too_large' });
      assert.equal(sink.state, 'discarded');
      assert.ok(sink.bytes.length <= exact.length);
    }
  });

  it('discards an image that breaks off, and says so', async () => {
    const { download } = answering({
      body: 'pict',
      error: new LimnerError('network', 'cut off', { sent: true }),
    });
    const sink = new MemorySink();
    await assert.rejects(download(url, sink), { code: 'network', phase: 'download' });
    assert.equal(sink.state, 'discarded');
  });

  it('stops in the middle', async () => {
    const controller = new AbortController();
    const { download } = answering({ body: 'pict', hangs: true });
    const sink = new MemorySink();
    const running = download(url, sink, controller.signal);
    setImmediate(() => controller.abort());
    await assert.rejects(running, { code: 'stopped', phase: 'download' });
    assert.equal(sink.state, 'discarded');
  });

  it('says that the image could not be written', async () => {
    class FullSink extends MemorySink {
      override write(): Promise<void> {
        return Promise.reject(new Error('ENOSPC'));
      }
    }
    const { download } = answering({ body: 'picture' });
    await assert.rejects(download(url, new FullSink()), { code: 'save_failed', phase: 'save' });
  });
});

async function loopbackService(test: TestContext): Promise<{ download: Download; port: number }> {
  const picture = imageBytes('picture');
  const server = await listen(test, async (connection) => {
    await connection.received('\r\n\r\n');
    connection.socket.end(
      Buffer.concat([Buffer.from(`HTTP/1.1 200 OK\r\nContent-Length: ${picture.length}\r\n\r\n`), picture]),
    );
  });
  return { download: downloadBy(new HttpsTransport(), server.url), port: server.port };
}

/** Cuts bytes into pieces from one byte to more than a socket takes at once. */
function* piecesOf(bytes: Buffer): Generator<Buffer> {
  for (let [start, length] = [0, 1]; start < bytes.length; start += length, length = (length * 7) % 300_007) {
    yield bytes.subarray(start, start + length);
  }
}

describe('ResultDownloader.download over a socket', () => {
  it('fetches from a loopback address for a service that is there itself', async (test) => {
    const { download, port } = await loopbackService(test);
    const sink = new MemorySink();
    await download(`http://127.0.0.1:${port}/a.png`, sink);
    assert.deepEqual(sink.bytes, imageBytes('picture'));
    await download(`http://localhost:${port}/a.png`, new MemorySink());
  });

  for (const [how, headers, encode] of [
    ['with its length', { 'content-length': String(12 * megabyte) }, (bytes) => bytes],
    ['in chunks', {}, (bytes) => bytes],
    ['compressed, though that was not asked for', { 'content-encoding': 'gzip' }, gzipSync],
  ] as readonly [string, Record<string, string>, (bytes: Buffer) => Buffer][]) {
    it(`takes every byte of an image that comes ${how}, in pieces of any size`, async (test) => {
      const image = randomBytes(12 * megabyte);
      const sent = encode(image);
      const server = http.createServer((_, response) => {
        response.writeHead(200, { 'content-type': 'image/png', ...headers });
        Readable.from(piecesOf(sent)).pipe(response);
      });
      const base = `http://127.0.0.1:${await listenUntilEnd(test, server)}/`;
      for (const transport of [new HttpsTransport(), undiciTransport()]) {
        const sink = new MemorySink();
        await downloadBy(transport, new URL(base))(`${base}a.png`, sink);
        assert.ok(sink.bytes.equals(image));
      }
    });
  }

  it('refuses a name that resolves to a loopback address, for a service that is elsewhere', async (test) => {
    const { port } = await loopbackService(test);
    const download = downloadBy(new HttpsTransport(), new URL('http://8.8.8.8/v1'));
    await assert.rejects(download(`http://localhost:${port}/a.png`, new MemorySink()), {
      code: 'result_refused',
      refusedHost: `localhost:${port}`,
    });
  });
});
