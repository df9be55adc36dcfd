import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import https from 'node:https';
import net from 'node:net';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, it, type TestContext } from 'node:test';
import tls from 'node:tls';
import { HttpsTransport } from '../../../../src/service/http/httpsTransport.ts';
import { listenUntilEnd } from '../../../support/service/listenUntilEnd.ts';
import { answering, listen } from '../../../support/service/loopback.ts';
import { selfSigned } from '../../../support/service/selfSigned.ts';
import { describeTransport } from '../../../support/service/transportConformance.ts';

describeTransport('HttpsTransport', () => new HttpsTransport(), {
  posts: true,
  decodes: true,
  connects: true,
});

const timeouts = { connect: 20_000, headers: 20_000, idle: 20_000, whole: 20_000 };

/** Does what VS Code does to the module: puts an agent into every request that brings none. */
function patch(test: TestContext, module: typeof http | typeof https, connect: () => net.Socket): void {
  const agent = new module.Agent();
  agent.createConnection = connect;
  const original = module.request;
  test.mock.method(module, 'request', (options: https.RequestOptions) => {
    assert.equal(options.agent, undefined);
    return original({ ...options, agent });
  });
}

describe('HttpsTransport where the modules are patched for a proxy', () => {
  it('lets the proxy make the connection', async (test) => {
    const proxy = await answering(test, 'HTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\nby proxy ok');
    patch(test, http, () => net.connect(proxy.port, '127.0.0.1'));
    const url = new URL('http://known-to-the-proxy-only.invalid/images');
    const response = await new HttpsTransport().request({ method: 'GET', url, timeouts });
    assert.equal(await text(response.body), 'by proxy ok');
    assert.match((await proxy.connections[0]?.received('\r\n\r\n')) ?? '', /connection: close/iu);
  });

  it('knows that a request may have left over a connection that stood before', async (test) => {
    const proxy = await listen(test, async (connection) => {
      await connection.received('\r\n\r\n');
      connection.socket.destroy();
    });
    const socket = net.connect(proxy.port, '127.0.0.1');
    await once(socket, 'connect');
    patch(test, http, () => socket);
    const url = new URL('http://known-to-the-proxy-only.invalid/images');
    await assert.rejects(new HttpsTransport().request({ method: 'GET', url, timeouts }), {
      code: 'network',
      sent: true,
    });
  });

  it('does not take the refusal of a proxy for an answer of the service', async (test) => {
    const proxy = await answering(
      test,
      'HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n',
    );
    patch(test, https, () => net.connect(proxy.port, '127.0.0.1'));
    const url = new URL('https://known-to-the-proxy-only.invalid/v1/images/generations');
    await assert.rejects(new HttpsTransport().request({ method: 'GET', url, timeouts }), {
      code: 'network',
      sent: false,
      message: /proxy.*407/u,
    });
  });
});

describe('HttpsTransport', () => {
  it('connects to the port of the URL, or to that of its scheme', async (test) => {
    const asked: unknown[] = [];
    const connect = ({ port, host }: net.TcpNetConnectOpts): net.Socket => {
      asked.push([host, port]);
      return new net.Socket().destroy(new Error('No network.'));
    };
    test.mock.method(net, 'connect', connect);
    test.mock.method(tls, 'connect', connect);
    for (const address of [
      'http://127.0.0.1/v1',
      'https://[::1]/v1',
      'https://localhost:8443/v1',
      'http://a.example:81/',
    ]) {
      const request = new HttpsTransport().request({ method: 'GET', url: new URL(address), timeouts });
      await assert.rejects(request, { code: 'network' });
    }
    assert.deepEqual(asked, [
      ['127.0.0.1', 80],
      ['::1', 443],
      ['localhost', 8443],
      ['a.example', 81],
    ]);
  });

  it('ends at once where a service goes over to another protocol', async (test) => {
    const answer = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: other\r\n\r\n';
    const { url } = await answering(test, answer);
    await assert.rejects(new HttpsTransport().request({ method: 'GET', url, timeouts }), {
      code: 'network',
      sent: true,
    });
  });
});

/** Has connections that are to be encrypted trust the server of these tests. */
function trust(test: TestContext): void {
  const original = tls.connect;
  test.mock.method(tls, 'connect', (options: tls.ConnectionOptions) =>
    original({ ...options, ca: selfSigned.cert }),
  );
}

describe('HttpsTransport over TLS', () => {
  it('names the server, checks its certificate and speaks to it', async (test) => {
    const server = https.createServer(selfSigned, (request, response) => {
      const socket = request.socket instanceof tls.TLSSocket ? request.socket : undefined;
      request
        .resume()
        .on('end', () => response.end(`${String(socket?.servername)} ${String(request.headers.host)}`));
    });
    const port = await listenUntilEnd(test, server);
    trust(test);
    const url = new URL(`https://localhost:${port}/`);
    const response = await new HttpsTransport().request({ method: 'GET', url, timeouts });
    assert.equal(await text(response.body), `localhost localhost:${port}`);
  });

  it('knows that a part of a request has left when the connection breaks in its middle', async (test) => {
    const server = tls.createServer(selfSigned, (socket) => {
      socket.on('error', () => {}).once('data', () => socket.destroy());
    });
    const port = await listenUntilEnd(test, server);
    trust(test);
    const bytes = Buffer.alloc(32 * 1024 * 1024);
    const body = { length: bytes.length, open: () => Readable.from([bytes], { objectMode: false }) };
    const post = async (url: string): Promise<unknown> =>
      new HttpsTransport().request({ method: 'POST', url: new URL(url), timeouts, body });
    await assert.rejects(post(`https://localhost:${port}/`), { code: 'network', sent: true });
    // Also over a connection that a proxy has made before.
    const socket = tls.connect({ port, host: '127.0.0.1', servername: 'localhost' });
    await once(socket, 'secureConnect');
    patch(test, https, () => socket);
    await assert.rejects(post('https://known-to-the-proxy-only.invalid/'), { code: 'network', sent: true });
  });
});
