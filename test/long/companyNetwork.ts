import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { privateAuthority } from './privateAuthority.ts';

/** The service and its results under names that exist in this network alone. */
export const companyHosts = { service: 'images.limner.test', results: 'results.limner.test' } as const;

/** A request that went through the proxy, and its connection. */
export interface ProxiedRequest {
  host: string;
  method: string;
  path: string;
}

export interface CompanyNetworkOptions {
  /** `name:password` that the proxy requires. */
  credentials?: string;
}

/**
 * A network as companies have it: two hosts with certificates of a private authority, which only an HTTP proxy can
 * reach. Behind them is a demo service.
 */
export class CompanyNetwork {
  /** Every request that reached a host, that is, through the proxy. */
  readonly seen: ProxiedRequest[] = [];
  readonly #hosts: Server;
  readonly #proxy: Server;
  readonly #sockets = new Set<Socket>();
  readonly #credentials: string | undefined;
  #service = { baseUrl: '', resultHost: '' };

  static async start({ credentials }: CompanyNetworkOptions = {}): Promise<CompanyNetwork> {
    const network = new CompanyNetwork(credentials);
    for (const server of [network.#hosts, network.#proxy]) {
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
    }
    return network;
  }

  private constructor(credentials: string | undefined) {
    this.#credentials = credentials;
    this.#hosts = createSecureServer(
      privateAuthority.hosts,
      // The client has gone, or the service has.
      (asked, answer) => void this.#forward(asked, answer).catch(() => answer.destroy()),
    );
    this.#proxy = createServer((_, answer) => answer.writeHead(403).end());
    this.#proxy.on('connect', (asked: IncomingMessage, socket: Socket) => this.#connect(asked, socket));
  }

  /** For the setting `http.proxy`. */
  get proxyUrl(): string {
    const address = `127.0.0.1:${portOf(this.#proxy)}`;
    return this.#credentials === undefined ? `http://${address}` : `http://${this.#credentials}@${address}`;
  }

  /** Sets the service behind the names. */
  serve(service: { baseUrl: string; resultHost: string }): void {
    this.#service = service;
  }

  /** Paths without ids that were asked for, each once. */
  get paths(): string[] {
    const short = this.seen.map(
      ({ host, method, path }) =>
        `${method} ${host}${path.replace(/(?<=\/)(?:task_|limner-check-)?[0-9a-f-]{24,}.*/, '…')}`,
    );
    return [...new Set(short)].toSorted();
  }

  stop(): void {
    for (const socket of this.#sockets) {
      socket.destroy();
    }
    for (const server of [this.#hosts, this.#proxy]) {
      server.close();
      server.closeAllConnections();
    }
  }

  #connect({ url = '', headers }: IncomingMessage, socket: Socket): void {
    this.#sockets.add(socket);
    socket.on('error', () => socket.destroy());
    const [host = ''] = url.split(':');
    if (this.#credentials !== undefined && headers['proxy-authorization'] !== basic(this.#credentials)) {
      socket.end(
        'HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm="test"\r\n\r\n',
      );
    } else if (host !== companyHosts.service && host !== companyHosts.results) {
      socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
    } else {
      const upstream = connect(portOf(this.#hosts), '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
        upstream.pipe(socket);
        socket.pipe(upstream);
      });
      this.#sockets.add(upstream);
      upstream.on('error', () => socket.destroy());
      socket.on('close', () => upstream.destroy());
    }
  }

  async #forward(asked: IncomingMessage, answer: ServerResponse): Promise<void> {
    const { url = '', method = '', headers } = asked;
    const host = headers.host ?? '';
    this.seen.push({ host, method, path: url });
    const behind = request(
      host === companyHosts.service ? this.#service.baseUrl + url : this.#service.resultHost + url,
      {
        method,
        headers: { ...headers, host: '' },
      },
    );
    asked.pipe(behind);
    const reply = await new Promise<IncomingMessage>((resolve, reject) => {
      behind.once('response', resolve).once('error', reject);
    });
    const { 'content-length': _, ...passed } = reply.headers;
    answer.writeHead(reply.statusCode ?? 502, passed);
    if (host === companyHosts.service && headers['accept'] !== 'text/event-stream') {
      answer.end((await text(reply)).replaceAll(this.#service.resultHost, `https://${companyHosts.results}`));
    } else {
      reply.pipe(answer);
    }
  }
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') {
    throw new Error('The server is not listening.');
  }
  return address.port;
}

function basic(credentials: string): string {
  return `Basic ${Buffer.from(credentials).toString('base64')}`;
}
