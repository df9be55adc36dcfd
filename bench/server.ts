/**
 * The service as fast as it can be, in a process of its own: what the prompt orders is made once and kept. Sends its
 * address to the parent process. Speaks the image endpoints and the native call; an edit is answered with one small
 * picture, since its prompt may come after its files.
 */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Order, orderIn } from './order.ts';
import { makePicture } from './picture.ts';

const kept = new Map<string, Buffer>();
const thumbnail: Order = { count: 1, size: 1000, delivery: 'inline' };

const server = createServer((request, response) => {
  const { url = '' } = request;
  let body: Buffer | undefined;
  request.on('data', (chunk: Buffer) => (body ??= chunk));
  request.once('end', () => {
    const [, size, index] = /^\/api\/async-images\/(\d+)-(\d+)\.png$/u.exec(url) ?? [];
    if (index !== undefined) {
      send(response, 'image/png', pictureAt(Number(size), Number(index)));
      return;
    }
    const order = url.endsWith('/edits') ? thumbnail : orderIn(String(body));
    const write = url.endsWith(':generateContent') ? nativeAnswer : imageAnswer;
    send(
      response,
      'application/json',
      once(`${write.name} ${JSON.stringify(order)}`, () => write(order)),
    );
  });
});

server.listen(0, '127.0.0.1', () => process.send?.(origin()));

function origin(): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function pictureAt(size: number, index: number): Buffer {
  return once(`${size}-${index}`, () => makePicture(size));
}

function imageAnswer({ count, size, delivery }: Order): Buffer {
  const data = Array.from({ length: count }, (_, index) =>
    delivery === 'urls'
      ? { url: `${origin()}/api/async-images/${size}-${index}.png` }
      : { b64_json: pictureAt(size, index).toString('base64') },
  );
  return Buffer.from(JSON.stringify({ created: 1_700_000_000, data }));
}

function nativeAnswer({ count, size }: Order): Buffer {
  const parts = Array.from({ length: count }, (_, index) => ({
    inlineData: { mimeType: 'image/png', data: pictureAt(size, index).toString('base64') },
  }));
  return Buffer.from(JSON.stringify({ candidates: [{ content: { role: 'model', parts } }] }));
}

function once(name: string, make: () => Buffer): Buffer {
  const made = kept.get(name) ?? make();
  kept.set(name, made);
  return made;
}

function send(response: ServerResponse, type: string, body: Buffer): void {
  response.writeHead(200, { 'content-type': type, 'content-length': body.length });
  response.end(body);
}
