import { EventEmitter, once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import type { Answer, Question } from './link.ts';

type Given<T> = T extends (...given: infer G) => unknown ? G : never;
type Returned<T> = T extends (...given: never[]) => infer R ? Awaited<R> : never;

/** Where the extension host of each window connects. */
export class HostDoor {
  readonly #server: Server;
  readonly #arrivals = new EventEmitter<{ host: [Socket] }>();

  static async open(): Promise<HostDoor> {
    const server = createServer();
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return new HostDoor(server);
  }

  private constructor(server: Server) {
    this.#server = server;
    server.on('connection', (socket) => this.#arrivals.emit('host', socket));
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Waits for the extension host of a window that is being opened. */
  async next<Methods>(): Promise<Host<Methods>> {
    const [socket] = (await once(this.#arrivals, 'host')) as [Socket];
    return new Host(socket);
  }

  close(): void {
    this.#server.close();
  }
}

/** An extension host, by the methods of the extension of the bench in it. */
export class Host<Methods> {
  readonly #socket: Socket;
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>();
  #questions = 0;

  constructor(socket: Socket) {
    this.#socket = socket;
    createInterface({ input: socket }).on('line', (line) => this.#take(JSON.parse(line) as Answer));
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      for (const { reject } of this.#waiting.values()) {
        reject(new Error('The extension host has ended.'));
      }
    });
  }

  /** Calls a method there. @throws Error with what it threw, or when the extension host ends */
  async ask<Name extends string & keyof Methods>(
    name: Name,
    ...given: Given<Methods[Name]>
  ): Promise<Returned<Methods[Name]>> {
    const question: Question = { id: this.#questions++, name, given };
    const waiting = Promise.withResolvers<unknown>();
    this.#waiting.set(question.id, waiting);
    this.#socket.write(`${JSON.stringify(question)}\n`);
    return (await waiting.promise) as Returned<Methods[Name]>;
  }

  #take({ id, value, error }: Answer): void {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (error === undefined) {
      waiting?.resolve(value);
    } else {
      waiting?.reject(new Error(error));
    }
  }
}
