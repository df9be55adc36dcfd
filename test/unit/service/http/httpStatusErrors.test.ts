import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { LimnerError, Phase } from '../../../../src/common/limnerError.ts';
import { errorOfHttpStatus, retryAfterOf } from '../../../../src/service/http/httpStatusErrors.ts';
import { serviceWords } from '../../../../src/service/http/serviceWords.ts';

const now = Date.parse('2026-01-31T12:00:00Z');

interface Case {
  status: number;
  body?: unknown;
  phase?: Phase;
  isAsync?: boolean;
  headers?: Record<string, string>;
}

function errorFor({ status, body = '', phase = 'submit', isAsync = true, headers = {} }: Case): LimnerError {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return errorOfHttpStatus({ statusCode: status, headers }, text, {
    phase,
    isAsync,
    apiKey: 'sk-secret',
    now,
  });
}

/** Google's answer to more requests than one minute allows. */
function perMinute(status = 'RESOURCE_EXHAUSTED'): unknown {
  return {
    error: {
      code: 429,
      message: 'You exceeded your current quota, please check your plan and billing details.',
      status,
      details: [
        { '@type': 'type.googleapis.com/google.rpc.Help', links: [] },
        { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '17s' },
      ],
    },
  };
}

function openAi(code: string, message = 'm'): unknown {
  return { error: { message, type: code, code } };
}

describe('serviceWords', () => {
  const shapes: Record<string, [unknown, object]> = {
    "OpenAI's": [
      { error: { message: 'm', type: 't', code: 'c', param: null } },
      { message: 'm', type: 't', code: 'c' },
    ],
    "Google's": [
      { error: { code: 400, message: 'm', status: 'INVALID_ARGUMENT' } },
      { message: 'm', code: 'INVALID_ARGUMENT' },
    ],
    "Google's in an array": [
      [{ error: { code: 400, message: 'm', status: 'S' } }],
      { message: 'm', code: 'S' },
    ],
    flat: [
      { message: 'm', code: 'c' },
      { message: 'm', code: 'c' },
    ],
    "FastAPI's": [{ detail: 'Not authenticated' }, { message: 'Not authenticated' }],
    "FastAPI's list": [
      {
        detail: [
          { loc: ['body', 'size'], msg: 'field required', type: 'missing' },
          { loc: ['body', 'images', 0], msg: 'not an image' },
          { msg: 'and more' },
          { loc: [], msg: 'all of it' },
        ],
      },
      { message: 'body.size: field required; body.images.0: not an image; and more; all of it' },
    ],
    'a list of errors': [
      { errors: [{ message: 'one', code: 'c', type: 't' }, { message: 'two' }] },
      { message: 'one; two', code: 'c', type: 't' },
    ],
    'a list of texts': [{ errors: ['one', 'two'] }, { message: 'one; two' }],
    'errors by field': [{ errors: { size: ['too big'] } }, { message: '{"size":["too big"]}' }],
    'a message that is an object': [
      { error: { message: { size: 'too big' }, code: 'c' } },
      { message: '{"size":"too big"}', code: 'c' },
    ],
    'a message within a message': [{ error: { message: { message: 'm' } } }, { message: 'm' }],
    'a message that is a list': [
      { message: ['one', '', 'two', {}], code: 'c' },
      { message: 'one; two', code: 'c' },
    ],
    "a gateway's capital letter": [{ Message: 'm' }, { message: 'm' }],
    'a message that holds nothing': [{ message: {}, detail: [], errors: [{}], msg: 'm' }, { message: 'm' }],
    'a message with details': [{ error: { message: 'm', detail: 'd' } }, { message: 'm' }],
    'an empty message with details': [{ error: { message: '', detail: 'd' } }, { message: 'd' }],
    'a bare string': [{ error: 'm' }, { message: 'm' }],
    'wrong types': [{ error: { message: 5, type: null, code: { a: 1 } } }, {}],
  };
  for (const [name, [body, words]] of Object.entries(shapes)) {
    it(`reads the shape: ${name}`, () => assert.deepEqual(serviceWords(JSON.stringify(body)), words));
  }

  it('reads the title of a page, plain text, and nothing from nothing', () => {
    const page = '<html><head><title>502 Bad Gateway</title></head><body><h1>nginx</h1></body></html>';
    assert.deepEqual(serviceWords(page), { message: '502 Bad Gateway' });
    const late = `<html>${'<meta>'.repeat(5000)}<title>502 Bad Gateway</title>`;
    assert.deepEqual(serviceWords(late), { message: '502 Bad Gateway' });
    assert.deepEqual(serviceWords('<TITLE LANG="en">Blocked</TITLE><P>nginx</P>'), { message: 'Blocked' });
    assert.deepEqual(serviceWords('<p>no\n<b>way</b></p>'), { message: 'no way' });
    const style = '<STYLE>p { color: red }</STYLE>';
    const script = '<script>show("<p>c</p>", a < b)</Script>';
    assert.deepEqual(serviceWords(`<p>no</p>${style}<p>way ${script} out</p>`), { message: 'no way out' });
    assert.deepEqual(serviceWords('<p title="<script">no way</p>'), { message: 'no way' });
    assert.deepEqual(serviceWords('42'), { message: '42' });
    assert.deepEqual(serviceWords('upstream error'), { message: 'upstream error' });
    assert.deepEqual(serviceWords(''), {});
  });
});

describe('errorOfHttpStatus', () => {
  const cases: [string, Case, string, string][] = [
    ['a missing key', { status: 401, body: openAi('invalid_api_key') }, 'unauthorized', 'no'],
    [
      "a key that Google's endpoint rejects",
      { status: 400, body: { error: { message: 'API key not valid.' } } },
      'unauthorized',
      'no',
    ],
    ['a forbidden model', { status: 403, body: openAi('forbidden') }, 'unauthorized', 'no'],
    ['a wrong field', { status: 400, body: openAi('invalid_value') }, 'invalid_request', 'no'],
    ['an unknown model', { status: 404, body: openAi('model_not_found') }, 'invalid_request', 'no'],
    [
      'a rejected prompt',
      { status: 400, body: openAi('content_policy_violation') },
      'content_rejected',
      'no',
    ],
    ['a payment due', { status: 402 }, 'quota_exceeded', 'no'],
    [
      'a rejected prompt, in a sentence',
      { status: 400, body: openAi('x', 'Content policy violation.') },
      'content_rejected',
      'no',
    ],
    ['an empty balance', { status: 403, body: openAi('insufficient_user_quota') }, 'quota_exceeded', 'no'],
    [
      'an empty balance, in a sentence',
      { status: 403, body: openAi('x', 'Insufficient account balance.') },
      'quota_exceeded',
      'no',
    ],
    [
      'an exhausted quota as 429',
      { status: 429, body: openAi('insufficient_quota') },
      'quota_exceeded',
      'no',
    ],
    ['too many requests', { status: 429, body: openAi('rate_limit_exceeded') }, 'rate_limited', 'no'],
    [
      'too many requests, in the words of a quota, with a time',
      { status: 429, body: openAi('x', 'You exceeded your current quota'), headers: { 'retry-after': '7' } },
      'rate_limited',
      'no',
    ],
    [
      'an exhausted quota, whenever it says to come back',
      { status: 429, body: openAi('insufficient_quota'), headers: { 'retry-after': '7' } },
      'quota_exceeded',
      'no',
    ],
    [
      'a limit of spending, whenever it says to come back',
      { status: 429, body: openAi('billing_hard_limit_reached'), headers: { 'retry-after': '7' } },
      'quota_exceeded',
      'no',
    ],
    ...['quota_exceeded_this_minute', 'minute_quota_exceeded'].map((word): [string, Case, string, string] => [
      `a limit that is named like a quota, ${word},`,
      { status: 429, body: openAi(word), headers: { 'retry-after': '7' } },
      'rate_limited',
      'no',
    ]),
    ['the quota of this minute', { status: 429, body: perMinute() }, 'rate_limited', 'no'],
    ['the quota of this minute, in a stream', { status: 429, body: [perMinute()] }, 'rate_limited', 'no'],
    [
      'an exhausted quota with a time in its body',
      { status: 429, body: perMinute('QUOTA_EXCEEDED') },
      'quota_exceeded',
      'no',
    ],
    [
      'a quota that is exceeded until nobody knows when',
      { status: 429, body: openAi('x', 'You exceeded your current quota') },
      'quota_exceeded',
      'no',
    ],
    ['a full queue', { status: 503, body: openAi('queue_full') }, 'queue_full', 'no'],
    [
      'a gateway that has lost a service',
      { status: 503, body: { message: 'Service Unavailable' } },
      'outcome_unknown',
      'maybe',
    ],
    ['the page of a firewall', { status: 403, body: '<title>Blocked</title>' }, 'invalid_request', 'no'],
    ...['This service unavailable', 'service unavailable for now'].map(
      (message): [string, Case, string, string] => [
        `a full queue in nearly the words of a gateway, ${message},`,
        { status: 503, body: { message } },
        'queue_full',
        'no',
      ],
    ),
    ['a full queue in a word', { status: 503, body: { message: 'busy' } }, 'queue_full', 'no'],
    [
      'a page that says when to come back',
      { status: 503, body: '<title>503</title>', headers: { 'retry-after': '5' } },
      'queue_full',
      'no',
    ],
    ...[
      '',
      '<title>503</title>',
      '{}',
      'upstream connect error or disconnect/reset before headers',
      {
        message:
          'upstream connect error or disconnect/reset before headers. reset reason: connection termination',
      },
      openAi('gateway_timeout', 'The upstream timed out'),
    ].map((body): [string, Case, string, string] => [
      `what may be a gateway's, ${JSON.stringify(body)},`,
      { status: 503, body },
      'outcome_unknown',
      'maybe',
    ]),
    ['a gateway that lost the service', { status: 502, body: openAi('x') }, 'outcome_unknown', 'maybe'],
    [
      'no channel for asynchronous calls',
      { status: 503, body: openAi('x', 'No available channel for model a') },
      'no_async_channel',
      'no',
    ],
    [
      'a model whose channel is not asynchronous',
      { status: 400, body: openAi('x', 'async image generation is not enabled') },
      'no_async_channel',
      'no',
    ],
    ['a request that took too long', { status: 408 }, 'outcome_unknown', 'maybe'],
    ['a refused key, in no words', { status: 401 }, 'unauthorized', 'no'],
    ['a refusal in no words', { status: 403 }, 'unauthorized', 'no'],
    ['a refused token', { status: 403, body: { message: 'This token has expired' } }, 'unauthorized', 'no'],
    [
      'a busy service in a synchronous call, in its own words',
      { status: 503, isAsync: false, body: openAi('queue_full'), headers: { 'retry-after': '7' } },
      'image_generation_failed',
      'maybe',
    ],
    ['a busy service in a synchronous call', { status: 503, isAsync: false }, 'outcome_unknown', 'maybe'],
    [
      'no channel at all',
      { status: 503, isAsync: false, body: openAi('x', 'no available channel') },
      'invalid_request',
      'no',
    ],
    [
      'a failure of the service',
      { status: 500, body: openAi('server_error') },
      'image_generation_failed',
      'maybe',
    ],
    ['a gateway that gave up, in words', { status: 504, body: openAi('x') }, 'outcome_unknown', 'maybe'],
    ['a gateway that gave up', { status: 504, body: '<title>504</title>' }, 'outcome_unknown', 'maybe'],
    ['a redirect', { status: 307 }, 'protocol', 'no'],
    ['a redirected query', { status: 302, phase: 'poll' }, 'protocol', 'maybe'],
    [
      'an unknown task',
      { status: 404, phase: 'poll', body: openAi('task_not_found') },
      'task_not_found',
      'maybe',
    ],
    [
      'an unknown task, in words alone',
      { status: 404, phase: 'poll', body: '{"detail":"Task not found"}' },
      'task_not_found',
      'maybe',
    ],
    ...[
      'Cannot GET /v1/images/generations/task_1',
      { code: 'NOT_FOUND', message: 'no such path: /v1/images/generations/task_1' },
      openAi('route_not_found'),
      { kind: 'Status', status: 'Failure', reason: 'NotFound', code: 404, message: 'not found: task_1' },
    ].map((body): [string, Case, string, string] => [
      `what stands before the service and repeats the path, ${JSON.stringify(body)},`,
      { status: 404, phase: 'poll', body },
      'task_query_failed',
      'maybe',
    ]),
    [
      'a key that may not ask',
      { status: 403, phase: 'poll', body: '{"detail":"Invalid API key"}' },
      'unauthorized',
      'maybe',
    ],
    [
      'a gateway that lets nobody through',
      { status: 403, phase: 'poll', body: '<title>Access denied</title>' },
      'task_query_failed',
      'maybe',
    ],
    [
      'a way that a gateway does not know',
      { status: 404, phase: 'poll', body: '<title>404 Not Found</title>' },
      'task_query_failed',
      'maybe',
    ],
    [
      'a failed look-up',
      { status: 500, phase: 'poll', body: openAi('task_query_failed') },
      'task_query_failed',
      'maybe',
    ],
    ['a gateway error during a poll', { status: 502, phase: 'poll' }, 'task_query_failed', 'maybe'],
    ['a query that took too long', { status: 408, phase: 'poll' }, 'task_query_failed', 'maybe'],
    ['a query of the wrong form', { status: 400, phase: 'poll' }, 'invalid_request', 'maybe'],
    ['a key that was withdrawn', { status: 401, phase: 'poll' }, 'unauthorized', 'maybe'],
    ['polls that come too fast', { status: 429, phase: 'poll' }, 'rate_limited', 'maybe'],
  ];
  for (const [name, given, code, billing] of cases) {
    it(`takes ${name} (HTTP ${given.status}) for ${code}, billed: ${billing}`, () => {
      const error = errorFor(given);
      assert.equal(error.code, code);
      assert.equal(error.billing, billing);
      assert.equal(error.status, given.status);
      assert.equal(error.phase, given.phase ?? 'submit');
      assert.equal(error.sent, true);
    });
  }

  it('finds in the body how long to wait where no header says it', () => {
    assert.equal(errorFor({ status: 429, body: perMinute() }).retryAfter, 17_000);
    assert.equal(
      errorFor({ status: 429, body: perMinute(), headers: { 'retry-after': '5' } }).retryAfter,
      5000,
    );
    const details = [{ retryDelay: '0.25s' }];
    for (const retryDelay of ['soon', 'in 5s', '5sec']) {
      const body = { error: { details: [{ retryDelay }, ...details] } };
      assert.equal(errorFor({ status: 429, body }).retryAfter, 250, retryDelay);
    }
    assert.equal(errorFor({ status: 429, body: { error: { details } } }).retryAfter, 250);
    assert.equal(errorFor({ status: 429, body: { error: { details: [{}] } } }).retryAfter, undefined);
  });

  it('tells what the service said', () => {
    const error = errorFor({ status: 400, body: openAi('invalid_size', 'size must be 1x1') });
    assert.equal(error.message, 'The service rejected the request (HTTP 400): size must be 1x1.');
    assert.deepEqual(error.service, {
      message: 'size must be 1x1',
      type: 'invalid_size',
      code: 'invalid_size',
    });
  });

  it('never repeats the key', () => {
    const error = errorFor({ status: 401, body: openAi('k', 'Incorrect API key provided: sk-secret') });
    assert.doesNotMatch(JSON.stringify([error.toRecord(), error.message]), /sk-secret/u);
  });

  it('is not led astray by words that are nested endlessly', () => {
    const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
    for (const body of [
      `{"message":${deep}}`,
      `{"message":{"a":${deep}}}`,
      `${'{"message":'.repeat(5000)}"m"${'}'.repeat(5000)}`,
      `${'{"errors":['.repeat(4000)}${']}'.repeat(4000)}`,
    ]) {
      assert.equal(errorFor({ status: 400, body }).code, 'invalid_request');
    }
  });

  it('shortens endless words and takes control characters out', () => {
    const error = errorFor({ status: 400, body: openAi('x', `\u001b[31m${'word '.repeat(1000)}`) });
    assert.ok((error.service?.message?.length ?? 0) <= 4000);
    assert.doesNotMatch(error.message, /\p{Cc}/u);
  });
});

describe('retryAfterOf', () => {
  it('reads seconds and dates as milliseconds from now', () => {
    assert.equal(retryAfterOf({ 'retry-after': '12' }, now), 12_000);
    assert.equal(retryAfterOf({ 'retry-after': '0.5' }, now), 500);
    assert.equal(retryAfterOf({ 'retry-after': 'Sat, 31 Jan 2026 12:00:30 GMT' }, now), 30_000);
    assert.equal(retryAfterOf({ 'retry-after': 'Sat, 31 Jan 2026 11:00:00 GMT' }, now), 0);
  });

  it('reckons a date from that of the answer, whatever the clock here says', () => {
    const headers = {
      'retry-after': 'Sat, 31 Jan 2026 12:00:30 GMT',
      date: 'Sat, 31 Jan 2026 12:00:10 GMT',
    };
    for (const clock of [now, 0, -1, Date.parse('2106-02-07T06:28:16Z')]) {
      assert.equal(retryAfterOf(headers, clock), 20_000);
    }
    for (const date of ['never', 'Never, ever']) {
      assert.equal(retryAfterOf({ ...headers, date }, now), 30_000);
    }
  });

  it('reads every form of a date of HTTP as GMT, before 1970 and after 2038', () => {
    const zone = process.env['TZ'];
    try {
      for (const place of ['Asia/Tokyo', 'America/Los_Angeles', 'UTC']) {
        process.env['TZ'] = place;
        assert.equal(retryAfterOf({ 'retry-after': 'Sat Jan 31 12:00:30 2026' }, now), 30_000);
        assert.equal(retryAfterOf({ 'retry-after': 'Saturday, 31-Jan-26 12:00:30 GMT' }, now), 30_000);
      }
    } finally {
      if (zone === undefined) {
        delete process.env['TZ'];
      } else {
        process.env['TZ'] = zone;
      }
    }
    assert.equal(retryAfterOf({ 'retry-after': 'Wed, 31 Dec 1969 23:59:59 GMT' }, now), 0);
    assert.equal(
      retryAfterOf({ 'retry-after': 'Fri, 01 Jan 2100 00:00:00 GMT' }, now),
      Date.parse('2100-01-01T00:00:00Z') - now,
    );
  });

  it('takes nothing else for a time', () => {
    for (const value of [
      undefined,
      '',
      'soon',
      '-5',
      '5 minutes',
      '31 Jan 2026 12:00:30 GMT',
      'Never, ever',
    ]) {
      assert.equal(retryAfterOf({ 'retry-after': value }, now), undefined, value);
    }
  });
});
