import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import type { Clock } from '../../../../src/common/clock.ts';
import { LimnerError } from '../../../../src/common/limnerError.ts';
import { ImageService } from '../../../../src/service/wire/imageService.ts';
import {
  answerIn,
  base64,
  generation,
  imageBytes,
  serviceAnswering,
  serviceOptions,
} from '../../../support/service/requestBuilders.ts';
import { ScriptedTransport, type ScriptedAnswer } from '../../../support/service/scriptedTransport.ts';
import { settle } from '../../../support/manualClock.ts';
import { MemorySink, MemorySinks } from '../../../support/service/sinks.ts';

const native = generation({ family: 'native', size: '1x1', quality: 'high' });

function textPart(text: string): object {
  return { text };
}

function imagePart(text: string, mimeType = 'image/png'): object {
  return { inlineData: { mimeType, data: base64(text) } };
}

function nativeBody(...parts: object[]): Record<string, unknown> {
  return { candidates: [{ content: { role: 'model', parts } }] };
}

function events(...values: unknown[]): string {
  return values
    .map((value) => `data: ${typeof value === 'string' ? value : JSON.stringify(value)}\n\n`)
    .join('');
}

/** A service under which time passes as fast as it is waited for. */
function waiting(...answers: ScriptedAnswer[]): {
  service: ImageService;
  transport: ScriptedTransport;
  waits: { milliseconds: number; sent: number }[];
} {
  const transport = new ScriptedTransport(...answers);
  const waits: { milliseconds: number; sent: number }[] = [];
  const clock: Clock = {
    now: () => 0,
    setTimeout(callback, milliseconds) {
      waits.push({ milliseconds, sent: transport.sent.length });
      setImmediate(callback);
      return { dispose() {} };
    },
  };
  return { transport, waits, service: new ImageService(serviceOptions(transport, { clock })) };
}

const good: ScriptedAnswer = { body: nativeBody(imagePart('a')) };
const busy: ScriptedAnswer = { status: 429, headers: { 'retry-after': '60' } };

describe('ImageService.submit, natively', () => {
  it('asks for text and images, and sends neither size nor quality', async () => {
    const { service, transport } = serviceAnswering({ body: nativeBody(imagePart('a')) });
    await service.submit(native, 'native', new MemorySinks());
    const [sent] = transport.sent;
    assert.equal(sent?.url, 'https://api.example.com/gateway/v1beta/models/painter:generateContent');
    assert.equal(sent?.headers['authorization'], 'Bearer sk-secret');
    assert.equal(sent?.headers['prefer'], undefined);
    assert.deepEqual(transport.json(), {
      contents: [{ role: 'user', parts: [{ text: 'a red fox' }] }],
      generationConfig: { responseModalities: ['TEXT', 'IMAGE'] },
    });
  });

  it('waits for the rest of a response, be an event of it whole already, and for no end of a document', async (test) => {
    test.mock.timers.enable({ apis: ['setTimeout'] });
    const document = JSON.stringify(nativeBody(imagePart('a'), textPart('It is.')));
    const stream = events(nativeBody(imagePart('a')), nativeBody(textPart('It is.')));
    for (const [text, cut, hasEnd] of [
      [document, document.indexOf('It'), false],
      [stream, stream.indexOf('\n') + 1, true],
    ] as const) {
      const transport = new ScriptedTransport();
      const body = new PassThrough();
      transport.request = async () => ({ statusCode: 200, headers: {}, body });
      const submission = new ImageService(serviceOptions(transport)).submit(
        native,
        'native',
        new MemorySinks(),
      );
      for (const piece of [text.slice(0, cut), text.slice(cut)]) {
        body.write(piece);
        await settle();
        test.mock.timers.tick(60_000);
        await settle();
      }
      if (hasEnd) {
        body.end();
      }
      assert.deepEqual(answerIn(await submission), {
        images: [{ kind: 'inline', sink: 0 }],
        remark: 'It is.',
      });
    }
  });

  it('takes the image parts of all candidates, the text as a remark, and the usage', async () => {
    const sinks = new MemorySinks();
    const body = {
      candidates: [
        {
          content: {
            role: 'model',
            parts: [
              textPart('Here '),
              imagePart('a'),
              { inlineData: { data: base64('wav'), mimeType: 'audio/wav' } },
            ],
          },
        },
        {
          content: {
            parts: [
              { inlineData: { data: base64('b'), mimeType: 'Image/WebP' }, thoughtSignature: 'x'.repeat(9) },
              textPart('it is.'),
            ],
          },
        },
        { finishReason: 'STOP' },
      ],
      usageMetadata: {
        promptTokenCount: 3,
        candidatesTokenCount: 4,
        totalTokenCount: 7,
        cachedContentTokenCount: 0,
      },
      modelVersion: 'painter-2',
    };
    const { service } = serviceAnswering({ body, pieces: 3 });
    assert.deepEqual(answerIn(await service.submit(native, 'native', sinks)), {
      images: [
        { kind: 'inline', sink: 0 },
        { kind: 'inline', sink: 2 },
      ],
      remark: 'Here it is.',
      usage: { promptTokenCount: 3, candidatesTokenCount: 4, totalTokenCount: 7 },
    });
    assert.deepEqual(sinks.states, ['closed', 'discarded', 'closed']);
  });

  it('says why there is no image', async () => {
    for (const [body, code, message] of [
      [nativeBody(textPart('I only write.')), 'empty_result', /I only write/u],
      [{ promptFeedback: { blockReason: 'PROHIBITED_CONTENT' } }, 'content_rejected', /PROHIBITED_CONTENT/u],
      [{ candidates: [{ finishReason: 'IMAGE_SAFETY' }] }, 'content_rejected', /IMAGE_SAFETY/u],
      [
        { error: { code: 500, message: 'overloaded', status: 'INTERNAL' } },
        'image_generation_failed',
        /overloaded/u,
      ],
      ['not json', 'protocol', /JSON/u],
      ['', 'protocol', /JSON/u],
      ['{"candidates":', 'network', /unexpectedly/u],
    ] as const) {
      const { service } = serviceAnswering({ body });
      await assert.rejects(service.submit(native, 'native', new MemorySinks()), {
        code,
        message,
        billing: 'maybe',
      });
    }
  });

  it('keeps only the beginning of what a model says instead of an image, and never the key', async () => {
    const long = `sk-secret ${'word '.repeat(10_000)}`;
    for (const body of [
      nativeBody(textPart(long)),
      { ...nativeBody(textPart(long)), promptFeedback: { blockReason: long } },
    ]) {
      const { service } = serviceAnswering({ body });
      const error: unknown = await service
        .submit(native, 'native', new MemorySinks())
        .catch((reason: unknown) => reason);
      assert.ok(error instanceof LimnerError);
      assert.ok(error.message.length < 600);
      assert.equal(error.service?.message?.length, 4000);
      assert.ok(JSON.stringify(error.toRecord()).length < 9000);
      assert.doesNotMatch(JSON.stringify(error.toRecord()), /sk-secret/u);
    }
  });

  it('keeps the image that was whole when the body breaks off', async () => {
    const whole = JSON.stringify(nativeBody(imagePart('a'), imagePart('b')));
    const { service } = serviceAnswering({
      body: whole.slice(0, whole.indexOf(base64('b')) + 2),
      error: new LimnerError('network', 'cut off', { sent: true }),
    });
    const sinks = new MemorySinks();
    const answer = answerIn(await service.submit(native, 'native', sinks));
    assert.equal(answer.images.length, 1);
    assert.equal(answer.incomplete?.code, 'network');
    assert.deepEqual(sinks.kept, [imageBytes('a')]);
  });
});

describe('ImageService.submit, natively, for several images', () => {
  it('makes a call for each and keeps them all, in the order of the calls', async () => {
    const body = { ...nativeBody(textPart('Done.'), imagePart('a')), usageMetadata: { totalTokenCount: 5 } };
    const { service, transport } = serviceAnswering({ body });
    const sinks = new MemorySinks();
    const answer = answerIn(await service.submit({ ...native, n: 6 }, 'native', sinks));
    assert.equal(transport.sent.length, 6);
    assert.equal(answer.images.length, 6);
    assert.equal(new Set(answer.images.map((image) => image.kind === 'inline' && image.sink)).size, 6);
    assert.deepEqual(answer.usage, { totalTokenCount: 30 });
    assert.equal(answer.remark, Array.from({ length: 6 }, () => 'Done.').join('\n'));
    assert.equal(sinks.kept.length, 6);
  });

  it('makes no further call once an image could not be written', async () => {
    const { service, transport } = serviceAnswering(good);
    class FullSink extends MemorySink {
      override write(): Promise<void> {
        return Promise.reject(new Error('ENOSPC'));
      }
    }
    await assert.rejects(service.submit({ ...native, n: 20 }, 'native', { openSink: () => new FullSink() }), {
      code: 'save_failed',
    });
    assert.equal(transport.sent.length, 4);
    const half = serviceAnswering({ body: nativeBody(imagePart('a'), imagePart('b')) });
    let count = 0;
    const found = answerIn(
      await half.service.submit({ ...native, n: 20 }, 'native', {
        openSink: () => ((count += 1) % 2 === 0 ? new FullSink() : new MemorySink()),
      }),
    );
    assert.ok(half.transport.sent.length < 20);
    assert.equal(found.incomplete?.code, 'save_failed');
  });

  it('fails when all fail, and does not call one harmless that may have been billed', async () => {
    const { service } = serviceAnswering({ status: 400 }, { status: 504 }, { status: 400 });
    await assert.rejects(service.submit({ ...native, n: 3 }, 'native', new MemorySinks()), {
      code: 'outcome_unknown',
      billing: 'maybe',
    });
  });

  for (const [what, answer, code] of [
    ['was blocked', { body: { candidates: [{ finishReason: 'IMAGE_SAFETY' }] } }, 'content_rejected'],
    ['came without an image', { body: nativeBody(textPart('No.')) }, 'empty_result'],
    [
      'failed inside a successful answer',
      { body: { error: { message: 'flagged by moderation' } } },
      'content_rejected',
    ],
    ['failed at the service', { status: 500 }, 'outcome_unknown'],
  ] as const) {
    it(`makes the other calls although one ${what}`, async () => {
      const { service, transport } = serviceAnswering(answer, { body: nativeBody(imagePart('a')) });
      const found = answerIn(await service.submit({ ...native, n: 9 }, 'native', new MemorySinks()));
      assert.equal(transport.sent.length, 9);
      assert.equal(found.images.length, 8);
      assert.equal(found.incomplete?.code, code);
      assert.match(found.incomplete.message, /^1 of 9 calls returned no image\. /u);
    });
  }

  it('makes no further call while the service is busy, and then those that are missing', async () => {
    const { service, transport, waits } = waiting(good, busy, busy, busy, busy, good);
    const found = answerIn(await service.submit({ ...native, n: 20 }, 'native', new MemorySinks()));
    assert.deepEqual([found.images.length, found.incomplete], [20, undefined]);
    assert.equal(waits[0]?.milliseconds, 60_000);
    assert.ok((waits[0]?.sent ?? 99) <= 5, `${waits[0]?.sent} calls before the first wait`);
    assert.equal(transport.sent.length, 24);
  });

  it('leaves the wait to whoever asked when nothing was had yet', async () => {
    const { service, transport, waits } = waiting(busy);
    await assert.rejects(service.submit({ ...native, n: 20 }, 'native', new MemorySinks()), {
      code: 'rate_limited',
      billing: 'no',
      retryAfter: 60_000,
    });
    assert.deepEqual([transport.sent.length, waits.length], [4, 0]);
  });

  it('makes a call that the service may have taken never again, but the others after a wait', async () => {
    const { service, transport, waits } = waiting({ status: 503, headers: { 'retry-after': '7' } }, good);
    const found = answerIn(await service.submit({ ...native, n: 9 }, 'native', new MemorySinks()));
    assert.deepEqual([found.images.length, transport.sent.length], [8, 9]);
    assert.deepEqual(
      waits.map(({ milliseconds }) => milliseconds),
      [7000],
    );
    assert.match(found.incomplete?.message ?? '', /^1 of 9 calls returned no image\. /u);
  });

  it('keeps what it has from a service that stays busy, after a quarter of an hour', async () => {
    const { service, waits } = waiting(good, busy);
    const found = answerIn(await service.submit({ ...native, n: 9 }, 'native', new MemorySinks()));
    assert.deepEqual([found.images.length, found.incomplete?.code], [1, 'rate_limited']);
    assert.equal(waits.length, 15);
  });

  for (const [status, body, code] of [
    [401, {}, 'unauthorized'],
    [403, {}, 'unauthorized'],
    [402, {}, 'quota_exceeded'],
    [429, { error: { code: 'insufficient_quota' } }, 'quota_exceeded'],
    [400, {}, 'invalid_request'],
    [400, { error: { code: 'content_policy_violation' } }, 'content_rejected'],
  ] as const) {
    it(`makes no further calls after HTTP ${status} for ${code}`, async () => {
      const { service, transport } = serviceAnswering({ status, body });
      await assert.rejects(service.submit({ ...native, n: 20 }, 'native', new MemorySinks()), { code });
      assert.ok(transport.sent.length <= 4);
    });
  }

  it('tells calls that were not made from those that failed', async () => {
    const { service, transport } = serviceAnswering(
      { body: nativeBody(imagePart('a')), pieces: 1 },
      { status: 401 },
    );
    const found = answerIn(await service.submit({ ...native, n: 20 }, 'native', new MemorySinks()));
    assert.equal(found.images.length, 1);
    const failed = transport.sent.length - 1;
    assert.match(
      found.incomplete?.message ?? '',
      new RegExp(`^${failed} of 20 calls returned no image, and ${19 - failed} were not sent\\. `, 'u'),
    );
  });
});

describe('ImageService.submit, natively streamed', () => {
  const stream = [
    nativeBody(textPart('Here ')),
    nativeBody(imagePart('a')),
    { ...nativeBody(textPart('it is.')), usageMetadata: { totalTokenCount: 5 } },
    { ...nativeBody(imagePart('b')), usageMetadata: { totalTokenCount: 9 } },
  ];
  const answer = {
    images: [
      { kind: 'inline', sink: 0 },
      { kind: 'inline', sink: 1 },
    ],
    remark: 'Here it is.',
    usage: { totalTokenCount: 9 },
  };

  it('asks for server-sent events with the body of the other call', async () => {
    const { service, transport } = serviceAnswering({ body: events(...stream) });
    await service.submit(native, 'nativeStream', new MemorySinks());
    assert.equal(
      transport.sent[0]?.url,
      'https://api.example.com/gateway/v1beta/models/painter:streamGenerateContent?alt=sse',
    );
    assert.deepEqual(transport.json(), {
      contents: [{ role: 'user', parts: [{ text: 'a red fox' }] }],
      generationConfig: { responseModalities: ['TEXT', 'IMAGE'] },
    });
  });

  for (const [name, body] of Object.entries({
    'ordinary events': events(...stream),
    'a final [DONE]': events(...stream, '[DONE]'),
    'CRLF, comments and named events': `: hello\r\n\r\n${events(...stream)
      .replaceAll('\n', '\r\n')
      .replaceAll('data:', 'event: x\r\ndata:')}`,
    'data over several lines': stream
      .map((value) => `${JSON.stringify(value, null, 1).replaceAll(/^/gmu, 'data: ')}\n\n`)
      .join(''),
    'no empty line at the end': events(...stream).trimEnd(),
    'an array after a byte order mark': `\uFEFF${JSON.stringify(stream)}`,
    'an array instead of events': JSON.stringify(stream, null, 1),
  })) {
    it(`reads ${name}, split at any byte`, async () => {
      await fc.assert(
        fc.asyncProperty(fc.integer({ min: 1, max: body.length }), async (pieces) => {
          const sinks = new MemorySinks();
          const { service } = serviceAnswering({ body, pieces });
          assert.deepEqual(answerIn(await service.submit(native, 'nativeStream', sinks)), answer);
          assert.deepEqual(sinks.kept, [imageBytes('a'), imageBytes('b')]);
        }),
        { numRuns: 25, examples: [[1]] },
      );
    });
  }

  it('hands an image to its sink while the stream is still open', async () => {
    const controller = new AbortController();
    class StoppingSink extends MemorySink {
      override close(): Promise<void> {
        setImmediate(() => controller.abort());
        return super.close();
      }
    }
    const { service } = serviceAnswering({ body: events(nativeBody(imagePart('a'))), hangs: true });
    const found = answerIn(
      await service.submit(native, 'nativeStream', {
        signal: controller.signal,
        openSink: () => new StoppingSink(),
      }),
    );
    assert.equal(found.images.length, 1);
    assert.equal(found.incomplete?.code, 'stopped');
  });

  it('keeps what came before an error in the stream', async () => {
    const error = { error: { code: 503, message: 'overloaded', status: 'UNAVAILABLE' } };
    const { service } = serviceAnswering({ body: events(stream[1], error) });
    const found = answerIn(await service.submit(native, 'nativeStream', new MemorySinks()));
    assert.equal(found.images.length, 1);
    assert.match(found.incomplete?.message ?? '', /overloaded/u);
  });

  it('says what an error says that is no part of an answer', async () => {
    const body = 'event: error\ndata: {"code":"overloaded","message":"Come back later."}\n\n';
    const end = events({ message: 'Closing.' });
    const { service } = serviceAnswering({ body: `${events(stream[0])}${body}${end}` });
    await assert.rejects(service.submit(native, 'nativeStream', new MemorySinks()), {
      code: 'image_generation_failed',
      message: /Come back later/u,
      billing: 'maybe',
    });
  });

  it('passes over an event that is damaged', async () => {
    const { service } = serviceAnswering({ body: events(stream[1], '{"candidates":[}', stream[3]) });
    const found = answerIn(await service.submit(native, 'nativeStream', new MemorySinks()));
    assert.equal(found.images.length, 2);
    assert.equal(found.incomplete?.code, 'protocol');
  });
});
