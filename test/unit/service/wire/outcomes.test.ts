import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isLimnerError, LimnerError } from '../../../../src/common/limnerError.ts';
import type { Submission, RemoteTask } from '../../../../src/service/terms/messages.ts';
import { base64, edit, generation, serviceAnswering } from '../../../support/service/requestBuilders.ts';
import type { ScriptedAnswer } from '../../../support/service/scriptedTransport.ts';
import { MemorySinks } from '../../../support/service/sinks.ts';

const url = 'https://results.example/0.png';
const other = 'https://results.example/1.png';
const fox = base64('a fox');
const image = { kind: 'url', url };
const inline = { kind: 'inline', sink: 0 };
const location = { location: '/v1/images/generations/task_2' };
const cutOff = new LimnerError('network', 'The connection was closed.', { sent: true });

/** What is known of an error that came of a POST. */
const unsure = { phase: 'submit', billing: 'maybe', sent: true };
const billed = { phase: 'submit', billing: 'yes', sent: true };
const notAnImage = { code: 'protocol', message: "An image in the response isn't valid base64.", ...billed };
function nowhere(address: string): object {
  return {
    code: 'protocol',
    message: `An image has a URL that it can't be fetched from: ${address}.`,
    ...billed,
  };
}
const empty = { code: 'empty_result', message: 'The service returned no image.', ...unsure };
const notJson = { code: 'protocol', message: "The response isn't valid JSON.", ...unsure };
const neither = {
  code: 'protocol',
  message: 'The response is neither JSON nor an event stream.',
  ...unsure,
};

type Call = 'sync' | 'async' | 'edit' | 'native' | 'nativeStream' | 'query';
type Outcome = Record<string, unknown>;

/** All that a caller gets of an answer, with every error in it as a task's row holds it. */
async function outcomeOf(call: Call, answer: ScriptedAnswer): Promise<Outcome> {
  const sinks = new MemorySinks();
  const { service } = serviceAnswering(answer);
  const calls: Record<Call, () => Promise<Submission | RemoteTask>> = {
    sync: async () => service.submit(generation(), 'sync', sinks),
    async: async () => service.submit(generation(), 'async', sinks),
    edit: async () => service.submit(edit(), 'sync', sinks),
    native: async () => service.submit(generation({ family: 'native' }), 'native', sinks),
    nativeStream: async () => service.submit(generation({ family: 'native' }), 'nativeStream', sinks),
    query: async () => service.query('task_1', sinks),
  };
  const outcome: unknown = await calls[call]().catch((error: unknown) => error);
  assert.ok(!sinks.states.includes('open'));
  return recorded(outcome);
}

function recorded(outcome: unknown): Outcome {
  if (isLimnerError(outcome)) {
    return { error: outcome.toRecord() };
  }
  assert.ok(typeof outcome === 'object' && outcome !== null);
  if ('answer' in outcome) {
    return recorded(outcome.answer);
  }
  return 'incomplete' in outcome && isLimnerError(outcome.incomplete)
    ? { ...outcome, incomplete: outcome.incomplete.toRecord() }
    : { ...outcome };
}

function failed(message: string, service: object, how: object = unsure): Outcome {
  const start = "The service couldn't create the image";
  const said = message === '' ? `${start}.` : `${start}: ${message}.`;
  return { error: { code: 'image_generation_failed', message: said, service, ...how } };
}

function parts(...all: readonly unknown[]): unknown {
  return { candidates: [{ content: { parts: all } }] };
}

/** A body that is no JSON although its picture is whole. */
const spoiled = `{"id":"task_1","status":"queued","data":[{"b64_json":"${fox}"}],"x" 5}`;
const kept = { images: [inline], incomplete: { ...notJson, billing: 'yes' } };

const answers: readonly (readonly [string, ScriptedAnswer, Outcome])[] = [
  ['no image', { body: { data: [] } }, { error: empty }],
  ['a number of something else', { body: { id: 'task_1', object: 'list' } }, { error: empty }],
  ['a page', { body: '<html></html>' }, { error: neither }],
  ['words', { body: { error: 'Busy now' } }, failed('Busy now', { message: 'Busy now' })],
  [
    'an address that leads nowhere',
    { body: { data: [{ url: 'ftp://a/b.png' }] } },
    { error: nowhere('ftp://a/b.png') },
  ],
  [
    'an image and an address that leads nowhere',
    { body: { data: [{ url }, { url: 'mailto:a@b' }] } },
    { images: [image], incomplete: nowhere('mailto:a@b') },
  ],
  [
    'a part of an address',
    { body: { data: [{ url: '/1.png' }] } },
    { images: [{ ...image, url: 'https://api.example.com/1.png' }] },
  ],
  [
    'what is no base64',
    { body: { data: [{ b64_json: '*' }] } },
    { images: [inline], incomplete: notAnImage },
  ],
  [
    'an image and what is no base64',
    { body: { data: [{ b64_json: '*' }, { url }] } },
    { images: [image, inline], incomplete: notAnImage },
  ],
  ['no base64, but an address', { body: { data: [{ b64_json: '*', url }] } }, { images: [image] }],
  ['images beside an error', { body: { data: [{ url }], error: { code: 'busy' } } }, { images: [image] }],
  ['an image in a body that is spoiled', { body: spoiled }, kept],
  [
    'an image and half of another one',
    { body: `{"data":[{"b64_json":"${fox}"},{"b64_json":"AAAA`, error: cutOff },
    { images: [inline], incomplete: { ...cutOff.toRecord(), ...billed } },
  ],
  [
    'half an image',
    { body: '{"data":[{"b64_json":"AAAA', error: cutOff },
    { error: { ...cutOff.toRecord(), ...unsure } },
  ],
  ['images with a Location', { body: { data: [{ url }] }, headers: location }, { images: [image] }],
];

const tasks: readonly (readonly [string, ScriptedAnswer, Outcome])[] = [
  [
    'its word for itself',
    { body: { id: 'task_1', object: 'image.generation.task' } },
    { id: 'task_1', status: 'queued' },
  ],
  ['a status', { body: { id: 'task_1', status: 'thinking' } }, { id: 'task_1', status: 'thinking' }],
  ['a Location', { body: {}, headers: location }, { id: 'task_2', status: 'queued' }],
  ['a number and 202', { status: 202, body: { id: 'task_1' } }, { id: 'task_1', status: 'queued' }],
  [
    'its images',
    { status: 202, body: { id: 'task_1', status: 'completed', progress: 100, data: [{ url }] } },
    { id: 'task_1', status: 'completed', progress: 100, images: [image] },
  ],
  [
    'a long number that may be rounded',
    { status: 202, body: { id: '9007199254740992' }, headers: location },
    { id: 'task_2', status: 'queued' },
  ],
  [
    'a long word of digits',
    { status: 202, body: { id: 'task_9007199254740992' }, headers: location },
    { id: 'task_9007199254740992', status: 'queued' },
  ],
];

const queries: readonly (readonly [string, ScriptedAnswer, Outcome])[] = [
  [
    'no image at its end',
    { body: { status: 'completed' } },
    {
      status: 'completed',
      images: [],
      incomplete: {
        code: 'empty_result',
        message: 'The service completed the task without an image.',
        phase: 'poll',
        billing: 'maybe',
        sent: true,
      },
    },
  ],
  [
    'an address that leads nowhere',
    { body: { status: 'completed', data: [{ url: 'ftp://a/b' }] } },
    { status: 'completed', images: [], incomplete: { ...nowhere('ftp://a/b'), phase: 'poll' } },
  ],
  [
    'what is no base64',
    { body: { status: 'completed', data: [{ b64_json: '*' }, { url }] } },
    { status: 'completed', images: [image, inline], incomplete: { ...notAnImage, phase: 'poll' } },
  ],
  [
    'images before it broke off',
    { body: `{"status":"completed","data":[{"url":"${url}"},{"url":"${other}"},`, error: cutOff },
    {
      status: 'completed',
      images: [image, { kind: 'url', url: other }],
      incomplete: { ...cutOff.toRecord(), phase: 'poll', billing: 'yes' },
    },
  ],
  ...['{"status":"completed","data":[', '{"status":"in_progress",', '{"id":'].map(
    (body): readonly [string, ScriptedAnswer, Outcome] => [
      `only ${body}`,
      { body, error: cutOff },
      { error: { ...cutOff.toRecord(), phase: 'poll', billing: 'maybe' } },
    ],
  ),
  [
    'something else',
    { body: { created: 1 } },
    {
      error: {
        code: 'protocol',
        message: "The service's response to a task query isn't a task.",
        phase: 'poll',
        billing: 'maybe',
      },
    },
  ],
  [
    'images although it has ended',
    { body: { status: 'error', data: [{ url }] } },
    { status: 'error', images: [image] },
  ],
  [
    'images while it works',
    { body: { status: 'queued', data: [{ url }] } },
    { status: 'queued', listed: [image] },
  ],
];

/** Ends of a task by their words; only one of them promises that nothing is paid for. */
const ends = [
  'failure',
  'error',
  'canceled',
  'cancelled',
  'rejected',
  'aborted',
  'expired',
  'timedout',
  'timeout',
  'timed_out',
  'time_out',
];
const successes = ['complete', 'completed', 'succeeded', 'success', 'successful', 'done', 'finished'];

const natives: readonly (readonly [string, ScriptedAnswer, Outcome])[] = [
  [
    'words',
    { body: parts({ text: ' I am ' }, { text: 'not able to. ' }) },
    modelError('empty_result', 'The model returned no image. It said: I am not able to.', {
      message: 'I am not able to.',
    }),
  ],
  [
    'the reasons of two candidates',
    {
      body: { candidates: [{ finishReason: 'STOP' }, { finishReason: 'SPII' }, { finishReason: 'SAFETY' }] },
    },
    declined(' (SPII)', { code: 'SPII' }),
  ],
  ...['NO_SAFETY', 'SAFETY_OFF', 'safety'].map((finishReason): readonly [string, ScriptedAnswer, Outcome] => [
    `an end that is no reason, ${finishReason}`,
    { body: { candidates: [{ finishReason }] } },
    modelError('empty_result', `The model returned no image (${finishReason}).`, { code: finishReason }),
  ]),
  ['an error', { body: { error: { message: 'busy' } } }, failed('busy', { message: 'busy' })],
  ['an error that says nothing', { body: { error: {} } }, failed('', {})],
  [
    'an image and an error',
    { body: [parts({ inlineData: { data: fox } }), { error: { message: 'busy' } }] },
    { images: [inline], incomplete: { ...Object(failed('busy', { message: 'busy' })['error']) } },
  ],
  [
    'what is no base64',
    { body: parts({ text: ' Look.\n' }, { inlineData: { mimeType: 'image/png', data: '*' } }) },
    { images: [inline], remark: 'Look.', incomplete: notAnImage },
  ],
  [
    'a body that is spoiled',
    { body: `{"candidates":[{"content":{"parts":[{"inlineData":{"data":"${fox}"}}]}}],"x" 5}` },
    kept,
  ],
  [
    'a line of text',
    { body: 'Busy' },
    {
      error: {
        ...neither,
        message: `${neither.message} The service said: Busy.`,
        service: { message: 'Busy' },
      },
    },
  ],
  ...[parts({ inlineData: { data: fox } }), [{}, parts({ inlineData: { data: fox } })]].map(
    (body): readonly [string, ScriptedAnswer, Outcome] => [
      `an end that breaks off behind all of it, ${JSON.stringify(body)}`,
      { body, error: cutOff },
      { images: [inline] },
    ],
  ),
  [
    'events that break off, so that more might have come',
    { body: `data: ${JSON.stringify(parts({ inlineData: { data: fox } }))}\n\n`, error: cutOff },
    { images: [inline], incomplete: { ...cutOff.toRecord(), ...billed } },
  ],
];

function modelError(code: string, message: string, service: object): Outcome {
  return { error: { code, message, service, ...unsure } };
}

function declined(reason: string, service: object): Outcome {
  return modelError('content_rejected', `The model declined to create this image${reason}.`, service);
}

describe('What becomes of an answer', () => {
  for (const [what, answer, outcome] of answers) {
    it(`of the image endpoints with ${what}`, async () => {
      for (const call of ['sync', 'async', 'edit'] as const) {
        const { kind: _, ...found } = await outcomeOf(call, answer);
        assert.deepEqual(found, outcome);
      }
    });
  }

  for (const [what, answer, task] of tasks) {
    it(`that is a task by ${what}`, async () => {
      for (const call of ['sync', 'async'] as const) {
        assert.deepEqual(await outcomeOf(call, answer), { kind: 'accepted', task });
      }
    });
  }

  it('that accepts a task without its number', async () => {
    assert.deepEqual(await outcomeOf('async', { status: 202, body: { status: 'queued' } }), {
      error: {
        code: 'outcome_unknown',
        message: 'The service accepted the request but returned no task ID.',
        status: 202,
        ...unsure,
      },
    });
  });

  for (const [what, answer, outcome] of queries) {
    it(`to a query with ${what}`, async () => {
      assert.deepEqual(
        await outcomeOf('query', answer),
        'error' in outcome ? outcome : { id: 'task_1', ...outcome },
      );
    });
  }

  for (const status of ends.flatMap((word) => [word, word.toUpperCase()])) {
    it(`to a query of a task that ended: ${status}`, async () => {
      const how = { phase: 'poll', billing: 'maybe', sent: true };
      for (const [error, message] of [
        [undefined, status],
        ['Too late', 'Too late'],
      ] as const) {
        assert.deepEqual(await outcomeOf('query', { body: { status, error } }), {
          id: 'task_1',
          status,
          ...failed(message, { message }, how),
        });
      }
      for (const longer of [`${status}s`, `un${status}`]) {
        assert.deepEqual(await outcomeOf('query', { body: { status: longer } }), {
          id: 'task_1',
          status: longer,
        });
      }
    });
  }

  for (const status of ['failed', 'FAILED']) {
    it(`to a query of a task that failed, so that its price is given back: ${status}`, async () => {
      const how = { phase: 'poll', billing: 'refunded', sent: true };
      assert.deepEqual(await outcomeOf('query', { body: { status, data: [{ url }] } }), {
        id: 'task_1',
        status,
        ...failed('', {}, how),
      });
      assert.deepEqual(
        await outcomeOf('query', { body: { status, error: { message: 'No', code: 'a', type: 'b' } } }),
        {
          id: 'task_1',
          status,
          ...failed('No', { message: 'No', type: 'b', code: 'a' }, how),
        },
      );
    });
  }

  it('to a query of a task in a state that nobody knows, with an error', async () => {
    const how = { phase: 'poll', billing: 'maybe', sent: true };
    assert.deepEqual(await outcomeOf('query', { body: { status: 'odd', error: { message: 'No' } } }), {
      id: 'task_1',
      status: 'odd',
      ...failed('No', { message: 'No' }, how),
    });
  });

  it('to a query of a task that works, whatever comes with it', async () => {
    for (const status of ['queued', 'in_progress', 'QUEUED', 'In_Progress']) {
      const body = { status, error: { message: 'No' }, data: [{ url }] };
      assert.deepEqual(await outcomeOf('query', { body }), { id: 'task_1', status, listed: [image] });
    }
  });

  it('to a query of a task that succeeded', async () => {
    for (const status of successes.flatMap((word) => [word, word.toUpperCase()])) {
      const body = { status, error: { message: 'No' }, data: [{ url }] };
      assert.deepEqual(await outcomeOf('query', { body }), { id: 'task_1', status, images: [image] });
    }
  });

  for (const [what, answer, outcome] of natives) {
    it(`of a model with ${what}`, async () => {
      for (const call of ['native', 'nativeStream'] as const) {
        const { kind: _, ...found } = await outcomeOf(call, answer);
        assert.deepEqual(found, outcome);
      }
    });
  }

  it('of a model whose event is damaged behind its image, which is there once', async () => {
    const event = JSON.stringify(parts({ text: 'Look.' }, { inlineData: { data: fox } }));
    const next = JSON.stringify(parts({ text: 'And?' }));
    const { kind: _, ...found } = await outcomeOf('nativeStream', {
      body: `data: ${event}}\ndata: {"a":\n\ndata: ${next}\n\n`,
    });
    assert.deepEqual(found, {
      images: [inline],
      remark: 'Look.And?',
      incomplete: { ...notJson, billing: 'yes' },
    });
  });

  it('of a model, of which the images alone are kept, in whatever case and style', async () => {
    for (const [mediaType, isImage] of [
      [undefined, true],
      ['image/png', true],
      ['IMAGE/WEBP', true],
      ['audio/wav', false],
      ['x-image/png', false],
      ['image', false],
    ] as const) {
      for (const part of [
        { inlineData: { mimeType: mediaType, data: fox } },
        { inlineData: { data: fox, mimeType: mediaType } },
        { inline_data: { mime_type: mediaType, data: fox } },
      ]) {
        const found = await outcomeOf('native', { body: parts(part, { inlineData: { data: fox } }) });
        const second = { kind: 'inline', sink: 1 };
        assert.deepEqual(found['images'], isImage ? [inline, second] : [second], mediaType);
      }
    }
  });
});
