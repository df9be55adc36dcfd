import http from 'node:http';
import https from 'node:https';
import net from 'node:net';
import tls from 'node:tls';
import * as english from '../../common/english.ts';
import { Exchange } from './exchange.ts';
import { hostName, isThisMachine, lookupLocalhost } from './hosts.ts';
import type { Transport, TransportRequest, TransportResponse } from './transport.ts';
import { refusedByProxy } from './transportErrors.ts';

/** Keeps NAT devices from dropping a connection that waits minutes for its response. */
const keepAliveDelay = 15_000;

/**
 * The transport for every POST and every download: `node:http(s)`, with a new connection for each request.
 *
 * VS Code patches these modules for proxies, proxy authentication, and certificates, but only for requests without an
 * agent of their own, so none is passed. `createConnection` avoids the global agent's pool where nothing is patched,
 * and is ignored where a proxy is used. Requests to this machine bypass the patch, so that no proxy gets them.
 */
export class HttpsTransport implements Transport {
  async request(request: TransportRequest): Promise<TransportResponse> {
    Exchange.throwIfStopped(request);
    const outgoing = open(request);
    const exchange = new Exchange(request, () => outgoing.destroy());
    outgoing.on('socket', (socket) => {
      socket.setKeepAlive(true, keepAliveDelay);
      whenConnected(socket, () => exchange.connected());
    });
    outgoing.on('finish', () => exchange.requestSent());
    outgoing.on('error', (error) => exchange.fail(error));
    outgoing.on('close', () =>
      exchange.fail(new Error(english.t('The connection was closed without a response.'))),
    );
    outgoing.on('response', (incoming) => {
      if (request.url.protocol === 'https:' && !isEncrypted(incoming.socket)) {
        // A proxy that refuses a tunnel answers in the service's place.
        exchange.fail(refusedByProxy(incoming.statusCode ?? 0, request.url));
        return;
      }
      exchange.answered(incoming.statusCode ?? 0, incoming.headers, incoming);
    });
    send(request, outgoing, exchange);
    return exchange.response;
  }
}

function open(request: TransportRequest): http.ClientRequest {
  const { url } = request;
  const isHttps = url.protocol === 'https:';
  const defaultPort = isHttps ? 443 : 80;
  const host = hostName(url);
  const port = url.port === '' ? defaultPort : Number(url.port);
  const lookup = request.lookup ?? (host === 'localhost' ? lookupLocalhost : undefined);
  const address = { host, port, lookup };
  const createConnection = (): net.Socket => (isHttps ? connectSecurely(address) : net.connect(address));
  const options: https.RequestOptions = {
    ...address,
    protocol: url.protocol,
    defaultPort,
    path: `${url.pathname}${url.search}`,
    method: request.method,
    headers: {
      ...request.headers,
      ...(request.body !== undefined && { 'content-length': String(request.body.length) }),
    },
    createConnection,
  };
  if (isThisMachine(url)) {
    const agent = isHttps ? new https.Agent() : new http.Agent();
    agent.createConnection = createConnection;
    return new http.ClientRequest({ ...options, agent });
  }
  return isHttps ? https.request(options) : http.request(options);
}

function connectSecurely(address: net.TcpNetConnectOpts & { host: string }): tls.TLSSocket {
  return tls.connect({
    ...address,
    ALPNProtocols: ['http/1.1'],
    ...(net.isIP(address.host) === 0 && { servername: address.host }),
  });
}

function whenConnected(socket: net.Socket, listener: () => void): void {
  if (isEncrypted(socket)) {
    if (socket.getProtocol() === null || socket.connecting) {
      socket.once('secureConnect', listener);
    } else {
      listener();
    }
  } else if (socket.connecting) {
    socket.once('connect', listener);
  } else {
    listener();
  }
}

function isEncrypted(socket: net.Socket): socket is tls.TLSSocket {
  return 'encrypted' in socket && socket.encrypted === true;
}

function send(request: TransportRequest, outgoing: http.ClientRequest, exchange: Exchange): void {
  if (request.body === undefined) {
    outgoing.end();
    return;
  }
  const body = request.body.open();
  body.on('data', (chunk: Buffer) => {
    exchange.progressed();
    if (!outgoing.write(chunk)) {
      body.pause();
    }
  });
  outgoing.on('drain', () => {
    exchange.progressed();
    body.resume();
  });
  body.on('end', () => outgoing.end());
  body.on('error', (error) => exchange.fail(error));
  outgoing.on('close', () => body.destroy());
}
