import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ImageService } from '../../../../src/service/wire/imageService.ts';
import { LimnerError } from '../../../../src/common/limnerError.ts';
import {
  base64,
  generation,
  imageBytes,
  answerIn,
  serviceAnswering,
  serviceOptions,
} from '../../../support/service/requestBuilders.ts';
import { ScriptedTransport } from '../../../support/service/scriptedTransport.ts';
import { MemorySinks } from '../../../support/service/sinks.ts';

const accepted = { id: 'task_1', object: 'image.generation.task', status: 'queued' };
const host = 'https://api.example.com';

function cutOff(): LimnerError {
  return new LimnerError('network', 'The connection was closed before the response was complete.', {
    sent: true,
  });
}

describe('ImageService', () => {
  it('refuses a missing or damaged key, and an address that would get the key unencrypted', () => {
    const transport = new ScriptedTransport();
    for (const apiKey of ['', '  ', 'sk-1\nHost: evil', 'sk-ключ']) {
      assert.throws(() => new ImageService(serviceOptions(transport, { apiKey })), {
        code: 'no_key',
        billing: 'no',
      });
    }
    const baseUrl = 'http://gateway.corp:8080/v1';
    for (const plain of [baseUrl, 'http://images.localhost', 'http://[::ffff:127.0.0.1]']) {
      const options = serviceOptions(transport, { baseUrl: plain });
      assert.throws(() => new ImageService(options), { code: 'no_service' });
    }
    assert.equal(
      new ImageService(serviceOptions(transport, { baseUrl, plainHttpOrigins: ['http://gateway.corp:8080'] }))
        .origin,
      'http://gateway.corp:8080',
    );
    for (const here of ['http://127.0.0.1:8080', 'http://127.9.9.9', 'http://[::1]', 'http://localhost.']) {
      assert.ok(new ImageService(serviceOptions(transport, { baseUrl: here })));
    }
  });
});

describe('ImageService.submit, asynchronously', () => {
  it('asks for an asynchronous answer with the key and what was chosen, and nothing else', async () => {
    const { service, transport } = serviceAnswering({ status: 202, body: accepted });
    await service.submit(
      generation({ size: '1024x1024', quality: 'standard', n: 2 }),
      'async',
      new MemorySinks(),
    );
    const [sent] = transport.sent;
    assert.equal(sent?.method, 'POST');
    assert.equal(sent?.url, `${host}/gateway/v1/images/generations`);
    assert.equal(sent?.headers['authorization'], 'Bearer sk-secret');
    assert.equal(sent?.headers['prefer'], 'respond-async');
    assert.equal(sent?.headers['content-type'], 'application/json');
    assert.deepEqual(transport.json(), {
      model: 'painter',
      prompt: 'a red fox',
      size: '1024x1024',
      quality: 'standard',
      n: 2,
    });
  });

  it('sends neither size nor quality to the second family', async () => {
    const { service, transport } = serviceAnswering({ status: 202, body: accepted });
    await service.submit(
      generation({ family: 'native', size: '1x1', quality: 'high', extra: { size: '2x2', quality: 'low' } }),
      'async',
      new MemorySinks(),
    );
    assert.deepEqual(transport.json(), { model: 'painter', prompt: 'a red fox', n: 1 });
  });

  it('adds what the model asks for, but never response_format or stream, and lets it override nothing', async () => {
    const { service, transport } = serviceAnswering({ status: 202, body: accepted });
    const extra = {
      background: 'transparent',
      response_format: 'b64_json',
      stream: true,
      contents: 'c',
      image: 'i',
      'image[]': 'j',
      mask: 'm',
      prompt: 'x',
      model: 'y',
      n: 9,
    };
    await service.submit(generation({ extra }), 'async', new MemorySinks());
    assert.deepEqual(transport.json(), {
      background: 'transparent',
      model: 'painter',
      prompt: 'a red fox',
      n: 1,
    });
  });

  it('takes the full form, and ignores fields it does not know', async () => {
    const body = { ...accepted, created_at: 1_760_000_000, progress: '10%', eta: 5, data: null, error: null };
    const { service } = serviceAnswering({ status: 202, body, headers: { 'retry-after': '3' } });
    assert.deepEqual(await service.submit(generation(), 'async', new MemorySinks()), {
      kind: 'accepted',
      task: { id: 'task_1', status: 'queued', progress: 10, retryAfter: 3000 },
    });
  });

  for (const [location, body, id] of [
    ['/v1/images/generations/task_2', {}, 'task_2'],
    ['/v1/images/generations/task_2', accepted, 'task_1'],
    [`${host}/v1/images/generations/task%202`, 'no JSON', 'task 2'],
    ['/v1/images/edits/task_2/', { status: 'queued' }, 'task_2'],
    // A program on the way may have rounded it.
    ['/v1/images/generations/9007199254740993', '{"id":9007199254740992}', '9007199254740993'],
  ] as const) {
    it(`finds the id with Location ${location} and body ${JSON.stringify(body)}`, async () => {
      const { service } = serviceAnswering({ status: 202, body, headers: { location } });
      const submission = await service.submit(generation(), 'async', new MemorySinks());
      assert.equal(submission.kind === 'accepted' && submission.task.id, id);
    });
  }

  it('takes the last part of any other Location for the id, and that path for the place to ask', async () => {
    for (const location of ['/v1/tasks/task_2', '/v2/images/generations/task_2', '/jobs/task_2?poll=1']) {
      const { service } = serviceAnswering({ status: 202, body: {}, headers: { location } });
      const submission = await service.submit(generation(), 'async', new MemorySinks());
      assert.ok(submission.kind === 'accepted');
      assert.deepEqual([submission.task.id, submission.task.path], ['task_2', location]);
    }
  });

  it('asks for a task where it is told to, and at no other host', async () => {
    const { service, transport } = serviceAnswering({ body: { id: 'task_1', status: 'queued' } });
    await service.query('task_1', new MemorySinks(), '/v1/tasks/task_1?x=1');
    assert.match(transport.sent.at(-1)?.url ?? '', /^https:\/\/[^/]+\/v1\/tasks\/task_1\?x=1$/u);
    await assert.rejects(service.query('task_1', new MemorySinks(), '//elsewhere.example/task_1'), {
      code: 'protocol',
    });
    assert.equal(transport.sent.length, 1);
  });

  it('asks for a numbered task by every one of its digits', async () => {
    for (const id of ['7', '9007199254740991', '9007199254740993', '18446744073709551615']) {
      const body = `{"id":${id},"status":"queued","created_at":-1e15,"progress":"1e9%"}`;
      const { service, transport } = serviceAnswering({ status: 202, body });
      const submission = await service.submit(generation(), 'async', new MemorySinks());
      assert.ok(submission.kind === 'accepted');
      assert.deepEqual([submission.task.id, submission.task.progress], [id, 100]);
      await service.query(submission.task.id, new MemorySinks()).catch(() => undefined);
      assert.ok(transport.sent.at(-1)?.url.endsWith(`/${id}`));
    }
  });

  it('takes only the id from a Location of another host: a proxy may have put it there', async () => {
    const headers = { location: 'http://inner.example:8080/v1/images/generations/task_2' };
    const { service, transport } = serviceAnswering({ status: 202, body: {}, headers });
    const submission = await service.submit(generation(), 'async', new MemorySinks());
    assert.ok(submission.kind === 'accepted');
    assert.equal(submission.task.id, 'task_2');
    await service.query(submission.task.id, new MemorySinks()).catch(() => {});
    assert.equal(new Set(transport.sent.map(({ url }) => new URL(url).origin)).size, 1);
  });

  it('takes no id that means another path or holds the key', async () => {
    for (const id of ['.', '..', 'task_sk-secret', `task_${Buffer.from('x:sk-secret').toString('base64')}`]) {
      const { service } = serviceAnswering({ status: 202, body: { id, status: 'queued' } });
      await assert.rejects(
        service.submit(generation(), 'async', new MemorySinks()),
        { code: 'outcome_unknown', billing: 'maybe' },
        id,
      );
    }
  });

  it('says what a refusal means for the bill', async () => {
    for (const [status, code, billing] of [
      [400, 'invalid_request', 'no'],
      [503, 'queue_full', 'no'],
      [500, 'outcome_unknown', 'maybe'],
    ] as const) {
      const { service, transport } = serviceAnswering({
        status,
        body: { message: 'm' },
        headers: { 'retry-after': '9' },
      });
      await assert.rejects(service.submit(generation(), 'async', new MemorySinks()), {
        code,
        billing,
        phase: 'submit',
        status,
        retryAfter: 9000,
      });
      assert.equal(transport.sent.length, 1);
    }
  });

  it('reads what an error says in however many pieces it comes, and no more of it than a person does', async () => {
    const body = { padding: 'x'.repeat(60_000), message: 'Come back later' };
    const { service } = serviceAnswering({ status: 400, body, pieces: 1000 });
    await assert.rejects(service.submit(generation(), 'async', new MemorySinks()), {
      service: { message: 'Come back later' },
    });
    const endless = { status: 400, body: `Busy. ${'x'.repeat(70_000)}`, pieces: 1000, hangs: true };
    await assert.rejects(serviceAnswering(endless).service.query('task_1', new MemorySinks()), {
      status: 400,
      message: /Busy/u,
    });
  });

  it('says what a failed exchange means for the bill, and never sends twice', async () => {
    for (const [sent, billing] of [
      [false, 'no'],
      [true, 'maybe'],
    ] as const) {
      const { service, transport } = serviceAnswering(new LimnerError('network', 'm', { sent }));
      await assert.rejects(service.submit(generation(), 'async', new MemorySinks()), {
        code: 'network',
        phase: 'submit',
        sent,
        billing,
      });
      assert.equal(transport.sent.length, 1);
    }
  });
});

describe('ImageService.submit, synchronously', () => {
  it('takes images with any status of success, and with no other', async () => {
    const body = { data: [{ b64_json: base64('a') }] };
    for (const [status, isSuccess] of [
      [0, false],
      [199, false],
      [200, true],
      [206, true],
      [299, true],
      [300, false],
      [304, false],
      [599, false],
    ] as const) {
      const { service } = serviceAnswering({ status, body });
      const sinks = new MemorySinks();
      const submitted = service.submit(generation(), 'sync', sinks);
      await (isSuccess ? submitted : assert.rejects(submitted, LimnerError));
      assert.equal(sinks.kept.length, isSuccess ? 1 : 0, String(status));
    }
  });

  it('takes images as base64, as a data URL and as a URL, with their prompts where there are any', async () => {
    const sinks = new MemorySinks();
    const body = {
      created: 1,
      data: [
        { b64_json: base64('a'), revised_prompt: 'a fox' },
        { url: `data:image/webp;base64,${base64('b')}`, revised_prompt: '' },
        { url: 'https://results.example/api/async-images/c.png' },
        { b64_json: null, url: 'https://results.example/d.png' },
        { something: 'else' },
        null,
      ],
      usage: { total_tokens: 5 },
    };
    const { service } = serviceAnswering({ body, pieces: 5 });
    const answer = answerIn(await service.submit(generation({ n: 4 }), 'sync', sinks));
    assert.deepEqual(answer.images, [
      { kind: 'inline', sink: 0, revisedPrompt: 'a fox' },
      { kind: 'inline', sink: 1 },
      { kind: 'url', url: 'https://results.example/api/async-images/c.png' },
      { kind: 'url', url: 'https://results.example/d.png' },
    ]);
    assert.equal(answer.incomplete, undefined);
    assert.deepEqual(sinks.kept, [imageBytes('a'), imageBytes('b')]);
  });

  it('keeps the images that were whole when the body breaks off', async () => {
    const sinks = new MemorySinks();
    const whole = JSON.stringify({ data: ['a', 'b', 'c', 'd'].map((text) => ({ b64_json: base64(text) })) });
    const body = whole.slice(0, whole.indexOf(base64('c')) + 4);
    const { service } = serviceAnswering({ body, error: cutOff() });
    const answer = answerIn(await service.submit(generation({ n: 4 }), 'sync', sinks));
    assert.equal(answer.images.length, 2);
    assert.equal(answer.incomplete?.code, 'network');
    assert.equal(answer.incomplete.billing, 'yes');
    assert.deepEqual(sinks.kept, [imageBytes('a'), imageBytes('b')]);
    assert.ok(sinks.states.every((state) => state !== 'open'));
  });

  it('keeps what is whole when a person stops it, and stops at once', async () => {
    const controller = new AbortController();
    const sinks = new MemorySinks();
    const { service } = serviceAnswering({ body: `{"data":[{"b64_json":"${base64('a')}"},`, hangs: true });
    const running = service.submit(generation({ n: 2 }), 'sync', {
      signal: controller.signal,
      openSink: (index) => {
        setImmediate(() => controller.abort());
        return sinks.openSink(index);
      },
    });
    const answer = answerIn(await running);
    assert.equal(answer.images.length, 1);
    assert.equal(answer.incomplete?.code, 'stopped');
  });

  it('keeps no text with the key in it, wherever it is cut into pieces, and every other character', async () => {
    const key = 'sk-0123456789abcdef';
    for (const [text, lengths] of [
      [`ä狐🦊 Wrong key: ${key}! ${key}`, Array.from({ length: 70 }, (_, index) => index + 1)],
      [`ä${'狐x'.repeat(60_000)}${key}${'y'.repeat(70_000)}${key}`, [1000, 4097, 65_536, 1_000_000]],
      [`ä${'x'.repeat(65_525)}${key}${'y'.repeat(65_518)}${key}z`, [7, 1000, 4096, 65_536, 1_000_000]],
    ] as const) {
      for (const pieces of lengths) {
        // What is not ASCII is found to be no base64 where it stands when it is escaped, else at the end.
        for (const written of [text, text.replace('ä', '\\u00e4')]) {
          const transport = new ScriptedTransport({ body: `{"data":[{"b64_json":"${written}"}]}`, pieces });
          const service = new ImageService(serviceOptions(transport, { apiKey: key }));
          const sinks = new MemorySinks();
          await service.submit(generation(), 'sync', sinks);
          const kept = Buffer.from(sinks.texts.join(), 'latin1').toString();
          assert.equal(
            kept.replaceAll(' ', ''),
            written.replaceAll(key, '•••').replaceAll(' ', ''),
            `in pieces of ${pieces}`,
          );
        }
      }
    }
  });

  it('says that an image could not be written', async () => {
    const { service } = serviceAnswering({ body: { data: [{ b64_json: base64('a') }] } });
    const broken = {
      write: () => Promise.reject(new Error('ENOSPC')),
      close: async () => {},
      toText: async () => {},
      discard: async () => {},
    };
    await assert.rejects(service.submit(generation(), 'sync', { openSink: () => broken }), {
      code: 'save_failed',
      phase: 'save',
      message: /ENOSPC/u,
    });
  });

  it('believes a service that accepts a task although it was not asked to', async () => {
    const { service } = serviceAnswering({ status: 202, body: accepted });
    assert.equal((await service.submit(generation(), 'sync', new MemorySinks())).kind, 'accepted');
  });

  it('gives the answer as long to begin as it was told to', async () => {
    const { service, transport } = serviceAnswering({ body: { data: [{ b64_json: base64('a') }] } });
    await service.submit(generation(), 'sync', new MemorySinks());
    assert.equal(transport.sent[0]?.request.timeouts.headers, 900_000);
  });
});

describe('ImageService.query', () => {
  it('asks for the task of an edit or a generation at the one endpoint', async () => {
    const { service, transport } = serviceAnswering({
      body: { ...accepted, status: 'in_progress', progress: '40%' },
    });
    const task = await service.query('task_1', new MemorySinks());
    assert.deepEqual(task, { id: 'task_1', status: 'in_progress', progress: 40 });
    const [sent] = transport.sent;
    assert.equal(sent?.method, 'GET');
    assert.equal(sent?.url, `${host}/gateway/v1/images/generations/task_1`);
    assert.equal(sent?.headers['authorization'], 'Bearer sk-secret');
    assert.equal(sent?.request.body, undefined);
    assert.deepEqual(sent?.request.timeouts, {
      connect: 15_000,
      headers: 30_000,
      idle: 30_000,
      whole: 300_000,
    });
    assert.deepEqual(Object.keys(sent?.headers ?? {}).toSorted(), [
      'accept',
      'accept-encoding',
      'authorization',
      'user-agent',
    ]);
  });

  it('keeps no more addresses than a row takes in a moment, and all that any request can have', async () => {
    for (const [listed, length, kept] of [
      [900, 100, 200],
      [200, 1000, 200],
      [60, 15_000, 17],
      [40, 8192, 32],
      [3, 16_000, 3],
      [3, 16_001, 0],
    ] as const) {
      const data = Array.from({ length: listed }, () => ({
        url: 'https://results.example/'.padEnd(length, 'a'),
      }));
      const { service } = serviceAnswering({ body: { id: 'task_1', status: 'completed', data } });
      const { images } = await service.query('task_1', new MemorySinks());
      assert.equal(images?.length, kept);
    }
  });

  it('takes a status for a word: one line, not endless, with nothing in it that is not seen', async () => {
    const { service } = serviceAnswering({
      body: { id: 'task_1', status: ` dreaming\u001b[2J\r\n\u202e${'z'.repeat(1000)}` },
    });
    const { status } = await service.query('task_1', new MemorySinks());
    assert.match(status, /^dreaming \[2J z+$/u);
    assert.equal(status.length, 100);
  });

  it('lists them also behind long lists that nobody asks for', async () => {
    const url = 'https://results.example.com/api/async-images/0.png';
    const numbers = Array.from({ length: 50_000 }, (_, index) => index);
    for (const beside of [
      { seeds: numbers },
      { debug: { words: numbers.map(String), pairs: [[numbers]] } },
    ]) {
      const body = { ...beside, id: 'task_1', status: 'completed', data: [{ url }] };
      const { service } = serviceAnswering({ status: 200, body });
      const { images, incomplete } = await service.query('task_1', new MemorySinks());
      assert.deepEqual([images, incomplete], [[{ kind: 'url', url }], undefined]);
    }
  });

  it('takes a failed task for an answer, with its reservation refunded', async () => {
    const error = {
      message: 'out of memory',
      type: 'image_generation_failed',
      code: 'image_generation_failed',
    };
    const { service } = serviceAnswering({ body: { ...accepted, status: 'failed', error } });
    const task = await service.query('task_1', new MemorySinks());
    assert.equal(task.error?.code, 'image_generation_failed');
    assert.equal(task.error?.billing, 'refunded');
    assert.deepEqual(task.error?.service, error);
  });

  it('reads progress in any form, within its bounds', async () => {
    for (const [progress, expected] of [
      ['150%', 100],
      [30, 30],
      ['1000000000%', 100],
      ['-5%', 0],
      [-1e300, 0],
      ['١٠%', undefined],
      ['Infinity%', undefined],
      ['soon', undefined],
      [null, undefined],
    ]) {
      const { service } = serviceAnswering({ body: { ...accepted, progress } });
      assert.equal((await service.query('task_1', new MemorySinks())).progress, expected);
    }
  });
});
