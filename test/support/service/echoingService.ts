import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { picture } from './loopbackService.ts';

/** What a service may do with the key in its response; a prompt asks for one of them as `echo-<name>`. */
export const echoes = [
  'success',
  'unauthorized',
  'unauthorized-poll',
  'refused',
  'page',
  'garbage',
  'redirect',
  'failed',
  'id',
  'leaking-url',
  'leaking-redirect',
  'leaking-image',
] as const;

export type Echo = (typeof echoes)[number];

/**
 * A service on loopback that repeats the key wherever an answer has room for it, and a second host beside it that
 * it tries to lead the key to.
 */
export class EchoingService {
  /** Everything that reached the second host, headers and all. */
  readonly elsewhere: string[] = [];
  /** Everything that reached the service without the key, among what needs it. */
  readonly keyless: string[] = [];
  readonly #key: string;
  readonly #polled = new Set<string>();
  readonly #service = createServer((request, response) => void this.#answer(request, response));
  readonly #other = createServer((request, response) => void this.#overhear(request, response));

  static async start(key: string): Promise<EchoingService> {
    const service = new EchoingService(key);
    for (const server of [service.#service, service.#other]) {
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    }
    return service;
  }

  private constructor(key: string) {
    this.#key = key;
  }

  get baseUrl(): string {
    return addressOf(this.#service);
  }

  async stop(): Promise<void> {
    for (const server of [this.#service, this.#other]) {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  }

  async #overhear(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method, url, rawHeaders } = request;
    this.elsewhere.push([method, url, ...rawHeaders, await text(request)].join('\n'));
    this.#send(response, 200, picture('elsewhere'), 'image/png');
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method, url: path = '' } = request;
    const body = await text(request);
    if (path.startsWith('/images/')) {
      this.#image(path, response);
      return;
    }
    if (request.headers.authorization !== `Bearer ${this.#key}`) {
      this.keyless.push(`${method} ${path}`);
    }
    if (method === 'GET') {
      this.#task(path.split('/').at(-1) ?? '', response);
      return;
    }
    const asked = /echo-([a-z-]+)/u.exec(body)?.[1];
    const echo = echoes.find((name) => name === asked) ?? 'success';
    this.#submission(echo, path, request.headers['prefer'] === 'respond-async', response);
  }

  #submission(echo: Echo, path: string, isAsync: boolean, response: ServerResponse): void {
    const said = this.#key;
    const encoded = Buffer.from(`Bearer ${said}`).toString('base64');
    switch (echo) {
      case 'unauthorized':
        this.#json(response, 401, {
          error: {
            message: `Incorrect API key provided: ${said}, sent as ${encoded}`,
            type: said,
            code: said,
          },
        });
        return;
      case 'refused':
        this.#json(response, 400, { message: { headers: { [said]: `Bearer ${said}` } }, code: said });
        return;
      case 'page':
        this.#send(response, 500, `<title>No ${said}</title>`, 'text/html');
        return;
      case 'garbage':
        this.#send(response, 200, `{"key": ${said}, ["`, 'application/json');
        return;
      case 'redirect':
        response.setHeader('location', `${addressOf(this.#other)}${path}?key=${encodeURIComponent(said)}`);
        this.#send(response, 307, said, 'text/plain');
        return;
      case 'id':
        this.#json(response, 202, { id: `task_${said}`, status: 'queued' });
        return;
      default:
    }
    if (isAsync) {
      this.#json(response, 202, { id: `task_${echo}`, status: `waits for ${said}` });
    } else if (path.includes(':')) {
      const part = { inlineData: { mimeType: 'image/png', data: picture().toString('base64') } };
      const value = { candidates: [{ content: { parts: [{ text: `Your key is ${said}.` }, part] } }] };
      this.#send(
        response,
        200,
        path.includes('stream') ? `data: ${JSON.stringify(value)}\n\n` : JSON.stringify(value),
        path.includes('stream') ? 'text/event-stream' : 'application/json',
      );
    } else {
      this.#json(response, 200, {
        data: [{ b64_json: picture().toString('base64'), revised_prompt: `a fox, ${said}` }],
      });
    }
  }

  #task(id: string, response: ServerResponse): void {
    const said = this.#key;
    const words = { message: `Not for ${said}`, type: said, code: said };
    const echo = echoes.find((name) => id === `task_${name}`);
    if (echo === undefined) {
      this.#json(response, 404, { error: { ...words, code: 'task_not_found' } });
    } else if (echo === 'unauthorized-poll') {
      this.#json(response, 401, { error: words });
    } else if (!this.#polled.has(id)) {
      this.#polled.add(id);
      this.#json(response, 200, { id, status: `painting with ${said}`, progress: '40%' });
    } else if (echo === 'failed') {
      this.#json(response, 200, { id, status: 'failed', error: words });
    } else {
      const query = `key=${encodeURIComponent(said)}`;
      const urls: Partial<Record<Echo, string>> = {
        'leaking-url': `${addressOf(this.#other)}/a.png?${query}`,
        'leaking-redirect': `${this.baseUrl}/images/redirect.png`,
        'leaking-image': `${addressOf(this.#other)}/a.png`,
      };
      const url = urls[echo] ?? `${this.baseUrl}/images/a.png`;
      this.#json(response, 200, {
        id,
        status: 'completed',
        data: [{ url, revised_prompt: `a fox, ${said}` }],
      });
    }
  }

  #image(path: string, response: ServerResponse): void {
    if (path.includes('redirect')) {
      response.setHeader('location', `${addressOf(this.#other)}/a.png?key=${encodeURIComponent(this.#key)}`);
      this.#send(response, 302, this.#key, 'text/plain');
    } else {
      response.setHeader('content-disposition', `attachment; filename="${this.#key}.png"`);
      this.#send(response, 200, picture(), `image/png; key="${this.#key}"`);
    }
  }

  #json(response: ServerResponse, status: number, value: unknown): void {
    this.#send(response, status, JSON.stringify(value), 'application/json');
  }

  #send(response: ServerResponse, status: number, body: string | Buffer, mediaType: string): void {
    response.writeHead(status, `Because ${this.#key}`, { 'content-type': mediaType, 'x-key': this.#key });
    response.end(body);
  }
}

function addressOf(server: Server): string {
  const address = server.address();
  if (address === null || typeof address === 'string') {
    throw new Error('The server has no port.');
  }
  return `http://127.0.0.1:${address.port}`;
}
