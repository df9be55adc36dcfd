/**
 * The service as fast as it can be, in a process of its own: bodies are made once and kept. Sends its address to
 * the parent process. Answers with 4 images of 15 MB, inline or
 * (when the prompt says so) by URL, and takes uploads.
 */
import { randomBytes } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { crc32 } from 'node:zlib';

const megabyte = 1_000_000;
const images = Array.from({ length: 4 }, () => png(15 * megabyte));
const small = png(1000);
const answer = jsonAnswer(images);

/** A PNG by its header, filled up with random bytes: nothing here decodes pixels. */
function png(length: number): Buffer {
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const header = Buffer.alloc(25);
  header.writeUInt32BE(13, 0);
  header.write('IHDR', 4, 'latin1');
  header.writeUInt32BE(2048, 8);
  header.writeUInt32BE(2048, 12);
  header.set([8, 6, 0, 0, 0], 16);
  header.writeUInt32BE(crc32(header.subarray(4, 21)), 21);
  return Buffer.concat([signature, header, randomBytes(length - signature.length - header.length)]);
}

function jsonAnswer(pictures: readonly Buffer[]): Buffer {
  const data = pictures.map((picture) => ({ b64_json: picture.toString('base64') }));
  return Buffer.from(JSON.stringify({ created: 1_700_000_000, data }));
}

function send(
  response: ServerResponse,
  status: number,
  body: Buffer,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': body.length,
    ...headers,
  });
  response.end(body);
}

const server = createServer((request, response) => {
  const { url = '' } = request;
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => {
    if (chunks.length === 0) {
      chunks.push(chunk);
    }
  });
  request.once('end', () => {
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const image = /^\/api\/async-images\/(\d)\.png$/.exec(url);
    if (image) {
      send(response, 200, images[Number(image[1])] ?? small, { 'content-type': 'image/png' });
    } else if (url.endsWith('/edits')) {
      send(response, 200, jsonAnswer([small]));
    } else if (chunks[0]?.includes('as urls')) {
      const data = images.map((_, index) => ({ url: `${origin}/api/async-images/${index}.png` }));
      send(response, 200, Buffer.from(JSON.stringify({ created: 1_700_000_000, data })));
    } else {
      send(response, 200, answer);
    }
  });
});

server.listen(0, '127.0.0.1', () => {
  process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
