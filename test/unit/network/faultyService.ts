import { once } from 'node:events';
import net from 'node:net';
import tls from 'node:tls';
import { selfSigned } from '../../support/service/selfSigned.ts';
import { picture as pictureOf } from '../../support/service/loopbackService.ts';
import { trusted } from './trusted.ts';

/** What a task asks of a service, one after the other. */
export type Endpoint = 'generate' | 'edit' | 'sync' | 'native' | 'nativeStream' | 'query' | 'download';

export const endpoints: readonly Endpoint[] = [
  'generate',
  'edit',
  'sync',
  'native',
  'nativeStream',
  'query',
  'download',
];

/** An answer as it should be; its `Content-Length` is written when it is sent. */
export interface Answer {
  status: string;
  headers: Record<string, string>;
  body: Buffer;
}

/** A request whose last byte has come. */
export interface FaultyRequest {
  socket: net.Socket;
  endpoint: Endpoint;
  head: string;
  /** What the service would have said. */
  answer: Answer;
  origin: string;
  /** Another service, which would note every request that it gets. */
  elsewhere: string;
}

/** What goes wrong, once or again and again, at the one endpoint that it is meant for. */
export interface Fault {
  /** Where the request never gets: its name is not found, its port is closed, its certificate not trusted. */
  lookup?: 'not found' | 'closed port';
  certificate?: 'untrusted' | 'none';
  /** Takes a connection before it has brought anything. */
  connected?: (socket: net.Socket) => void;
  /** Takes a request as soon as its first byte is there. */
  started?: (socket: net.Socket) => void;
  /** Answers a whole request. */
  answer?: (request: FaultyRequest) => void;
  /** How many times it happens; once unless given. */
  times?: number;
}

/** The picture that every endpoint delivers. */
export const picture = pictureOf('a red fox in the snow, '.repeat(200));

const taskPath = '/v1/images/generations/task_1';
const resultPath = '/api/async-images/1.png';
const task = { id: 'task_1', object: 'image.generation.task', created_at: 1_700_000_000 };
const inlineData = { mimeType: 'image/png', data: picture.toString('base64') };
const native = JSON.stringify({ candidates: [{ content: { role: 'model', parts: [{ inlineData }] } }] });

let count = 0;

/**
 * A service on a port of its own, so that nothing but its one task comes here. It answers as docs/service.md says,
 * with a connection for each request, but for the fault at the one endpoint.
 */
export class FaultyService {
  readonly baseUrl: string;
  /** Requests, and connections that were spoilt before one came, by endpoint. */
  readonly asked = new Map<Endpoint, number>();
  /** Requests that brought a key. */
  keys = 0;
  readonly #faulty: Endpoint | undefined;
  readonly #fault: Fault;
  readonly #elsewhere: string;
  readonly #server: net.Server;
  readonly #sockets = new Set<net.Socket>();
  readonly #first: Endpoint;
  #answered = 0;
  #struck = 0;

  static async start(faulty: Endpoint | undefined, fault: Fault, elsewhere = ''): Promise<FaultyService> {
    const server = net.createServer({ pauseOnConnect: true });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return new FaultyService(server, faulty, fault, elsewhere);
  }

  private constructor(server: net.Server, faulty: Endpoint | undefined, fault: Fault, elsewhere: string) {
    this.#server = server;
    this.#faulty = faulty;
    this.#fault = fault;
    this.#elsewhere = elsewhere;
    this.#first = faulty === undefined || faulty === 'query' || faulty === 'download' ? 'generate' : faulty;
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    const scheme = fault.certificate === undefined ? 'http' : 'https';
    this.baseUrl = `${scheme}://${++count}.fault.localhost:${port}`;
    server.on('connection', (socket) => this.#connect(socket));
  }

  /** Whether the next request to this endpoint meets the fault. */
  strikes(endpoint: Endpoint | undefined): boolean {
    return endpoint === this.#faulty && this.#struck < (this.#fault.times ?? 1);
  }

  /** Where this service is found for the next request; to be used in place of the name resolution. */
  resolve(): string | undefined {
    const { lookup } = this.#fault;
    if (lookup === undefined || !this.strikes(this.#next)) {
      return '127.0.0.1';
    }
    this.#struck++;
    return lookup === 'not found' ? undefined : '::1';
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) {
      socket.destroy();
    }
    this.#server.close();
    await once(this.#server, 'close');
  }

  /** The endpoint that comes next, as long as all goes well. */
  get #next(): Endpoint {
    return this.#answered === 0 ? this.#first : this.#answered === 1 ? 'query' : 'download';
  }

  #connect(raw: net.Socket): void {
    this.#sockets.add(raw);
    raw.on('close', () => this.#sockets.delete(raw)).on('error', () => undefined);
    const endpoint = this.#next;
    const { connected, certificate } = this.#fault;
    if (this.strikes(endpoint) && (connected !== undefined || certificate !== undefined)) {
      this.#strike(endpoint);
      raw.resume();
      if (certificate === 'none') {
        raw.destroy();
      } else if (certificate === 'untrusted') {
        encrypted(raw, selfSigned);
      }
      connected?.(raw);
      return;
    }
    const socket = certificate === undefined ? raw : encrypted(raw, trusted);
    socket.on('data', this.#reader(socket));
    raw.resume();
  }

  #strike(endpoint: Endpoint): void {
    this.#struck++;
    this.#note(endpoint);
  }

  #note(endpoint: Endpoint): void {
    this.asked.set(endpoint, (this.asked.get(endpoint) ?? 0) + 1);
  }

  #reader(socket: net.Socket): (chunk: Buffer) => void {
    let text = '';
    let isDone = false;
    return (chunk) => {
      if (isDone) {
        return;
      }
      text += chunk.toString('latin1');
      const { started } = this.#fault;
      const end = text.indexOf('\r\n\r\n');
      const endpoint = end === -1 ? this.#next : this.#endpointOf(text);
      if (started !== undefined && this.strikes(endpoint)) {
        isDone = true;
        this.#strike(endpoint);
        started(socket);
        return;
      }
      if (end === -1) {
        return;
      }
      const head = text.slice(0, end);
      if (text.length - end - 4 < Number(/^content-length: (\d+)$/imu.exec(head)?.[1] ?? 0)) {
        return;
      }
      isDone = true;
      this.#answer(socket, endpoint, head);
    };
  }

  #endpointOf(text: string): Endpoint {
    if (text.startsWith('POST ')) {
      return this.#first;
    }
    return text.startsWith(`GET ${taskPath} `) ? 'query' : 'download';
  }

  #answer(socket: net.Socket, endpoint: Endpoint, head: string): void {
    if (/^authorization: /imu.test(head)) {
      this.keys++;
    }
    const answer = answerOf(endpoint, this.baseUrl);
    const fault = this.#fault.answer;
    if (fault !== undefined && this.strikes(endpoint)) {
      this.#strike(endpoint);
      fault({ socket, endpoint, head, answer, origin: this.baseUrl, elsewhere: this.#elsewhere });
      return;
    }
    this.#note(endpoint);
    this.#answered = endpoint === 'download' ? 3 : endpoint === 'query' ? 2 : 1;
    send(socket, answer);
  }
}

/** Sends an answer with its `Content-Length`, and closes the connection. */
export function send(socket: net.Socket, { status, headers, body }: Answer): void {
  socket.end(
    Buffer.concat([
      headOf({ status, headers: { 'content-length': String(body.length), ...headers }, body }),
      body,
    ]),
  );
}

/** The head of an answer, with the headers that are given and no others. */
export function headOf({ status, headers }: Answer): Buffer {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`HTTP/1.1 ${status}\r\n${lines.join('')}connection: close\r\n\r\n`);
}

function answerOf(endpoint: Endpoint, origin: string): Answer {
  switch (endpoint) {
    case 'generate':
    case 'edit':
      return whole('202 Accepted', { ...task, status: 'queued', progress: '10%' }, { location: taskPath });
    case 'sync':
      return whole('200 OK', { created: 1_700_000_000, data: [{ b64_json: inlineData.data }] });
    case 'native':
      return whole('200 OK', native);
    case 'nativeStream':
      return whole('200 OK', `data: ${native}\n\n`, { 'content-type': 'text/event-stream' });
    case 'query':
      return whole('200 OK', {
        ...task,
        status: 'completed',
        progress: '100%',
        data: [{ url: origin + resultPath, revised_prompt: '' }],
      });
    case 'download':
      return { status: '200 OK', headers: { 'content-type': 'image/png' }, body: picture };
  }
}

function whole(status: string, body: unknown, headers: Record<string, string> = {}): Answer {
  return {
    status,
    headers: { 'content-type': 'application/json', ...headers },
    body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
  };
}

function encrypted(raw: net.Socket, identity: { cert: string; key: string }): tls.TLSSocket {
  const secureContext = tls.createSecureContext(identity);
  return new tls.TLSSocket(raw, { isServer: true, secureContext }).on('error', () => undefined);
}
