import assert from 'node:assert/strict';
import { createServer, request as httpRequest, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { ApiError, errorBody } from '../../../../src/demo/http/apiError.ts';
import { type Form, readForm } from '../../../../src/demo/http/formReader.ts';
import { prefersAsync, readJson } from '../../../../src/demo/http/requestBody.ts';

/** What comes of a body: its value, or the error that refuses it. */
type Outcome = { value: unknown } | { status: number; code: string };

describe('the body of a request', () => {
  let outcome: Outcome | undefined;
  let form: Form | undefined;
  let read: (request: IncomingMessage) => Promise<unknown> = readJson;
  const server = createServer((request, response) => {
    const answer = async (): Promise<void> => {
      try {
        outcome = { value: await read(request) };
      } catch (error) {
        outcome =
          error instanceof ApiError
            ? { status: error.status, code: error.code }
            : { status: 0, code: String(error) };
      }
      request.resume();
      response.end();
    };
    void answer();
  });
  before(async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    server.listen(0, '127.0.0.1', resolve);
    await promise;
  });
  after(() => server.close());

  /** Sends a body in two parts. */
  async function send(body: string | Buffer, contentType = 'application/json'): Promise<Outcome | undefined> {
    const address = server.address();
    assert.ok(address && typeof address === 'object');
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    const request = httpRequest(
      {
        host: '127.0.0.1',
        port: address.port,
        method: 'POST',
        agent: false,
        headers: { 'content-type': contentType },
      },
      resolve,
    ).on('error', reject);
    const bytes = Buffer.from(body);
    request.write(bytes.subarray(0, bytes.length >> 1));
    request.end(bytes.subarray(bytes.length >> 1));
    await buffer(await promise);
    return outcome;
  }

  it('is JSON, and says so, in any case and with parameters', async () => {
    read = readJson;
    assert.deepEqual(await send('{"a":[1,"ü"]}'), { value: { a: [1, 'ü'] } });
    assert.deepEqual(await send('[]', 'Application/JSON ; charset=utf-8'), { value: [] });
    assert.deepEqual(await send('[]', 'text/json'), { status: 415, code: 'unsupported_media_type' });
    for (const body of ['{', '', Buffer.of(0x22, 0xff, 0x22)]) {
      assert.deepEqual(await send(body), { status: 400, code: 'invalid_request' });
    }
  });

  it('is refused when it holds too much, whatever stands in its texts', async () => {
    read = readJson;
    const refused = { status: 400, code: 'invalid_request' };
    assert.ok('value' in ((await send(nested(200))) ?? {}));
    assert.deepEqual(await send(nested(201)), refused);
    assert.deepEqual(await send('{"a":'.repeat(201) + '1' + '}'.repeat(201)), refused);
    // Each comma is one more value, and so is each list or object.
    assert.ok('value' in ((await send(list(99_999))) ?? {}));
    assert.deepEqual(await send(list(100_000)), refused);
    assert.deepEqual(await send(`[${'{},'.repeat(50_000)}1]`), refused);
    const text = JSON.stringify(`\\"${'['.repeat(300)}"${','.repeat(100_001)}\\\\`);
    assert.ok('value' in ((await send(`[${text},${nested(150)},${nested(150)}]`)) ?? {}));
  });

  it('is of at most 64 million bytes, in JSON and in a file', async () => {
    const most = 64_000_000;
    const json = Buffer.alloc(most + 1, ' ').fill('[]', most - 1);
    read = readJson;
    assert.deepEqual(await send(json), { status: 413, code: 'request_too_large' });
    assert.deepEqual(await send(json.subarray(1)), { value: [] });
    read = async (request) => (form = await readForm(request));
    const type = 'multipart/form-data; boundary=x';
    assert.deepEqual(await send(formOfFile(json), type), { status: 413, code: 'request_too_large' });
    await send(formOfFile(json.subarray(1)), type);
    assert.equal(form?.files.get('image')?.[0]?.bytes.length, most);
  });

  it('is a form with its texts and files, by what its parts say of themselves', async () => {
    read = async (request) => (form = await readForm(request));
    const field = 'Content-Disposition: form-data; name=';
    const body = [
      part(`${field}"prompt"`, 'a fox\r\nin the snow'),
      part(`${field}n`, '2'),
      part(`content-disposition: Form-Data ;name="n"; x="a;name=b"`, '3'),
      part(`${field}"image"; filename="a.png"\r\nContent-Type: Image/PNG; q=1`, 'one'),
      part(`${field}"image"\r\nContent-Type: application/octet-stream`, 'two'),
      part(`${field}"a\\"b"; filename*=UTF-8''c`, 'three'),
      '--x--\r\n',
    ].join('');
    await send(body, 'multipart/form-data; charset="x;boundary=y"; Boundary="x"');
    assert.ok(form);
    const { texts, files } = form;
    assert.deepEqual(Object.fromEntries(texts), { prompt: ['a fox\r\nin the snow'], n: ['2', '3'] });
    assert.deepEqual(
      Array.from(files, ([name, all]) => [
        name,
        ...all.map(({ bytes, mediaType }) => [bytes.toString(), mediaType]),
      ]),
      [
        ['image', ['one', 'image/png'], ['two', 'application/octet-stream']],
        ['a"b', ['three', undefined]],
      ],
    );
  });

  it('is a form of not too many and not too large parts', async () => {
    read = async (request) => (form = await readForm(request));
    const type = 'multipart/form-data; boundary=x';
    const refused = { status: 413, code: 'request_too_large' };
    for (const [fits, tooMuch] of [
      [fields(100, 'name=a', ''), fields(101, 'name=a', '')],
      [fields(20, 'name=a; filename=b', ''), fields(21, 'name=a; filename=b', '')],
      [fields(1, `name=${'n'.repeat(200)}`, ''), fields(1, `name=${'n'.repeat(201)}`, '')],
      [fields(1, 'name=a', 'x'.repeat(1e6)), fields(1, 'name=a', 'x'.repeat(1e6 + 1))],
      [fields(1, 'name=a; filename=b', 'x'.repeat(1e6 + 1)), fields(120, 'name=a; filename=b', '')],
    ] as const) {
      assert.ok('value' in ((await send(fits, type)) ?? {}));
      assert.deepEqual(await send(tooMuch, type), refused);
    }
    const malformed = { status: 400, code: 'malformed_multipart' };
    assert.deepEqual(await send(fields(1, 'name=', ''), type), malformed);
    assert.deepEqual(await send(fields(1, 'name=a', ''), 'multipart/form-data'), malformed);
    const boundary = 'b'.repeat(70);
    const fits = await send(
      fields(1, 'name=a', '1').replaceAll('--x', `--${boundary}`),
      `multipart/form-data; boundary=${boundary}`,
    );
    assert.ok(fits && 'value' in fits);
    const long = `${boundary}b`;
    const longer = fields(1, 'name=a', '1').replaceAll('--x', `--${long}`);
    assert.deepEqual(await send(longer, `multipart/form-data; boundary=${long}`), malformed);
  });
});

describe('an error of the service', () => {
  it('has the body of its family, and the type of its status', () => {
    assert.deepEqual(bodyOf(400, '/v1/images'), {
      error: { message: 'why', type: 'invalid_request_error', param: null, code: 'code' },
    });
    assert.deepEqual(bodyOf(500, '/v1/images'), {
      error: { message: 'why', type: 'server_error', param: null, code: 'code' },
    });
    const google = [400, 401, 403, 404, 415, 429, 499, 500, 501, 502, 503].map((status) =>
      JSON.stringify(bodyOf(status, '/v1beta/models/a')).replace(/.*"status":"(\w+)".*/u, '$1'),
    );
    assert.deepEqual(google, [
      'INVALID_ARGUMENT',
      'UNAUTHENTICATED',
      'PERMISSION_DENIED',
      'NOT_FOUND',
      'INVALID_ARGUMENT',
      'RESOURCE_EXHAUSTED',
      'INVALID_ARGUMENT',
      'INTERNAL',
      'UNIMPLEMENTED',
      'INTERNAL',
      'UNAVAILABLE',
    ]);
  });
});

describe('the preference for an asynchronous answer', () => {
  it('is found among others, in any case, with parameters and in several headers', () => {
    for (const prefer of ['respond-async', 'wait=5, Respond-Async ; x=1', ['wait=5', 'a, respond-async']]) {
      assert.ok(prefersAsync(prefer), String(prefer));
    }
    for (const prefer of [undefined, '', 'respond-asynchronously', 'x; respond-async', ['wait', 'respond']]) {
      assert.ok(!prefersAsync(prefer), String(prefer));
    }
  });
});

function nested(depth: number): string {
  return `${'['.repeat(depth)}${']'.repeat(depth)}`;
}

function list(count: number): string {
  return `[${'1,'.repeat(count - 1)}1]`;
}

function part(head: string, body: string): string {
  return `--x\r\n${head}\r\n\r\n${body}\r\n`;
}

/** Returns a form of so many fields that are the same. */
function fields(count: number, head: string, text: string): string {
  return `${part(`Content-Disposition: form-data; ${head}`, text).repeat(count)}--x--\r\n`;
}

function bodyOf(status: number, path: string): object {
  return errorBody(new ApiError(status, 'code', 'why'), path);
}

/** Returns a form of one file. */
function formOfFile(file: Buffer): Buffer {
  const head = '--x\r\nContent-Disposition: form-data; name=image; filename=a\r\n\r\n';
  return Buffer.concat([Buffer.from(head), file, Buffer.from('\r\n--x--\r\n')]);
}
