import assert from 'node:assert/strict';
import { createServer, request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http';
import { after, before, describe, it } from 'node:test';
import { ApiError } from '../../../../src/demo/http/apiError.ts';
import { readForm } from '../../../../src/demo/http/formReader.ts';
import { Random } from '../../../support/random.ts';

/** What a form holds, to be compared. */
interface Fields {
  texts: Record<string, string[]>;
  files: Record<string, (readonly [bytes: string, mediaType: string | undefined])[]>;
}

type Outcome = Fields | string;

const type = 'multipart/form-data; boundary=x';
const field = 'Content-Disposition: form-data; name=';

describe('a form that is sent to the demo service', () => {
  let settle: (outcome: Outcome) => void;
  const server = createServer((request, response) => {
    const answer = async (): Promise<void> => {
      const outcome = await outcomeOf(request);
      request.resume();
      response.end();
      settle(outcome);
    };
    void answer();
  });
  before(async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    server.listen(0, '127.0.0.1', resolve);
    await promise;
  });
  after(() => server.close());

  /** Begins a request, whose body is to be written. */
  function begin(contentType: string): { request: ClientRequest; outcome: Promise<Outcome> } {
    const address = server.address();
    assert.ok(address && typeof address === 'object');
    const { promise, resolve } = Promise.withResolvers<Outcome>();
    settle = resolve;
    const request = httpRequest({
      host: '127.0.0.1',
      port: address.port,
      method: 'POST',
      agent: false,
      headers: { 'content-type': contentType },
    }).on('error', () => undefined);
    return { request, outcome: promise };
  }

  function send(body: string, contentType = type): Promise<Outcome> {
    const { request, outcome } = begin(contentType);
    request.end(body);
    return outcome;
  }

  async function refusal(body: string, contentType?: string): Promise<string> {
    const outcome = await send(body, contentType);
    assert.ok(typeof outcome === 'string');
    return outcome;
  }

  it('is read as it was written, however its heads are spelled and wherever its bytes are cut', async () => {
    const random = new Random(20);
    for (let round = 0; round < 40; round++) {
      const boundary = random.pick(['x', '----WebKitFormBoundary7MA4', "a'()+_,-./:=?b", 'b'.repeat(70)]);
      const expected: Fields = { texts: {}, files: {} };
      const parts = Array.from({ length: 1 + random.below(6) }, () => {
        const name = random.pick(['prompt', 'n', 'image[]', 'a"b', 'größe', 'a;b=c', 'back\\slash']);
        const body = random.pick([
          '',
          'a fox',
          '\r\n',
          `\r\n--`,
          '\r\n-',
          `a--${boundary}`,
          'ü\0\r',
          '\n\n--',
        ]);
        const mediaType = random.pick([null, '', 'image/png', 'text/plain', 'application/octet-stream']);
        const named = random.pick([null, 'filename="a;name=b.png"', "filename*=UTF-8''c", 'FileName=""']);
        const quoted = `"${name.replaceAll(/["\\]/gu, '\\$&')}"`;
        const parameters = [
          `${random.pick(['name', 'NAME'])}${random.pick(['=', ' = '])}${/^\w+$/u.test(name) ? random.pick([name, quoted, `${name} `]) : quoted}`,
          ...(named === null ? [] : [named]),
        ];
        // The first of two names counts.
        const more = random.pick([[], ['name=other'], ['x="y\\";name=z"']]);
        const disposition = [random.pick([parameters, parameters.toReversed()]), more].flat();
        const heads = [
          `${random.pick(['Content-Disposition', 'content-disposition'])}: ${random.pick(['form-data', 'Form-Data', 'form-data '])};${random.pick(['', ' '])}${disposition.join(random.pick([';', '; ', ' ; ']))}`,
          ...(mediaType === null
            ? []
            : [
                `Content-Type: ${random.pick([mediaType, mediaType.toUpperCase()])}${random.pick(['', ' ; q=1', '; charset=utf-8'])}`,
              ]),
        ];
        if (named !== null || mediaType === 'application/octet-stream') {
          (expected.files[name] ??= []).push([body, mediaType || undefined]);
        } else {
          (expected.texts[name] ??= []).push(body);
        }
        return `--${boundary}\r\n${random.pick([heads, heads.toReversed()]).join('\r\n')}\r\n\r\n${body}\r\n`;
      });
      const preamble = random.pick(['', '', '\r\n', 'To whom it may concern\r\n']);
      const bytes = Buffer.from(
        `${preamble}${parts.join('')}--${boundary}--${random.pick(['', '\r\n', '\r\nbye'])}`,
      );
      const written = random.pick([`"${boundary}"`, ...(/^\w+$/u.test(boundary) ? [boundary] : [])]);
      const { request, outcome } = begin(`Multipart/Form-Data; x="; boundary=no";boundary=${written}`);
      request.setNoDelay();
      for (let at = 0; at < bytes.length;) {
        const end = at + 1 + random.below(random.pick([4, 60, 400]));
        request.write(bytes.subarray(at, end));
        at = end;
      }
      request.end();
      assert.deepEqual(await outcome, expected, JSON.stringify(bytes.toString()));
    }
  });

  it('may have as many files and texts as it can at once', async () => {
    const texts = `--x\r\n${field}a\r\n\r\n\r\n`.repeat(100);
    const files = `--x\r\n${field}b; filename=c\r\n\r\n\r\n`.repeat(20);
    const read = await send(`${texts}${files}--x--`);
    assert.ok(typeof read === 'object');
    assert.deepEqual([read.texts['a']?.length, read.files['b']?.length], [100, 20]);
  });

  it('is refused with what is wrong with it', async () => {
    const malformed = '400 malformed_multipart: The multipart body is malformed:';
    for (const [body, outcome] of [
      [
        `pre --x\r\n${field}a\r\n\r\n1\r\n--x--`,
        `${malformed} its first boundary is not at the beginning of a line.`,
      ],
      [
        `--x\r\n${field}\r\n\r\n1\r\n--x--`,
        `${malformed} a part does not name its field in Content-Disposition.`,
      ],
      [`--x\r\n\r\n1\r\n--x--`, `${malformed} a part does not name its field in Content-Disposition.`],
      [`--x\r\n${field}a\r\n--x--`, `${malformed} a part has no end of its headers.`],
    ] as const) {
      assert.equal(await send(body), outcome, body);
    }
    for (const cut of [
      '',
      'no form',
      '--x',
      '--x\r\n',
      `--x\r\n${field}a`,
      `--x\r\n${field}a\r\n\r\n1`,
      `--x\r\n${field}a\r\n\r\n1\r\n--x`,
    ]) {
      assert.match(await refusal(cut), /^400 malformed_multipart: /u, cut);
    }
    for (const boundary of [
      '',
      '; boundary',
      '; boundary=',
      '; boundary=""',
      `; boundary=${'x'.repeat(71)}`,
    ]) {
      assert.equal(
        await send('', `multipart/form-data${boundary}`),
        `${malformed} its boundary must have 1 to 70 characters.`,
      );
    }
    assert.match(await refusal('', 'text/plain; boundary=x'), /^415 unsupported_media_type: /u);
  });

  it('is refused where its sender goes away', async () => {
    const { request, outcome } = begin(type);
    request.write(`--x\r\n${field}a\r\n\r\n1`);
    server.once('request', () => request.destroy());
    assert.equal(await outcome, '400 malformed_multipart: The request was cut off.');
  });
});

async function outcomeOf(request: IncomingMessage): Promise<Outcome> {
  try {
    const { texts, files } = await readForm(request);
    return {
      texts: Object.fromEntries(texts),
      files: Object.fromEntries(
        Array.from(files, ([name, all]) => [
          name,
          all.map(({ bytes, mediaType }) => [bytes.toString(), mediaType] as const),
        ]),
      ),
    };
  } catch (error) {
    return error instanceof ApiError ? `${error.status} ${error.code}: ${error.message}` : String(error);
  }
}
