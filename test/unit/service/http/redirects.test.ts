import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { FetchTransport } from '../../../../src/service/http/fetchTransport.ts';
import { HttpsTransport } from '../../../../src/service/http/httpsTransport.ts';
import { ImageService } from '../../../../src/service/wire/imageService.ts';
import type { Transport } from '../../../../src/service/http/transport.ts';
import { undiciTransport } from '../../../support/cli/undici.ts';
import { edit, generation } from '../../../support/service/requestBuilders.ts';
import { listen, type LoopbackServer } from '../../../support/service/loopback.ts';
import { MemorySinks } from '../../../support/service/sinks.ts';

const { openSink } = new MemorySinks();

/** Every call that carries the key. */
const calls: Record<string, (service: ImageService) => Promise<unknown>> = {
  async: async (service) => service.submit(generation(), 'async', { openSink }),
  sync: async (service) => service.submit(generation(), 'sync', { openSink }),
  'async edit': async (service) => service.submit(edit(), 'async', { openSink }),
  'sync edit': async (service) => service.submit(edit(), 'sync', { openSink }),
  native: async (service) => service.submit(generation({ family: 'native' }), 'native', { openSink }),
  nativeStream: async (service) =>
    service.submit(generation({ family: 'native' }), 'nativeStream', { openSink }),
  query: async (service) => service.query('task_1', { openSink }),
};

const clients: Record<string, () => { posts: Transport; polls: Transport }> = {
  'in the editor': () => ({ posts: new HttpsTransport(), polls: new FetchTransport() }),
  'in the command line': () => {
    const transport = undiciTransport();
    return { posts: transport, polls: transport };
  },
};

/** Answers every request with a redirect, and keeps the connection open for the next one. */
async function redirecting(test: TestContext, status: number, location: string): Promise<LoopbackServer> {
  return listen(test, ({ socket }) => {
    socket.on('data', () => {
      socket.write(`HTTP/1.1 ${status} Elsewhere\r\nLocation: ${location}\r\nContent-Length: 0\r\n\r\n`);
    });
  });
}

for (const [where, open] of Object.entries(clients)) {
  describe(`a redirect of a call that carries the key, ${where}`, () => {
    for (const [name, call] of Object.entries(calls)) {
      it(`is not followed, neither to another origin nor within its own: ${name}`, async (test) => {
        const other = await listen(test, ({ socket }) => void socket.destroy());
        for (const status of [301, 302, 303, 307, 308]) {
          for (const location of [
            `http://127.0.0.1:${other.port}/v1/images/generations/task_1`,
            `//127.0.0.1:${other.port}/`,
            '/v1/elsewhere',
            'file:///etc/passwd',
          ]) {
            const server = await redirecting(test, status, location);
            const service = new ImageService({
              baseUrl: `http://127.0.0.1:${server.port}`,
              apiKey: 'sk-secret',
              transports: open(),
              requestTimeout: 10_000,
            });
            await assert.rejects(call(service), { code: 'protocol', status }, `${status} ${location}`);
            const [first, ...more] = server.connections;
            assert.equal(more.length, 0);
            const sent = (await first?.received('sk-secret')) ?? '';
            assert.equal(sent.split('sk-secret').length - 1, 1);
          }
        }
        assert.equal(other.connections.length, 0);
      });
    }
  });
}
