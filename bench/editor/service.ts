/**
 * A service in a process of its own, which answers at once; it sends its address to the parent process, and then tells
 * of its tasks. It completes a task right after the first question about it, so that the next one, an interval later, is
 * told. Without `Prefer: respond-async` it answers with 4 × 15 MB inline.
 */
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { makePicture } from '../picture.ts';
import type { ServiceEvent } from './serviceProcess.ts';

const picture = makePicture(1_000_000);
const inline = Buffer.from(
  JSON.stringify({
    created: 1_700_000_000,
    data: Array.from({ length: 4 }, () => ({ b64_json: makePicture(15_000_000).toString('base64') })),
  }),
);
const asked = new Set<string>();
let tasks = 0;

const server = createServer((request, response) => {
  const at = now();
  const { method, url = '', headers } = request;
  request.resume();
  if (url.startsWith('/api/')) {
    send(response, 200, picture, { 'content-type': 'image/png' });
  } else if (method === 'POST' && headers['prefer'] === undefined) {
    request.once('end', () => send(response, 200, inline));
  } else if (method === 'POST') {
    tell({ name: 'posted', at });
    const id = `task_${tasks++}`;
    const location = `/v1/images/generations/${id}`;
    send(response, 202, taskOf(id, 'queued'), { location, 'preference-applied': 'respond-async' });
  } else {
    const id = url.slice(url.lastIndexOf('/') + 1);
    if (asked.has(id)) {
      tell({ name: 'told', at });
      send(
        response,
        200,
        taskOf(id, 'completed', { data: [{ url: `${origin()}/api/async-images/${id}.png` }] }),
      );
    } else {
      asked.add(id);
      send(response, 200, taskOf(id, 'in_progress'));
      void once(response, 'finish').then(() => tell({ name: 'completed', at: now() }));
    }
  }
});

server.listen(0, '127.0.0.1', () => process.send?.(origin()));

/** In Unix milliseconds. */
function now(): number {
  return performance.timeOrigin + performance.now();
}

function origin(): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function taskOf(id: string, status: string, more: object = {}): Buffer {
  const task = { id, object: 'image.generation.task', status, created_at: 1_700_000_000, ...more };
  return Buffer.from(JSON.stringify(task));
}

function tell(event: ServiceEvent): void {
  process.send?.(event);
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
