import assert from 'node:assert/strict';
import { deflateSync } from 'node:zlib';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { within } from '../eventually.ts';
import { pngChunk } from '../images/pngFile.ts';

/** Requests that reached the service, in order. */
export interface SeenRequest {
  method: string;
  path: string;
  authorization: string | undefined;
  headers: IncomingHttpHeaders;
  body: string;
  bytes: Buffer;
}

export type Reply = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;

/** A PNG of 3 × 2 black pixels; a text makes one picture differ from another. */
export function picture(salt = ''): Buffer {
  const signature = Buffer.from('89504e470d0a1a0a', 'hex');
  const header = pngChunk('IHDR', Buffer.from('00000003000000020802000000', 'hex'));
  const text = salt === '' ? [] : [pngChunk('tEXt', Buffer.from(salt))];
  const pixels = pngChunk('IDAT', deflateSync(Buffer.alloc(20)));
  return Buffer.concat([signature, header, ...text, pixels, pngChunk('IEND', Buffer.alloc(0))]);
}

/**
 * A service on loopback whose every answer the test writes: a route is `METHOD path`, its replies are used in turn
 * and the last one goes on for ever.
 */
export class LoopbackService {
  readonly seen: SeenRequest[] = [];
  readonly #server = createServer((request, response) => void this.#answer(request, response));
  readonly #routes = new Map<string, Reply[]>();
  readonly #waiting = new Set<() => void>();

  static async start(): Promise<LoopbackService> {
    const service = new LoopbackService();
    await new Promise<void>((resolve) => service.#server.listen(0, '127.0.0.1', resolve));
    return service;
  }

  get baseUrl(): string {
    const address = this.#server.address();
    assert.ok(address !== null && typeof address === 'object');
    return `http://127.0.0.1:${address.port}`;
  }

  on(route: string, ...replies: Reply[]): this {
    this.#routes.set(route, replies);
    return this;
  }

  /** The reply of this route that is `index` places from its next one. */
  reply(route: string, index = 0): Reply {
    const reply = this.#routes.get(route)?.[index];
    assert.ok(reply);
    return reply;
  }

  /** How many requests this route got. */
  count(route: string): number {
    return this.seen.filter(({ method, path }) => `${method} ${path}` === route).length;
  }

  /** Resolves once this route got so many requests. */
  async got(route: string, count = 1): Promise<void> {
    while (this.count(route) < count) {
      const more = new Promise<void>((resolve) => this.#waiting.add(resolve));
      await within(`${count} requests for ${route}`, more, () => this.seen.map(({ path }) => path));
    }
  }

  /** Accepts one generation and delivers these pictures at once. */
  delivers(...pictures: Buffer[]): this {
    this.on(
      'POST /v1/images/generations',
      json(202, { id: 'task_1', object: 'image.generation.task', status: 'queued' }),
    );
    this.on(
      'GET /v1/images/generations/task_1',
      json(200, { id: 'task_1', status: 'in_progress', progress: '40%' }),
      json(200, {
        id: 'task_1',
        status: 'completed',
        progress: '100%',
        data: pictures.map((_, index) => ({ url: `${this.baseUrl}/api/async-images/${index}.png` })),
      }),
    );
    for (const [index, bytes] of pictures.entries()) {
      this.on(`GET /api/async-images/${index}.png`, image(bytes));
    }
    return this;
  }

  /** Breaks every connection. */
  hangUp(): void {
    this.#server.closeAllConnections();
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? '';
    const bytes = await buffer(request).catch(() => Buffer.alloc(0));
    this.seen.push({
      method: request.method ?? '',
      path,
      authorization: request.headers.authorization,
      headers: request.headers,
      body: bytes.toString(),
      bytes,
    });
    const replies = this.#routes.get(`${request.method} ${path}`) ?? [];
    const reply = replies.length > 1 ? replies.shift() : replies[0];
    await (reply ?? json(404, { error: { code: 'task_not_found', message: 'not here' } }))(request, response);
    for (const resolve of this.#waiting) {
      resolve();
    }
    this.#waiting.clear();
  }
}

export function json(status: number, body: unknown, headers: Record<string, string> = {}): Reply {
  return (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify(body));
  };
}

export function image(bytes: Buffer): Reply {
  return (_request, response) => {
    response.writeHead(200, { 'content-type': 'image/png', 'content-length': bytes.length });
    response.end(bytes);
  };
}

/** Tears the connection down after the request arrived. */
export const reset: Reply = (request) => void request.socket.destroy();

/** Never answers. */
export const silence: Reply = () => {};
