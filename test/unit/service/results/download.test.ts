import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { HttpsTransport } from '../../../../src/service/http/httpsTransport.ts';
import { ImageService } from '../../../../src/service/imageService.ts';
import { LimnerError } from '../../../../src/common/limnerError.ts';
import { imageBytes, serviceAnswering, serviceOptions } from '../../../support/service/requestBuilders.ts';
import { listen } from '../../../support/service/loopback.ts';
import { ScriptedTransport } from '../../../support/service/scriptedTransport.ts';
import { MemorySink } from '../../../support/service/sinks.ts';

const url = 'https://results.example/api/async-images/a.png';
const megabyte = 1024 * 1024;

function redirect(location: string, status = 302): { status: number; headers: { location: string } } {
  return { status, headers: { location } };
}

describe('ImageService.download', () => {
  it('fetches the image from where it is, without the key', async () => {
    const { service, transport } = serviceAnswering({
      body: 'picture',
      headers: { 'content-type': 'image/PNG; charset=binary' },
    });
    const sink = new MemorySink();
    assert.deepEqual(await service.download(url, sink), {
      bytes: 7,
      mediaType: 'image/png',
    });
    assert.equal(sink.bytes.toString(), 'picture');
    assert.equal(sink.state, 'closed');
    assert.equal(transport.sent[0]?.url, url);
    assert.doesNotMatch(JSON.stringify(transport.sent[0]?.headers), /sk-secret|authorization/iu);
    // Many a host lets nobody in who does not say what they are.
    assert.equal(transport.sent[0]?.headers['user-agent'], 'Limner');
  });

  it('sends no key even where results come from the service itself', async () => {
    const { service, transport } = serviceAnswering({ body: 'picture' });
    await service.download('https://api.example.com/api/async-images/a.png', new MemorySink());
    assert.equal(transport.sent[0]?.headers['authorization'], undefined);
  });

  it('follows up to three redirects, relative ones too', async () => {
    const { service, transport } = serviceAnswering(
      redirect('/b.png'),
      redirect('https://cdn.example/c.png', 307),
      redirect('d.png', 301),
      { body: 'picture' },
    );
    await service.download(url, new MemorySink());
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
      const { service, transport } = serviceAnswering(redirect(location));
      const sink = new MemorySink();
      await assert.rejects(service.download(url, sink), { code, phase: 'download', billing: 'yes' });
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
        const direct = serviceAnswering({ body: 'picture' });
        await assert.rejects(direct.service.download(address, new MemorySink()), { code: 'result_refused' });
        assert.equal(direct.transport.sent.length, 0, address);
        const redirected = serviceAnswering(redirect(address), { body: 'picture' });
        await assert.rejects(redirected.service.download(url, new MemorySink()), { code: 'result_refused' });
        assert.equal(redirected.transport.sent.length, 1, address);
      }
    }
  });

  it('sends nothing of the user information of an address', async (test) => {
    const server = await listen(test, async (connection) => {
      await connection.received('\r\n\r\n');
      connection.socket.end('HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\npicture');
    });
    const transport = new HttpsTransport();
    const service = new ImageService({
      ...serviceOptions(new ScriptedTransport()),
      baseUrl: server.url.origin,
      transports: { posts: transport, polls: transport, downloads: transport },
    });
    await service.download(`http://someone:secret@127.0.0.1:${server.port}/a.png`, new MemorySink());
    const head = await server.connections[0]?.received('\r\n\r\n');
    assert.doesNotMatch(head ?? '', /authorization|someone|secret/iu);
  });

  it('checks the addresses of a name where the request itself resolves it', async () => {
    const { service, transport } = serviceAnswering({ body: 'picture' });
    await service.download(url, new MemorySink());
    const lookup = transport.sent[0]?.request.lookup;
    assert.ok(lookup !== undefined);
    const error = await new Promise((resolve) => {
      lookup('localhost', { all: true }, (reason) => resolve(reason));
    });
    assert.equal(error instanceof LimnerError && error.code, 'result_refused');
  });

  it('names the host that was refused, be it that of a later hop', async () => {
    const hop = serviceAnswering(redirect('https://10.0.0.7:8443/b.png'));
    await assert.rejects(hop.service.download(url, new MemorySink()), { refusedHost: '10.0.0.7:8443' });
    const first = serviceAnswering();
    await assert.rejects(first.service.download('https://[fd00::7]/a.png', new MemorySink()), {
      refusedHost: '[fd00::7]',
    });
  });

  it('names no host where allowing it would not help', async () => {
    const { service } = serviceAnswering(redirect('http://results.example/b.png'));
    await assert.rejects(service.download(url, new MemorySink()), {
      code: 'result_refused',
      refusedHost: undefined,
    });
  });

  it('refuses a private address unless its host was allowed', async () => {
    const { service, transport } = serviceAnswering({ body: 'picture' });
    await assert.rejects(service.download('https://10.0.0.7/a.png', new MemorySink()), {
      code: 'result_refused',
    });
    assert.equal(transport.sent.length, 0);
    await service.download('https://10.0.0.7/a.png', new MemorySink(), { resultHosts: ['10.0.0.7'] });
    assert.equal(transport.sent.length, 1);
  });

  it('gives every answer that is no image a code', async () => {
    for (const [status, code] of [
      [403, 'result_expired'],
      [404, 'result_expired'],
      [410, 'result_expired'],
      [429, 'rate_limited'],
      [500, 'network'],
      [503, 'network'],
      [204, 'protocol'],
      [302, 'protocol'],
    ] as const) {
      const { service } = serviceAnswering({ status, headers: { 'retry-after': '2' } });
      const sink = new MemorySink();
      await assert.rejects(service.download(url, sink), {
        code,
        status,
        phase: 'download',
        retryAfter: 2000,
      });
      assert.equal(sink.state, 'discarded');
    }
  });

  it('takes 20 MB and not a byte more, whether announced or not', async () => {
    const exact = 'x'.repeat(20 * megabyte);
    const fitting = serviceAnswering({ body: exact, headers: { 'content-length': String(exact.length) } });
    assert.deepEqual(await fitting.service.download(url, new MemorySink()), { bytes: exact.length });
    for (const headers of [{}, { 'content-length': String(exact.length + 1) }]) {
      const { service } = serviceAnswering({ body: `${exact}x`, headers });
      const sink = new MemorySink();
      await assert.rejects(service.download(url, sink), { code: 'result_too_large' });
      assert.equal(sink.state, 'discarded');
      assert.ok(sink.bytes.length <= exact.length);
    }
  });

  it('discards an image that breaks off, and says so', async () => {
    const { service } = serviceAnswering({
      body: 'pict',
      error: new LimnerError('network', 'cut off', { sent: true }),
    });
    const sink = new MemorySink();
    await assert.rejects(service.download(url, sink), { code: 'network', phase: 'download' });
    assert.equal(sink.state, 'discarded');
  });

  it('takes neither an empty file nor an address that is none', async () => {
    const { service } = serviceAnswering({ body: '' });
    await assert.rejects(service.download(url, new MemorySink()), { code: 'protocol' });
    await assert.rejects(service.download('not a url', new MemorySink()), { code: 'protocol' });
  });

  it('stops in the middle', async () => {
    const controller = new AbortController();
    const { service } = serviceAnswering({ body: 'pict', hangs: true });
    const sink = new MemorySink();
    const running = service.download(url, sink, { signal: controller.signal });
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
    const { service } = serviceAnswering({ body: 'picture' });
    await assert.rejects(service.download(url, new FullSink()), { code: 'save_failed', phase: 'save' });
  });
});

async function loopbackService(test: TestContext): Promise<{ service: ImageService; port: number }> {
  const picture = imageBytes('picture');
  const server = await listen(test, async (connection) => {
    await connection.received('\r\n\r\n');
    connection.socket.end(
      Buffer.concat([Buffer.from(`HTTP/1.1 200 OK\r\nContent-Length: ${picture.length}\r\n\r\n`), picture]),
    );
  });
  const unused = new ScriptedTransport();
  const options = serviceOptions(unused, {
    baseUrl: `http://127.0.0.1:${server.port}`,
    transports: { posts: unused, polls: unused, downloads: new HttpsTransport() },
  });
  return { service: new ImageService(options), port: server.port };
}

describe('ImageService.download over a socket', () => {
  it('fetches from a loopback address for a service that is there itself', async (test) => {
    const { service, port } = await loopbackService(test);
    const sink = new MemorySink();
    await service.download(`http://127.0.0.1:${port}/a.png`, sink);
    assert.deepEqual(sink.bytes, imageBytes('picture'));
    await service.download(`http://localhost:${port}/a.png`, new MemorySink());
  });

  it('refuses a name that resolves to a loopback address, for a service that is elsewhere', async (test) => {
    const { port } = await loopbackService(test);
    const unused = new ScriptedTransport();
    const baseUrl = 'http://8.8.8.8/v1';
    const elsewhere = new ImageService(
      serviceOptions(unused, {
        baseUrl,
        plainHttpOrigins: ['http://8.8.8.8'],
        transports: { posts: unused, polls: unused, downloads: new HttpsTransport() },
      }),
    );
    await assert.rejects(elsewhere.download(`http://localhost:${port}/a.png`, new MemorySink()), {
      code: 'result_refused',
      refusedHost: `localhost:${port}`,
    });
  });
});
