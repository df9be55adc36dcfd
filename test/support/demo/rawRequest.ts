import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { ADA } from './demoClient.ts';

/** An answer as it came over a connection of its own, nothing of it decoded. */
export interface RawAnswer {
  /** The status lines of what came before the answer. */
  interim: string[];
  /** Such as `HTTP/1.1 200 OK`. */
  statusLine: string;
  status: number;
  /** Names in lower case. */
  headers: Record<string, string>;
  /** Everything after the headers, chunks and all. */
  body: Buffer;
}

interface Asked {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

/** A request on a connection of its own, with Ada's key, and what has come back. */
export class RawRequest {
  readonly socket: Socket;
  readonly #parts: Buffer[] = [];

  constructor(url: string, { method = 'GET', headers = {}, body = '' }: Asked = {}) {
    const { hostname, port, pathname, search } = new URL(url);
    this.socket = connect(Number(port), hostname);
    this.socket.on('data', (part) => this.#parts.push(part));
    const all = {
      host: `${hostname}:${port}`,
      connection: 'close',
      authorization: `Bearer ${ADA}`,
      'content-length': String(Buffer.byteLength(body)),
      ...headers,
    };
    const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
    this.socket.write(`${method} ${pathname}${search} HTTP/1.1\r\n${lines.join('')}\r\n${body}`);
  }

  get received(): Buffer {
    return Buffer.concat(this.#parts);
  }

  /** Waits until the service ends the connection; rejects where it resets it. */
  async answer(): Promise<RawAnswer> {
    await once(this.socket, 'end');
    return parse(this.received);
  }
}

/** The answer to a request on a connection of its own. */
export function ask(url: string, asked: Asked = {}): Promise<RawAnswer> {
  return new RawRequest(url, asked).answer();
}

/** The data of a chunked body, and whether its last chunk came. */
export function dechunk(body: Buffer): { data: Buffer; isWhole: boolean } {
  const data: Buffer[] = [];
  for (let from = 0; ;) {
    const end = body.indexOf('\r\n', from);
    const length = Number.parseInt(body.toString('latin1', from, end), 16);
    if (end === -1 || length === 0) {
      return { data: Buffer.concat(data), isWhole: length === 0 };
    }
    data.push(body.subarray(end + 2, end + 2 + length));
    from = end + 2 + length + 2;
  }
}

function parse(received: Buffer): RawAnswer {
  const interim: string[] = [];
  for (let rest = received; ;) {
    const end = rest.indexOf('\r\n\r\n');
    assert.notEqual(end, -1, rest.toString('latin1'));
    const [statusLine = '', ...lines] = rest.toString('latin1', 0, end).split('\r\n');
    const status = Number(statusLine.split(' ')[1]);
    rest = rest.subarray(end + 4);
    if (status >= 200) {
      const headers = lines.map((line) => {
        const colon = line.indexOf(':');
        return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const;
      });
      return { interim, statusLine, status, headers: Object.fromEntries(headers), body: rest };
    }
    interim.push(statusLine);
  }
}
