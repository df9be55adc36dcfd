import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { describe, it } from 'node:test';
import { Busboy } from '@fastify/busboy';
import type { ImageRequest } from '../../../../src/service/terms/messages.ts';
import {
  base64,
  edit,
  imageBytes,
  inputFile,
  serviceAnswering,
} from '../../../support/service/requestBuilders.ts';
import type { SentRequest } from '../../../support/service/scriptedTransport.ts';
import { MemorySinks } from '../../../support/service/sinks.ts';

const accepted = { id: 'task_1', object: 'image.generation.task', status: 'queued' };

interface Part {
  name: string;
  value: string;
  fileName?: string;
  mediaType?: string;
}

/** The parts of a form as another program reads them. */
async function partsOf({ headers, body }: SentRequest): Promise<Part[]> {
  const parts: Part[] = [];
  const parser = new Busboy({ headers: { 'content-type': headers['content-type'] ?? '' } });
  parser.on('field', (name, value) => parts.push({ name, value }));
  parser.on('file', (name, stream, fileName, _encoding, mediaType) => {
    const part: Part = { name, value: '', fileName, mediaType };
    parts.push(part);
    stream.on('data', (chunk: Buffer) => {
      part.value += chunk.toString('latin1');
    });
  });
  return new Promise((resolve, reject) => {
    parser.on('finish', () => resolve(parts));
    parser.on('error', reject);
    Readable.from([body]).pipe(parser);
  });
}

async function formOf(request: ImageRequest): Promise<{ parts: Part[]; sent: SentRequest }> {
  const { service, transport } = serviceAnswering({ status: 202, body: accepted });
  await service.submit(request, 'async', new MemorySinks());
  const [sent] = transport.sent;
  assert.ok(sent !== undefined);
  assert.equal(sent.body.length, sent.request.body?.length);
  return { parts: await partsOf(sent), sent };
}

describe('ImageService.submit of an edit, asynchronously', () => {
  it('sends one image and the instruction as a form with its exact length', async () => {
    const { parts, sent } = await formOf(edit({ size: '512x512' }));
    assert.equal(sent.url, 'https://api.example.com/gateway/v1/images/edits');
    assert.equal(sent.headers['prefer'], 'respond-async');
    assert.deepEqual(parts, [
      { name: 'model', value: 'painter' },
      { name: 'prompt', value: 'a red fox' },
      { name: 'size', value: '512x512' },
      { name: 'image', value: 'pixels', fileName: 'fox.png', mediaType: 'image/png' },
    ]);
  });

  it('sends several images under the name that the model wants, a mask, and how many are wanted', async () => {
    const { parts } = await formOf(
      edit({
        n: 2,
        images: [inputFile('one'), inputFile('two', { name: 'b.webp', mediaType: 'image/webp' })],
        imageField: 'image[]',
        mask: inputFile('mask', { name: 'mask.png' }),
      }),
    );
    assert.deepEqual(
      parts.map(({ name, value, mediaType }) => [name, value, mediaType]),
      [
        ['model', 'painter', undefined],
        ['prompt', 'a red fox', undefined],
        ['n', '2', undefined],
        ['image[]', 'one', 'image/png'],
        ['image[]', 'two', 'image/webp'],
        ['mask', 'mask', 'image/png'],
      ],
    );
  });

  it('sends neither size nor quality to the second family, and the extra fields of a model as text', async () => {
    const extra = {
      background: 'auto',
      input_fidelity: { level: 1 },
      seed: 5,
      stream: true,
      response_format: 'url',
      size: 'x',
    };
    const { parts } = await formOf(edit({ family: 'native', size: '1x1', quality: 'high', extra }));
    assert.deepEqual(
      parts.slice(0, -1).map(({ name, value }) => [name, value]),
      [
        ['background', 'auto'],
        ['input_fidelity', '{"level":1}'],
        ['seed', '5'],
        ['model', 'painter'],
        ['prompt', 'a red fox'],
      ],
    );
  });

  it('lets no file name or prompt break the form', async () => {
    const prompt =
      'first line\r\n--limner\r\nContent-Disposition: form-data; name="model"\r\n\r\nevil "quoted" ünïcode 日';
    const name = 'a"; name="prompt"\r\nX-Evil: 1\n日本.png';
    const { parts, sent } = await formOf(edit({ prompt, images: [inputFile('pixels', { name })] }));
    assert.deepEqual(
      parts.map((part) => part.name),
      ['model', 'prompt', 'image'],
    );
    assert.equal(parts[1]?.value, prompt);
    assert.match(sent.body.toString(), /filename="a%22; name=%22prompt%22__X-Evil: 1_日本\.png"\r\n/u);
    assert.equal(parts[2]?.value, 'pixels');
  });

  it('breaks off when a file is not as long as it was', async () => {
    for (const size of [3, 100]) {
      const { service } = serviceAnswering({ status: 202, body: accepted });
      await assert.rejects(
        service.submit(edit({ images: [inputFile('pixels', { size })] }), 'async', new MemorySinks()),
        {
          code: 'invalid_request',
          billing: 'no',
          message: /fox\.png changed/u,
        },
      );
    }
  });

  it('says which file cannot be read', async () => {
    const unreadable = inputFile('pixels', {
      open: () => new Readable({ read: () => {}, construct: (callback) => callback(new Error('EACCES')) }),
    });
    const { service } = serviceAnswering({ status: 202, body: accepted });
    await assert.rejects(service.submit(edit({ images: [unreadable] }), 'async', new MemorySinks()), {
      code: 'invalid_request',
      billing: 'no',
      message: /fox\.png couldn't be read/u,
    });
  });
});

describe('ImageService.submit of an edit, synchronously', () => {
  it('takes the images of the answer, without asking for an asynchronous one', async () => {
    const sinks = new MemorySinks();
    const { service, transport } = serviceAnswering({ body: { data: [{ b64_json: base64('a') }] } });
    const submission = await service.submit(edit(), 'sync', sinks);
    assert.equal(submission.kind, 'answered');
    assert.equal(transport.sent[0]?.headers['prefer'], undefined);
    assert.deepEqual(sinks.kept, [imageBytes('a')]);
  });
});
