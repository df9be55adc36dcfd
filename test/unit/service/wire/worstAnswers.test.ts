import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FetchTransport } from '../../../../src/service/http/fetchTransport.ts';
import { HttpsTransport } from '../../../../src/service/http/httpsTransport.ts';
import { ImageService } from '../../../../src/service/wire/imageService.ts';
import { generation } from '../../../support/service/requestBuilders.ts';
import { answering } from '../../../support/service/loopback.ts';
import { MemorySinks } from '../../../support/service/sinks.ts';
import { worstAnswers } from '../../../support/service/worstAnswers.ts';

const apiKey = 'sk-0123456789abcdef';

/** A moment of any processor; carelessly read, each takes from seconds to hours of it, in milliseconds. */
const moment = 2000;

const calls: Readonly<Record<string, (service: ImageService, sinks: MemorySinks) => Promise<unknown>>> = {
  query: async (service, sinks) => service.query('task_1', sinks),
  generation: async (service, sinks) => service.submit(generation(), 'sync', sinks),
  'native call': async (service, sinks) => service.submit(generation(), 'native', sinks),
};

describe('An answer that is made to take long', () => {
  for (const [what, { status, body }] of Object.entries(worstAnswers(apiKey))) {
    for (const [name, call] of Object.entries(calls)) {
      it(`is read in a moment: ${what}, to a ${name}`, async (test) => {
        const head = `HTTP/1.1 ${status} Worst\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n`;
        const server = await answering(test, head + body);
        const https = new HttpsTransport();
        const service = new ImageService({
          baseUrl: server.url.origin,
          apiKey,
          transports: { posts: https, polls: new FetchTransport() },
          requestTimeout: 60_000,
        });
        const start = process.cpuUsage();
        const said: unknown = await call(service, new MemorySinks()).catch((error: unknown) => error);
        const { user, system } = process.cpuUsage(start);
        const taken = (user + system) / 1000;
        assert.ok(taken < moment, `${taken} ms`);
        assert.ok(JSON.stringify(said).length < 1_000_000);
      });
    }
  }
});
