import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { IncomingMessage, request } from 'node:http';
import { Socket } from 'node:net';
import * as v from 'valibot';
import type { DemoService } from '../../../src/demo/endpoints/demoService.ts';
import type { Asked } from './killPoint.ts';

const connection = v.object({ socket: v.instance(Socket) });
const beginning = v.object({ request: v.instance(IncomingMessage) });

/** The connections to a demo service of this very process, as Node reports them. */
export class Wire {
  readonly #service: DemoService;
  readonly #ports: readonly number[];
  readonly #open = new Set<Socket>();
  readonly #listeners = new Set<(asked: Asked) => void>();

  constructor(service: DemoService) {
    this.#service = service;
    this.#ports = [service.baseUrl, service.resultHost].map((origin) => Number(new URL(origin).port));
    subscribe('net.server.socket', this.#onConnection);
    subscribe('http.server.request.start', this.#onRequest);
  }

  [Symbol.dispose](): void {
    unsubscribe('net.server.socket', this.#onConnection);
    unsubscribe('http.server.request.start', this.#onRequest);
  }

  /** Hears of each request as it arrives. */
  onRequest(listener: (asked: Asked) => void): Disposable {
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }

  /** Waits until all that a process sent before it died has been read, and its connections are gone. */
  async quiet(): Promise<void> {
    // Connections are taken in order: once this one is, so are all before it.
    await new Promise<void>((resolve, reject) => {
      request(`${this.#service.baseUrl}/demo/clock`, { agent: false }, (response) =>
        response.resume().once('end', resolve),
      )
        .once('error', reject)
        .end();
    });
    await Promise.all(
      [...this.#open].map(async (socket) => new Promise((resolve) => socket.once('close', resolve))),
    );
  }

  readonly #onConnection = (message: unknown): void => {
    const { socket } = v.parse(connection, message);
    if (this.#ports.includes(socket.localPort ?? 0)) {
      this.#open.add(socket);
      socket.once('close', () => this.#open.delete(socket));
    }
  };

  readonly #onRequest = (message: unknown): void => {
    const { method, url = '', socket } = v.parse(beginning, message).request;
    if (!this.#open.has(socket)) {
      return;
    }
    if (url.startsWith('/demo/')) {
      // The test's own.
      this.#open.delete(socket);
      return;
    }
    const asked = method === 'POST' ? 'post' : url.startsWith('/v1/') ? 'poll' : 'image';
    for (const listener of this.#listeners) {
      listener(asked);
    }
  };
}
