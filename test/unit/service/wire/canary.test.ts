import assert from 'node:assert/strict';
import { once } from 'node:events';
import https from 'node:https';
import { describe, it, type TestContext } from 'node:test';
import { FetchTransport } from '../../../../src/service/http/fetchTransport.ts';
import { HttpsTransport } from '../../../../src/service/http/httpsTransport.ts';
import { ImageService } from '../../../../src/service/wire/imageService.ts';
import { redactorFor } from '../../../../src/service/http/keyRedactor.ts';
import { isLimnerError } from '../../../../src/common/limnerError.ts';
import type { Transport } from '../../../../src/service/http/transport.ts';
import { assertWithoutKey, canaryKey, oddCanaryKey, spellingsOf, spilled } from '../../../support/canary.ts';
import { undiciTransport } from '../../../support/cli/undici.ts';
import { base64, downloaderOn, edit, generation } from '../../../support/service/requestBuilders.ts';
import { answering, closedPort, listen } from '../../../support/service/loopback.ts';
import { selfSigned } from '../../../support/service/selfSigned.ts';
import { MemorySink, MemorySinks } from '../../../support/service/sinks.ts';

const { openSink } = new MemorySinks();

/** Every call that carries the key. */
const calls: Record<string, (service: ImageService) => Promise<unknown>> = {
  async: async (service) => service.submit(generation(), 'async', { openSink }),
  sync: async (service) => service.submit(generation(), 'sync', { openSink }),
  'async edit': async (service) => service.submit(edit(), 'async', { openSink }),
  'sync edit': async (service) => service.submit(edit(), 'sync', { openSink }),
  native: async (service) => service.submit(generation({ family: 'native' }), 'native', { openSink }),
  'native, twice': async (service) =>
    service.submit(generation({ family: 'native', n: 2 }), 'native', { openSink }),
  nativeStream: async (service) =>
    service.submit(generation({ family: 'native' }), 'nativeStream', { openSink }),
  query: async (service) => service.query('task_1', { openSink }),
};

function http(status: string, body: string, headers: readonly string[] = []): string {
  const head = [`HTTP/1.1 ${status}`, `Content-Length: ${Buffer.byteLength(body)}`, 'Connection: close'];
  return [...head, ...headers, '', body].join('\r\n');
}

function json(status: string, value: unknown, headers: readonly string[] = []): string {
  return http(status, JSON.stringify(value), ['Content-Type: application/json', ...headers]);
}

/** Answers of a service that repeats the key, spelled in some way, wherever it can. */
function echoes(said: string): Record<string, string> {
  const header = said.replaceAll(/[\r\n]/gu, '');
  const image = base64('pixels');
  const words = { message: `Bad key ${said}!`, type: said, code: said };
  return {
    'a 401 in the words of OpenAI': json('401 Unauthorized', { error: words }, [
      `WWW-Authenticate: Bearer realm="${header}"`,
    ]),
    'a flat 403': json('403 Forbidden', words),
    'a 400 in the words of Google': json('400 Bad', { error: { code: 400, message: said, status: said } }),
    'a 422 with a list': json('422 Bad', { detail: [{ loc: ['header', said], msg: said }] }),
    'a 400 with an object for a message': json('400 Bad', { error: { message: { sent: { [said]: said } } } }),
    'a 404': json('404 Not Found', { error: { ...words, code: 'task_not_found' } }),
    'a 429': json('429 Slow Down', { error: words }, [`Retry-After: ${header}`]),
    'a 500 page': http('500 Broken', `<html><title>${said}</title><body>${said}</body></html>`),
    'a 502 without a title': http('502 Broken', `<p>Authorization: ${said}</p>`),
    'a 503 in plain text': http('503 Busy', `Bearer ${said} is over its limit`),
    'a 500 with broken JSON': http('500 Broken', `{"error":{"message":"${said}`),
    'a redirect': http('302 Found', said, [`Location: https://elsewhere.example/?key=${header}`]),
    'a 200 with an error': json('200 OK', { error: words }),
    'a 200 that is no JSON': http('200 OK', `${said} {"data":[`),
    'a 200 with JSON that breaks off': http(
      '200 OK',
      `{"status":"${said}","data":[{"revised_prompt":"${said}`,
    ),
    'a 200 with JSON that is wrong inside': http('200 OK', `{"status":"queued","id":${said}}`),
    'a failed task': json('200 OK', { id: 'task_1', status: 'failed', error: words }),
    'a task with a status of its own': json('200 OK', { id: 'task_1', status: said, progress: said }),
    'a 202 whose id is the key': json('202 Accepted', { id: `task_${said}`, status: 'queued' }),
    'a 202 whose Location is the key': http('202 Accepted', '', [
      `Location: /v1/images/generations/${encodeURIComponent(said)}`,
    ]),
    'images with prompts and URLs': json('200 OK', {
      id: 'task_1',
      status: 'completed',
      data: [
        { b64_json: image, revised_prompt: `fox ${said}` },
        { url: `https://results.example/a.png?key=${said}` },
      ],
    }),
    'native text and an image': json('200 OK', {
      candidates: [
        { content: { parts: [{ text: said }, { inlineData: { mimeType: 'image/png', data: image } }] } },
      ],
    }),
    'native text alone': json('200 OK', {
      candidates: [{ content: { parts: [{ text: said }] }, finishReason: said }],
      promptFeedback: { blockReason: said },
    }),
    'native events': http('200 OK', `data: ${JSON.stringify({ error: words })}\n\ndata: ${said}\n\n`),
    'a status line that is none': `HTTP/1.1 ${header}\r\n\r\n`,
    'a header that is none': `HTTP/1.1 200 OK\r\n${header}\r\n\r\n${header}`,
    'chunks that are none': `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${header}\r\n${header}`,
    'an encoding that is none': http('200 OK', said, ['Content-Encoding: gzip']),
    'nothing but the key': header,
  };
}

const clients: Record<string, () => { posts: Transport; polls: Transport }> = {
  'in the editor': () => ({ posts: new HttpsTransport(), polls: new FetchTransport() }),
  'in the command line': () => {
    const transport = undiciTransport();
    return { posts: transport, polls: transport };
  },
};

async function outcomeOf(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    (value: unknown) => value,
    (error: unknown) => {
      assert.ok(isLimnerError(error), String(error));
      return [error, error.message, error.toRecord()];
    },
  );
}

for (const apiKey of [canaryKey, oddCanaryKey]) {
  for (const [where, open] of Object.entries(clients)) {
    describe(`what a service says that repeats the key ${apiKey}, ${where}`, { concurrency: 8 }, () => {
      for (const [what, answer] of Object.entries(echoes(apiKey))) {
        it(`holds the key no more: ${what}`, async (test) => {
          const server = await answering(test, answer);
          const { posts, polls } = open();
          const service = new ImageService({
            baseUrl: `http://127.0.0.1:${server.port}/v1`,
            apiKey,
            transports: { posts, polls },
            requestTimeout: 10_000,
          });
          for (const [name, call] of Object.entries(calls)) {
            assertWithoutKey(spilled(await outcomeOf(call(service))), apiKey, name);
          }
          const origin = new URL(`http://127.0.0.1:${server.port}`);
          const downloader = downloaderOn(posts, { apiKey });
          const fetched = downloader.download(origin, `${origin.origin}/a.png`, new MemorySink());
          assertWithoutKey(spilled(await outcomeOf(fetched)), apiKey, 'download');
        });
      }
    });
  }
}

/** Addresses where no answer comes, each in its own way. */
const silences: Record<string, (test: TestContext) => Promise<string>> = {
  'a closed port': async () => `http://127.0.0.1:${await closedPort()}`,
  'a connection that is reset': async (test) => {
    const { port } = await listen(test, async (connection) => {
      await connection.received('authorization');
      connection.socket.resetAndDestroy();
    });
    return `http://127.0.0.1:${port}`;
  },
  'a certificate that nobody trusts': async (test) => {
    const server = https.createServer(selfSigned).listen(0, '127.0.0.1');
    await once(server, 'listening');
    test.after(() => server.close());
    const address = server.address();
    return `https://localhost:${address !== null && typeof address === 'object' ? address.port : 0}`;
  },
  'a name that nobody knows': async () => Promise.resolve('https://nobody.invalid'),
  'a service that never answers': async (test) => `http://127.0.0.1:${(await listen(test, () => {})).port}`,
};

for (const [where, open] of Object.entries(clients)) {
  describe(`an exchange without an answer, ${where}`, { concurrency: 4 }, () => {
    for (const [what, start] of Object.entries(silences)) {
      it(`leaves no key in its error: ${what}`, async (test) => {
        const baseUrl = await start(test);
        const service = new ImageService({
          baseUrl,
          apiKey: canaryKey,
          transports: open(),
          requestTimeout: 300,
        });
        for (const [name, call] of Object.entries(calls)) {
          // Queries have a time limit of their own, which is too long for a test.
          if (name === 'query' && what.includes('never')) {
            continue;
          }
          const outcome = await outcomeOf(call(service));
          assert.ok(Array.isArray(outcome) && isLimnerError(outcome[0]), name);
          assertWithoutKey(spilled(outcome), canaryKey, name);
        }
      });
    }
  });
}

describe('keyRemover', () => {
  for (const key of [canaryKey, oddCanaryKey]) {
    for (const [spelling, written] of Object.entries(spellingsOf(key))) {
      it(`finds ${key} as ${spelling}`, () => {
        assertWithoutKey(redactorFor(key)(`before ${written} after`), key, spelling);
      });
    }
  }

  it('leaves everything else as it is', () => {
    const text = `sk-canary-7Qf3Zk9xW2m, ${'x'.repeat(50)} ${JSON.stringify({ a: '\u202e\n' })}`;
    assert.equal(redactorFor(canaryKey)(text), text);
  });

  it('takes the word of a service that asks for no key for a word', () => {
    assert.equal(redactorFor('none')('none of it'), 'none of it');
  });
});
