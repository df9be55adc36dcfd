import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fuzzRuns } from '../../../support/fuzzRuns.ts';
import * as fc from 'fast-check';
import type { ImageService } from '../../../../src/service/wire/imageService.ts';
import { isLimnerError } from '../../../../src/common/limnerError.ts';
import type { RemoteTask, Submission } from '../../../../src/service/terms/messages.ts';
import { edit, generation, imageBytes, serviceAnswering } from '../../../support/service/requestBuilders.ts';
import { MemorySinks } from '../../../support/service/sinks.ts';

/** A call and a valid answer to it. */
interface Sample {
  call: (service: ImageService, sinks: MemorySinks) => Promise<RemoteTask | Submission>;
  /** A picture that came whole may not end in an error: it is paid for. */
  keeps: boolean;
  status?: number;
  headers?: Record<string, string>;
  /** Bodies in JSON; several are the events of a stream. */
  documents: readonly unknown[];
  framing?: 'events' | 'array';
}

const apiKey = 'sk-secret';
const fox = imageBytes('a fox that looks into the morning sun, red on white').toString('base64');
const owl = imageBytes('an owl that waits for the night in an old oak tree??>>').toString('base64');
const task = { id: 'task_7', object: 'image.generation.task', created_at: 1_700_000_000 };
const url = 'https://results.example.com/api/async-images/1.png';
const usageMetadata = { promptTokenCount: 3, candidatesTokenCount: 9, totalTokenCount: 12 };

const sync: Sample['call'] = (service, sinks) => service.submit(generation({ n: 2 }), 'sync', sinks);
const submit: Sample['call'] = (service, sinks) => service.submit(generation(), 'async', sinks);
const query: Sample['call'] = (service, sinks) => service.query('task_7', sinks);
const native: Sample['call'] = (service, sinks) =>
  service.submit(generation({ family: 'native' }), 'native', sinks);
const stream: Sample['call'] = (service, sinks) =>
  service.submit(generation({ family: 'native' }), 'nativeStream', sinks);

const event = (...parts: unknown[]): unknown => ({ candidates: [{ content: { role: 'model', parts } }] });
const inline = (data: string): unknown => ({ inlineData: { mimeType: 'image/png', data } });

const samples: Record<string, Sample> = {
  'a synchronous answer': {
    call: sync,
    keeps: true,
    documents: [{ created: 1, data: [{ b64_json: fox, revised_prompt: 'A "fox"' }, { b64_json: owl }] }],
  },
  'an answer with data URLs': {
    call: (service, sinks) => service.submit(edit(), 'sync', sinks),
    keeps: true,
    documents: [{ data: [{ url: `data:image/png;base64,${fox}` }, { url }] }],
  },
  'an accepted task': {
    call: submit,
    keeps: false,
    status: 202,
    headers: { location: '/v1/images/generations/task_7' },
    documents: [{ ...task, status: 'queued', progress: '10%' }],
  },
  'an accepted task without Location': {
    call: submit,
    keeps: false,
    status: 202,
    documents: [{ ...task, status: 'queued' }],
  },
  'a task in progress': {
    call: query,
    keeps: false,
    documents: [{ ...task, status: 'in_progress', progress: '40%' }],
  },
  'a completed task': {
    call: query,
    keeps: false,
    documents: [
      { ...task, status: 'completed', progress: '100%', data: [{ url, revised_prompt: '' }, { url }] },
    ],
  },
  'a completed task with its pictures': {
    call: query,
    keeps: false,
    documents: [{ ...task, status: 'completed', data: [{ b64_json: fox }, { b64_json: owl }] }],
  },
  'a failed task': {
    call: query,
    keeps: false,
    documents: [
      { ...task, status: 'failed', error: { message: 'No.', type: 'some_error', code: 'some_code' } },
    ],
  },
  'a native answer': {
    call: native,
    keeps: true,
    documents: [{ ...Object(event({ text: 'Here.' }, inline(fox), inline(owl))), usageMetadata }],
  },
  'a native stream': {
    call: stream,
    keeps: true,
    documents: [event({ text: 'Here ' }), event(inline(fox)), event({ text: 'it is.' }, inline(owl))],
    framing: 'events',
  },
  'a native stream without events': {
    call: stream,
    keeps: true,
    documents: [event({ text: 'Here ' }), event(inline(fox))],
    framing: 'array',
  },
};

/** Errors as services word them, by status. */
const refusals: Readonly<Record<number, unknown>> = {
  400: { error: { message: 'No.', type: 'invalid_request_error', code: 'bad_size' } },
  401: { error: { message: `Incorrect API key: ${apiKey}`, code: 'invalid_api_key' } },
  422: { detail: [{ loc: ['body', 'n'], msg: 'too many', type: 'value_error' }] },
  429: {
    error: {
      code: 429,
      message: 'Slowly.',
      status: 'RESOURCE_EXHAUSTED',
      details: [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '7s' }],
    },
  },
  500: { message: 'Oh.', code: 'internal' },
};
for (const [status, body] of Object.entries(refusals)) {
  const refused = { keeps: false, status: Number(status), documents: [body] };
  samples[`a submission refused with ${status}`] = { call: submit, ...refused };
  samples[`a query refused with ${status}`] = { call: query, ...refused };
}

function framed(documents: readonly string[], framing: Sample['framing']): string {
  if (framing === 'events') {
    return documents.map((text) => `data: ${text}\r\n\r\n`).join('');
  }
  return framing === 'array' ? `[${documents.join(',')}]` : documents.join('');
}

/** One change to bytes; positions are fractions of the length. */
const byteChange = fc.record({
  at: fc.nat({ max: 9999 }).map((number) => number / 10_000),
  length: fc.integer({ min: 0, max: 12 }),
  kind: fc.constantFrom('remove', 'repeat', 'insert', 'replace', 'cut', 'flip'),
  bytes: fc.oneof(
    fc.uint8Array({ maxLength: 8 }),
    fc
      .constantFrom('"', '\\', '{', '}', '[', ']', ',', ':', '\n', '\r\n\r\ndata: ', '\\u0000', 'data:', '=')
      .map((text) => Buffer.from(text)),
  ),
});

function changedBytes(
  body: Buffer,
  { at, length, kind, bytes }: typeof byteChange extends fc.Arbitrary<infer T> ? T : never,
): Buffer {
  const start = Math.floor(at * body.length);
  const [head, span, tail] = [
    body.subarray(0, start),
    body.subarray(start, start + length),
    body.subarray(start + length),
  ];
  switch (kind) {
    case 'remove':
      return Buffer.concat([head, tail]);
    case 'repeat':
      return Buffer.concat([head, span, span, tail]);
    case 'insert':
      return Buffer.concat([head, bytes, span, tail]);
    case 'replace':
      return Buffer.concat([head, bytes, tail]);
    case 'cut':
      return head;
    default:
      return Buffer.concat([head, span.map((byte) => byte ^ (1 << (length % 8))), tail]);
  }
}

/** One change to a value: of the node with this number, counted through the whole value. */
const nodeChange = fc.record({
  node: fc.nat({ max: 40 }),
  other: fc.nat({ max: 40 }),
  kind: fc.constantFrom('remove', 'replace', 'copy', 'wrap', 'rename', 'repeat'),
  // What is written as 1e999 is read as Infinity.
  value: fc.oneof(
    fc.jsonValue({ maxDepth: 2 }),
    fc.constantFrom('', 'completed', 'failed', -1, 1e308, null, [], {}),
  ),
  key: fc.constantFrom(
    'data',
    'url',
    'b64_json',
    'inlineData',
    'id',
    'status',
    'error',
    'parts',
    'text',
    '__proto__',
  ),
});

function changedValue(
  value: unknown,
  { node, other, kind, value: fresh, key }: typeof nodeChange extends fc.Arbitrary<infer T> ? T : never,
): unknown {
  const root = structuredClone({ root: value });
  const places: { holder: Record<string, unknown>; name: string }[] = [];
  const visit = (holder: Record<string, unknown>): void => {
    for (const [name, child] of Object.entries(holder)) {
      places.push({ holder, name });
      if (isHolder(child)) {
        visit(child);
      }
    }
  };
  visit(root);
  const place = places[node % places.length];
  const source = places[other % places.length];
  if (place === undefined || source === undefined) {
    return value;
  }
  const { holder, name } = place;
  const there = holder[name];
  const copied: unknown = structuredClone(source.holder[source.name]);
  delete holder[name];
  if (kind === 'replace') {
    holder[name] = fresh;
  } else if (kind === 'copy') {
    holder[name] = copied;
  } else if (kind === 'wrap') {
    holder[name] = [there, { [key]: there }];
  } else if (kind === 'rename') {
    Object.defineProperty(holder, key, { value: there, enumerable: true, configurable: true });
  } else if (kind === 'repeat') {
    holder[name] = [copied, there, copied];
  }
  return root.root;
}

function isHolder(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** All text of a body in which base64 could stand: without its escapes, its white space and the frame of events. */
function plainTexts(body: Buffer): string[] {
  const text = body.toString('latin1');
  const data = text
    .split(/\r\n|\r|\n/u)
    .flatMap((line) => /^data: ?(.*)$/su.exec(line)?.[1] ?? [])
    .join('');
  return [text, data].map((each) =>
    each
      .replaceAll(/\\u([0-9a-f]{4})/giu, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
      .replaceAll(/\\[nrt]|\s/gu, '')
      .replaceAll('\\/', '/')
      .replaceAll('-', '+')
      .replaceAll('_', '/'),
  );
}

/** Asks with this body as the answer, and checks whatever comes of it. */
async function check(
  { call, keeps, status = 200, headers = {} }: Sample,
  body: Buffer,
  pieces: number,
): Promise<void> {
  const sinks = new MemorySinks();
  const { service, transport } = serviceAnswering({ status, headers, body, pieces });
  const outcome: unknown = await call(service, sinks).catch((error: unknown) => error);
  const kept = sinks.kept;
  assert.ok(!sinks.states.includes('open'), 'a sink is left open');
  const texts = plainTexts(body);
  for (const bytes of kept) {
    const encoded = bytes.toString('base64').slice(0, -4);
    assert.ok(
      texts.some((text) => text.includes(encoded)),
      `a picture that is not in the answer: ${encoded}`,
    );
  }
  assert.equal(transport.sent.length, 1);
  if (outcome instanceof Error) {
    assert.ok(isLimnerError(outcome), `a foreign error: ${String(outcome)}`);
    assert.ok(outcome.phase !== undefined && outcome.billing !== undefined);
    assertStorable(outcome.toRecord());
    assert.ok(!JSON.stringify(outcome.toRecord()).includes(apiKey), 'the key is in the error');
    if (keeps) {
      assert.deepEqual(kept, [], 'a picture was lost');
    }
    return;
  }
  assert.ok(isHolder(outcome));
  assert.ok(status < 300, 'an error became a result');
  if (outcome['kind'] === 'answered') {
    checkAnswer(outcome['answer'], sinks);
  } else if (outcome['kind'] === 'accepted') {
    checkTask(outcome['task'], sinks);
  } else {
    checkTask(outcome, sinks);
  }
}

/** It comes out of a row as it went in: no number in it is infinite, for instance. */
function assertStorable(value: unknown): void {
  assert.deepEqual(JSON.parse(JSON.stringify(value)), value);
}

function checkAnswer(answer: unknown, sinks: MemorySinks): void {
  assert.ok(isHolder(answer));
  const { images, remark = '', incomplete, ...rest } = answer;
  if (isLimnerError(incomplete)) {
    assertStorable(incomplete.toRecord());
  }
  assertStorable(rest);
  assert.ok(Array.isArray(images) && images.length > 0);
  checkImages(images, sinks);
  assert.equal(typeof remark, 'string');
}

function checkTask(task: unknown, sinks: MemorySinks): void {
  assert.ok(isHolder(task));
  assertStorable(task);
  const { id, status, progress = 0, images = [] } = task;
  assert.ok(typeof id === 'string' && id !== '');
  assert.equal(typeof status, 'string');
  assert.ok(typeof progress === 'number' && progress >= 0 && progress <= 100);
  checkImages(images, sinks);
}

function checkImages(images: unknown, sinks: MemorySinks): void {
  assert.ok(Array.isArray(images));
  for (const image of images) {
    assert.ok(isHolder(image));
    const { kind, url, sink } = image;
    if (kind === 'url') {
      assert.ok(typeof url === 'string' && url !== '');
    } else {
      const there = sinks.all[Number(sink)];
      assert.equal(there?.state, 'closed');
      assert.ok(there.bytes.length > 0);
    }
  }
}

const pieces = fc.integer({ min: 1, max: 500 });

describe('A valid answer that was changed', () => {
  it('leaves no sink open where a text that begins like an image stands behind the document', async () => {
    await check({ call: query, keeps: false, documents: [] }, Buffer.from('{}"data:error"}'), 1);
  });

  for (const [name, sample] of Object.entries(samples)) {
    const whole = (documents: readonly unknown[]): Buffer =>
      Buffer.from(
        framed(
          documents.map((document) => JSON.stringify([document]).slice(1, -1).replaceAll('1e+308', '1e999')),
          sample.framing,
        ),
      );

    it(`gives a result or an error of our own when its bytes are changed: ${name}`, async () => {
      const changes = fc.array(byteChange, { minLength: 1, maxLength: 4 });
      await fc.assert(
        fc.asyncProperty(changes, pieces, async (list, length) => {
          await check(sample, list.reduce(changedBytes, whole(sample.documents)), length);
        }),
        { numRuns: fuzzRuns(40, 1500) },
      );
    });

    it(`gives a result or an error of our own when its values are changed: ${name}`, async () => {
      const changes = fc.array(nodeChange, { minLength: 1, maxLength: 4 });
      await fc.assert(
        fc.asyncProperty(changes, fc.nat({ max: 9 }), pieces, async (list, number, length) => {
          const at = number % sample.documents.length;
          const changed = sample.documents.with(at, list.reduce(changedValue, sample.documents[at]));
          await check(sample, whole(changed), length);
        }),
        { numRuns: fuzzRuns(40, 1500) },
      );
    });
  }
});
