import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, afterEach, before, describe, it } from 'node:test';
import { zstdDecompressSync } from 'node:zlib';
import sharp from 'sharp';
import * as v from 'valibot';
import { parseFaults } from '../../../../src/demo/faults/faultCatalog.ts';
import { HABITS } from '../../../../src/demo/faults/habitCatalog.ts';
import { HostileWorld } from '../../../support/demo/hostileWorld.ts';
import { ask } from '../../../support/demo/rawRequest.ts';
import { projectFolder } from '../../../support/folders.ts';
import { pngFile } from '../../../support/images/pngFile.ts';

type Call = 'sync' | 'async' | 'edit' | 'query' | 'native' | 'stream' | 'image';

/** What a caller gets: the values of its JSON or its events, its text, and the bytes. */
interface Seen {
  status: number;
  headers: Headers;
  bytes: Buffer;
  json: unknown;
  /** What the ledger calls it. */
  id: string;
}

interface Row {
  calls: readonly Call[];
  /** Parameters of the habit. */
  given?: object;
  prompt?: string;
  n?: number;
  /** 200 unless said. */
  status?: number;
  /** The body, with base64 and addresses shortened. */
  says?: RegExp;
  /** Where the pictures are: names on the way to them; those in lists all count. */
  pictures?: string;
  /** Which of the billed pictures these are; by default all in their order. */
  of?: (billed: readonly string[]) => readonly string[];
  /** How many were billed; one unless said, none where there is no picture. */
  billed?: number;
  also?: (seen: Seen, world: HostileWorld) => Promise<void> | void;
  /** Compares the file with the one that is painted without the habit. */
  file?: (file: Buffer, painted: Buffer) => Promise<void> | void;
  model?: string;
}

const image: readonly Call[] = ['sync', 'query'];
/** A stream is read like a single answer, and painting takes time. */
const once: readonly Call[] = ['native'];
const parts = 'candidates.content.parts';
const inline = `${parts}.inlineData.data`;

const shapes: Record<string, Row> = {
  dataImageUrls: { calls: image, pictures: 'data.image_urls', says: /"base_resp":\{"status_code":0,/u, n: 2 },
  imagesUrl: { calls: image, pictures: 'images.url', n: 2 },
  imagesDataUrls: { calls: image, pictures: 'images' },
  outputImages: { calls: image, pictures: 'output.images', says: /"status":"COMPLETED"/u },
  outputUrls: { calls: image, pictures: 'output', says: /"output":\["http/u },
  resultData: { calls: image, pictures: 'result.data.url', says: /"object":"generation\.task"/u },
  urlDataUrl: { calls: image, pictures: 'data.url', says: /"url":"data:/u },
  imageBase64: { calls: image, pictures: 'data.image_base64' },
  wrappedTask: { calls: ['query'], pictures: 'data.data.url', says: /^\{"code":200,/u },
  outputTask: { calls: ['query'], pictures: 'output.results.url', says: /"task_status":"SUCCEEDED"/u },
  rawImage: {
    calls: image,
    also: async ({ headers, bytes }, world) => {
      assert.equal(headers.get('content-type'), 'image/png');
      assert.deepEqual([hash('sha256', bytes)], await billed(world));
    },
  },
  fileUri: { calls: once, pictures: `${parts}.fileData.fileUri` },
  fileUriBeside: {
    calls: once,
    given: { snakeCase: true },
    pictures: `${parts}.file_data.file_uri`,
    billed: 2,
    of: ([, second = '']) => [second],
    says: /"inlineData".*"mime_type":"image\/png"/su,
  },
  fileUriElsewhere: {
    calls: once,
    pictures: inline,
    billed: 2,
    of: ([first = '']) => [first],
    says: /"fileUri":"gs:/u,
  },
  markdownText: {
    calls: once,
    says: /!\[image\]\(data:image\/png;base64,/u,
    also: async ({ json }, world) => {
      const text = valuesAt(json, `${parts}.text`).map(String).join('');
      const [, base64 = ''] = /base64,([^)]*)/u.exec(text) ?? [];
      assert.deepEqual([hash('sha256', Buffer.from(base64, 'base64'))], await billed(world));
    },
  },
};

const amounts: Record<string, Row> = {
  fewerImages: { calls: ['sync', 'edit'], n: 4, pictures: 'data.b64_json', billed: 1 },
  someErrors: {
    calls: ['sync', 'edit'],
    n: 3,
    pictures: 'data.b64_json',
    billed: 2,
    says: /\},\{"error":\{"code":"OutputImageSensitiveContentDetected"/u,
  },
  sameTwice: { calls: ['sync', 'edit'], pictures: 'data.b64_json', of: ([first = '']) => [first, first] },
  thoughtFirst: {
    calls: once,
    pictures: inline,
    says: /"thought":true,"text".*"thought":true,"inlineData"/su,
    of: (all) => [DRAFT_HASH, ...all],
  },
  thoughtOnly: { calls: once, pictures: inline, says: /"thought":true,"inlineData"/u },
  partialEvents: {
    calls: ['sync', 'async'],
    n: 2,
    pictures: 'b64_json',
    billed: 2,
    of: (all) => [DRAFT_HASH, ...all],
    says: /^event: image_generation\.partial_image\ndata: .*\n\nevent: image_generation\.completed\n/u,
  },
  partialOnly: {
    calls: ['edit'],
    pictures: 'b64_json',
    says: /^event: image_edit\.partial_image\n[^\n]*\n\n$/u,
  },
  errorEvent: {
    calls: ['sync'],
    says: /^event: image_generation\.partial_image\n.*event: error\ndata: \{"type":"error","error":\{.*overloaded/su,
  },
};

const accepted = (says: RegExp, status = 200): Row => ({
  calls: ['async'],
  status,
  says,
  billed: 0,
  also: async ({ headers, id }, { client }) => {
    assert.equal(headers.get('location'), null);
    assert.equal((await client.query(id)).id, id);
  },
});

const taskIds: Record<string, Row> = {
  taskId: accepted(/^\{"task_id":"task_\w+","status":"submitted"\}$/u),
  dataTaskId: { ...accepted(/"data":\{"task_id":"task_\w+"\}/u, 202), given: { status: 202 } },
  dataListTaskId: accepted(/"data":\[\{"status":"submitted","task_id":"task_\w+"\}\]/u),
  outputTaskId: accepted(/"output":\{"task_id":"task_\w+"/u),
  locationOnly: {
    calls: ['async'],
    status: 202,
    says: /^\{\}$/u,
    billed: 0,
    also: ({ headers }, world) => movedTo(headers.get('location') ?? '', world),
  },
  otherTaskPath: {
    calls: ['async'],
    status: 202,
    says: /^\{"id":"task_\w+","status":"queued"\}$/u,
    billed: 0,
    also: ({ headers, id }, world) => {
      assert.equal(headers.get('location'), null);
      return movedTo(`/v1/tasks/${id}`, world);
    },
  },
  locationAbroad: {
    calls: ['async'],
    status: 202,
    says: /^\{\}$/u,
    billed: 0,
    also: async ({ headers }, { client }) => {
      const [, id = ''] =
        /^https:\/\/tasks\.invalid\/v1\/tasks\/(.*)$/u.exec(headers.get('location') ?? '') ?? [];
      assert.equal((await client.query(id)).id, id);
    },
  },
};

const told = (calls: readonly Call[], says: RegExp, row: Partial<Row> = {}): Row => ({
  calls,
  says,
  billed: 0,
  ...row,
});
const failed = (says: RegExp): Row => told(['query'], says, { prompt: 'demo:fail' });

const reasons: Record<string, Row> = {
  errorCode: told(['sync', 'edit'], /^\{"error_code":"BAD_GATEWAY","detail":"The image/u),
  codeMessage: told(['sync', 'edit'], /^\{"code":"E7","message":"insufficient balance","data":null\}$/u, {
    given: { code: 'E7' },
  }),
  baseResp: told(['sync'], /"base_resp":\{"status_code":1008,"status_msg":"No\."\}/u, {
    given: { message: 'No.' },
  }),
  successFalse: told(['edit'], /^\{"success":false,"code":"content_moderation","message":"The prompt/u),
  failReason: failed(/"status":"failed".*"fail_reason":"The upstream/u),
  failedMessage: failed(/"status":"FAILED".*"code":"InvalidParameter.*","message":"The input/u),
  errorText: failed(/"error":"CUDA out of memory"/u),
  failureReason: failed(/"failure_reason":"The worker/u),
  googleDetails: told(once, /"details":\[\{.*"reason":"PUBLIC_ERROR_UNSAFE_GENERATION"/u, { status: 400 }),
  noImage: told(once, /"finishReason":"NO_IMAGE","finishMessage":"The model/u),
  imageOther: told(once, /"finishReason":"IMAGE_OTHER","finishMessage":"Unable/u),
  maxTokens: told(once, /"text":"Let me .*"finishReason":"MAX_TOKENS"/u),
  blockedPrompt: told(once, /"blockReason":"PROHIBITED_CONTENT","blockReasonMessage":"The prompt/u),
  keepAlive: { calls: ['sync', 'edit'], pictures: 'data.b64_json', says: /^( \n){3}\{/u },
  keepAliveError: told(['sync', 'native'], /^( \n){3}\{"error":\{"message":"The upstream/u),
};

const waiting: Record<string, Row> = {
  keyedImages: { calls: ['image'], status: 401, says: /"error"/u },
  forbiddenImages: { calls: ['image'], status: 403, says: /AccessDenied/u },
  completedFirst: { calls: ['query'], says: /^(?=.*"status":"completed")(?!.*"data")/u },
  imagesFirst: {
    calls: ['query'],
    pictures: 'data.url',
    says: /"status":"in_progress".*"progress":"100%"/u,
  },
  otherStates: {
    calls: ['async'],
    status: 202,
    billed: 0,
    says: /"status":"NOT_START"/u,
    also: async ({ id }, world) => {
      assert.match((await world.query(id)).body.toString(), /"status":"unknown"/u);
      await world.client.service.advance(1000);
      assert.match((await world.query(id)).body.toString(), /"status":"completed"/u);
    },
  },
};

/** Other files than those that are painted, at their addresses and inline. */
const file = (check: NonNullable<Row['file']>): Row => ({ calls: ['image', 'sync'], file: check });

const files: Record<string, Row> = {
  damagedPicture: file((bytes, painted) => {
    assert.equal(bytes.length, painted.length);
    assert.ok(!bytes.equals(painted));
    assert.deepEqual(bytes.subarray(0, 60), painted.subarray(0, 60));
    assert.deepEqual(bytes.subarray(-60), painted.subarray(-60));
  }),
  svgFile: file((bytes, painted) => {
    assert.ok(bytes.toString().startsWith('<svg '));
    assert.ok(bytes.toString().includes(`data:image/png;base64,${painted.toString('base64')}`));
  }),
  avifFile: file(async (bytes) => assert.equal((await sharp(bytes).metadata()).format, 'heif')),
  gifFile: file(async (bytes) => assert.equal((await sharp(bytes).metadata()).format, 'gif')),
  trailingBytes: file((bytes, painted) => assert.deepEqual(bytes.subarray(0, -100), painted)),
  turnedPicture: file(async (bytes, painted) => {
    const [turned, upright] = [await sharp(bytes).metadata(), await sharp(painted).metadata()];
    assert.deepEqual([turned.orientation, turned.width], [6, upright.width]);
    assert.deepEqual(await sharp(bytes).raw().toBuffer(), await sharp(painted).raw().toBuffer());
  }),
};

const rows = { ...shapes, ...amounts, ...taskIds, ...reasons, ...waiting, ...files };

describe('the demo service with a habit of another service', () => {
  let world: HostileWorld;
  before(async () => {
    world = await HostileWorld.start();
  });
  after(() => world.stop());
  afterEach(() => world.calm());

  for (const [name, row] of Object.entries(rows)) {
    for (const call of row.calls) {
      it(`${name}: ${call}`, async () => {
        const habit = { kind: 'habit', name, ...row.given };
        const seen = await made(world, call, row, habit);
        assert.equal(seen.status, row.status ?? 200, shortened(seen.bytes));
        if (row.says !== undefined) {
          assert.match(shortened(seen.bytes), row.says);
        }
        if (row.pictures !== undefined) {
          const all = await billed(world);
          const pictures = await Promise.all(valuesAt(seen.json, row.pictures).map(hashOfPicture));
          assert.deepEqual(pictures, row.of?.(all) ?? all);
          assert.equal(all.length, row.billed ?? (call === 'query' ? 1 : (row.n ?? 1)));
        }
        await row.also?.(seen, world);
        if (row.file !== undefined) {
          await world.calm();
          await row.file(await onlyFile(seen, call), await onlyFile(await made(world, call, row), call));
        }
      });
    }
  }

  it('is asked for by one of these names, each described in docs/service.md', async () => {
    assert.deepEqual([...Object.keys(rows), 'zstd'].toSorted(), Object.keys(HABITS).toSorted());
    const page = await readFile(join(projectFolder, 'docs/service.md'), 'utf8');
    for (const [name, habit] of Object.entries(HABITS)) {
      assert.equal(habit.name, name);
      assert.ok(page.includes(`| \`${name}\` |`), name);
    }
    assert.throws(() => parseFaults({ kind: 'habit', name: 'none' }));
    assert.throws(() => parseFaults({ kind: 'habit', name: 'fileUri', on: 'query' }));
  });

  it('keeps it until it is removed, or for as many requests as it is told', async () => {
    const { id } = await world.completedTask();
    const images = async (): Promise<boolean> => (await world.query(id)).body.includes('"data"');
    await world.switchOn({ kind: 'habit', name: 'completedFirst' });
    assert.deepEqual([await images(), await images(), await images()], [false, false, false]);
    await world.calm();
    await world.switchOn({ kind: 'habit', name: 'completedFirst', times: 2 });
    assert.deepEqual([await images(), await images(), await images()], [false, false, true]);
  });

  it('makes fewer in a task, and a native call without an image; bills what it made', async () => {
    await world.switchOn({ kind: 'habit', name: 'fewerImages', images: 2 });
    const { urls } = await world.completedTask(4);
    assert.deepEqual(await Promise.all(urls.map(hashOfPicture)), await billed(world));
    assert.equal(urls.length, 2);
    const { json } = await made(world, 'native', {});
    assert.deepEqual(
      [valuesAt(json, inline), valuesAt(json, `${parts}.text`).length, await billed(world)],
      [[], 1, []],
    );
  });

  it('lists errors among the images of a task, or nothing else', async () => {
    await world.switchOn({ kind: 'habit', name: 'someErrors', errors: 2, message: 'Too red.' });
    const { id } = await world.client.submit({ n: 3 });
    await world.client.service.advance(1000);
    const answer: unknown = JSON.parse((await world.query(id)).body.toString());
    assert.deepEqual(valuesAt(answer, 'data.error.message'), ['Too red.', 'Too red.']);
    assert.deepEqual(await Promise.all(valuesAt(answer, 'data.url').map(hashOfPicture)), await billed(world));
    const { json } = await made(world, 'sync', { n: 2 });
    assert.deepEqual([valuesAt(json, 'data.b64_json'), await billed(world)], [[], []]);
  });

  it('compresses with zstd, though it was not asked for', async () => {
    const { urls } = await world.completedTask();
    await world.switchOn({ kind: 'habit', name: 'zstd' });
    const { headers, body } = await ask(urls[0] ?? '');
    assert.equal(headers['content-encoding'], 'zstd');
    assert.deepEqual([hash('sha256', zstdDecompressSync(body))], await billed(world));
  });
});

/** Makes a call, with the habit from then on; a query and an image are of a task that was completed before. */
async function made(
  world: HostileWorld,
  call: Call,
  { prompt = 'a quiet sea', n = 1, model = 'demo-painter' }: Partial<Row>,
  habit?: object,
): Promise<Seen> {
  const { client } = world;
  const response = async (): Promise<{ response: Response; id?: string }> => {
    if (call === 'query' || call === 'image') {
      const { id } = await client.submit({ prompt, model, n: call === 'query' ? 1 : n });
      await client.service.advance(1000);
      const url = (await client.query(id)).data?.[0]?.url ?? '';
      await (habit && world.switchOn(habit));
      return {
        id,
        response: call === 'image' ? await fetch(url) : await client.send(`/v1/images/generations/${id}`),
      };
    }
    await (habit && world.switchOn(habit));
    switch (call) {
      case 'sync':
        return { response: await client.generate({ prompt, model, n }) };
      case 'async':
        return { response: await client.generate({ prompt, model, n }, { prefer: 'respond-async' }) };
      case 'edit':
        return { response: await client.edit({ prompt, model, n: String(n), image: input }) };
      default: {
        const method = call === 'native' ? 'generateContent' : 'streamGenerateContent?alt=sse';
        return {
          response: await client.post(`/v1beta/models/demo-sketch-a:${method}`, {
            contents: [{ role: 'user', parts: [{ text: prompt }] }],
            generationConfig: { responseModalities: ['TEXT', 'IMAGE'] },
          }),
        };
      }
    }
  };
  const { response: given, id } = await response();
  const bytes = Buffer.from(await given.arrayBuffer());
  return {
    status: given.status,
    headers: given.headers,
    bytes,
    json: jsonIn(bytes, given.headers.get('content-type') ?? ''),
    id: id ?? String((await client.ledger()).at(-1)?.['id']),
  };
}

const input = pngFile({
  width: 32,
  height: 32,
  bitDepth: 8,
  colourType: 0,
  lines: Array.from({ length: 33 * 32 }, () => 0),
});
const DRAFT_HASH = hash(
  'sha256',
  Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAABAAAAAQCAIAAACQkWg2AAAACXBIWXMAAAPoAAAD6AG1e1JrAAAAGUlEQVQokWOI6jlBEmIY1dAzGkpRwzVpAAArnq4QfMEQAwAAAABJRU5ErkJggg==',
    'base64',
  ),
);

/** The hashes of the images that were billed last. */
async function billed({ client }: HostileWorld): Promise<string[]> {
  return v.parse(v.array(v.string()), (await client.ledger()).at(-1)?.['imageSha256']);
}

/** Asserts that a task answers at a path, and not at the documented one. */
async function movedTo(path: string, { client }: HostileWorld): Promise<void> {
  const id = /^\/v1\/tasks\/(task_\w+)$/u.exec(path)?.[1] ?? '';
  await client.service.advance(1000);
  const answer = await client.send(path);
  assert.match(await answer.text(), /"status":"completed"/u);
  assert.equal((await client.send(path, { headers: { authorization: 'Bearer demo-key-ben' } })).status, 404);
  assert.equal((await client.send(path, { method: 'POST' })).status, 405);
  assert.equal((await client.send(`/v1/images/generations/${id}`)).status, 404);
}

/** The file that an answer brings. */
async function onlyFile({ bytes, json }: Seen, call: Call): Promise<Buffer> {
  if (call === 'image') {
    return bytes;
  }
  const [base64] = valuesAt(json, call === 'native' ? inline : 'data.b64_json');
  return Promise.resolve(Buffer.from(String(base64), 'base64'));
}

async function hashOfPicture(value: unknown): Promise<string> {
  const text = String(value);
  if (text.startsWith('http:')) {
    return hash('sha256', (await ask(text)).body);
  }
  return hash('sha256', Buffer.from(text.replace(/^data:image\/png;base64,/u, ''), 'base64'));
}

/** Returns the values at the end of names, in every list on the way. */
function valuesAt(value: unknown, names: string): unknown[] {
  return names.split('.').reduce<unknown[]>(
    (values, name) =>
      values.flatMap((one) => {
        const next: unknown =
          typeof one === 'object' && one !== null && name in one
            ? Object.entries(one).find(([key]) => key === name)?.[1]
            : [];
        return next;
      }),
    [value].flat(),
  );
}

/** The JSON of a body, or of its events; undefined if it has none. */
function jsonIn(bytes: Buffer, mediaType: string): unknown {
  const text = bytes.toString();
  switch (mediaType) {
    case 'application/json':
      return JSON.parse(text);
    case 'text/event-stream':
      return text
        .split('\n')
        .flatMap((line) => (line.startsWith('data: ') ? [JSON.parse(line.slice(6)) as unknown] : []));
    default:
      return undefined;
  }
}

function shortened(bytes: Buffer): string {
  return bytes.toString().replaceAll(/[\w+/]{400,}=*/gu, '…');
}
