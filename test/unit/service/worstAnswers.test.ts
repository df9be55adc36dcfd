import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FetchTransport } from '../../../src/service/fetchTransport.ts';
import { ImageService } from '../../../src/service/imageService.ts';
import { answering } from './loopback.ts';
import { MemorySinks } from './sinks.ts';
import { worstAnswers } from './worstAnswers.ts';

const apiKey = 'sk-0123456789abcdef';

/** A moment on any machine; carelessly read, each takes from seconds to hours, in milliseconds. */
const moment = 2000;

describe('An answer that is made to take long', () => {
  for (const [what, { status, body }] of Object.entries(worstAnswers(apiKey))) {
    it(`is read in a moment: ${what}`, async (test) => {
      const head = `HTTP/1.1 ${status} Worst\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n`;
      const server = await answering(test, head + body);
      const polls = new FetchTransport();
      const service = new ImageService({
        baseUrl: server.url.origin,
        apiKey,
        transports: { posts: polls, polls, downloads: polls },
        requestTimeout: moment,
      });
      const start = performance.now();
      const said: unknown = await service.query('task_1', new MemorySinks()).catch((error: unknown) => error);
      const passed = performance.now() - start;
      assert.ok(passed < moment, `${passed} ms`);
      assert.ok(JSON.stringify(said).length < 1_000_000);
    });
  }
});
