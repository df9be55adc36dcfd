import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import * as v from 'valibot';
import type { CallStyleSetting } from '../../../../src/common/requestValues.ts';
import { Interruption } from '../../../../src/cli/commands/interruption.ts';
import { readRequest } from '../../../../src/cli/commands/readRequest.ts';
import { watch } from '../../../../src/cli/commands/watch.ts';
import { readEnvironment } from '../../../../src/cli/setup/environment.ts';
import { startDemoService } from '../../../../src/demo/endpoints/demoService.ts';
import { parseFaults } from '../../../../src/demo/faults/faultCatalog.ts';
import { HABITS } from '../../../../src/demo/faults/habitCatalog.ts';
import { openEngine } from '../../../../src/engine/run/engine.ts';
import { FetchTransport } from '../../../../src/service/http/fetchTransport.ts';
import { HttpsTransport } from '../../../../src/service/http/httpsTransport.ts';
import { defaultSettings } from '../../../../src/engine/task/ports.ts';
import { Collected } from '../../../support/cli/collected.ts';
import { fastClock } from '../../../support/engine/world.ts';
import { within } from '../../../support/eventually.ts';
import { pngFile } from '../../../support/images/pngFile.ts';
import { memoryFolder } from '../../../support/memoryFolder.ts';

const apiKey = 'demo-key-ada';

type Style = 'async' | 'sync' | 'native' | 'nativeStream' | 'edit' | 'asyncEdit';

/** What a user must get from a service with a habit. */
interface Row {
  styles: readonly Style[];
  /** Parameters of the habit. */
  given?: object;
  /** Further habits. */
  and?: readonly object[];
  prompt?: string;
  n?: number;
  model?: string;
  /** `LIMNER_MODELS`. */
  models?: object[];
  /** How fast time passes; slower where work takes a part of it. */
  pace?: number;
  /** Any, if absent. */
  exit?: number;
  /** The files: every image that was billed, the first of them, as many as came in whatever form, or none; any if absent. */
  saves?: 'billed' | 'first' | 'none' | number;
  code?: string;
  says?: readonly RegExp[];
  neverSays?: RegExp;
  /** The name before the base64 in an answer that is kept, and whose path is said. */
  keeps?: string;
}

const all = { exit: 0, saves: 'billed' } as const;
const nothing = { exit: 1, saves: 'none' } as const;
/** A service that doesn't know `Prefer` answers at once. */
const atOnce: readonly Style[] = ['sync', 'async', 'edit'];
const natives: readonly Style[] = ['native', 'nativeStream'];
const anotherPrompt = /another prompt/iu;
const polled = { on: 'query' };

const shape: Row = { styles: ['sync'], ...all };
const polledShape: Row = { styles: ['async'], given: polled, ...all };

const rows: Record<string, readonly Row[]> = {
  // Other images than those that were asked for.
  fewerImages: [
    { styles: ['sync', 'async'], n: 4, exit: 1, saves: 'billed', says: [/1 of 4/u] },
    { styles: ['native'], n: 2, given: { times: 1 }, exit: 1, saves: 1, says: [/1 of 2/u] },
  ],
  someErrors: [
    {
      styles: ['sync', 'async'],
      n: 3,
      exit: 1,
      saves: 'billed',
      says: [/2 of 3/u, /may contain sensitive information/u],
    },
    { styles: ['sync', 'async'], ...nothing, says: [/may contain sensitive information/u] },
    {
      styles: ['sync'],
      given: { code: 'quota', message: 'insufficient balance' },
      ...nothing,
      says: [/insufficient balance/u],
      neverSays: anotherPrompt,
    },
  ],
  sameTwice: [{ styles: ['sync', 'async', 'native'], ...all }],
  thoughtFirst: [{ styles: natives, ...all, neverSays: /Planning/u }],
  thoughtOnly: [{ styles: ['native'], ...all }],
  partialEvents: [
    { styles: atOnce, ...all },
    { styles: ['sync'], n: 2, ...all },
  ],
  partialOnly: [{ styles: ['sync'], saves: 'billed', exit: 1, says: [/draft/u] }],
  errorEvent: [{ styles: ['sync'], exit: 1, says: [/overloaded/u], neverSays: anotherPrompt }],

  // Images in other places.
  dataImageUrls: [{ ...shape, styles: atOnce, n: 2 }, polledShape],
  imagesUrl: [shape, polledShape],
  imagesDataUrls: [shape, polledShape],
  outputImages: [{ ...shape, styles: ['async'] }, polledShape],
  outputUrls: [shape, polledShape],
  resultData: [shape, polledShape],
  urlDataUrl: [shape],
  imageBase64: [shape],
  wrappedTask: [{ styles: ['async'], ...all }],
  outputTask: [{ styles: ['async'], ...all }],
  rawImage: [{ ...shape, styles: ['async', 'edit'] }, polledShape],
  fileUri: [
    { styles: natives, ...all },
    { styles: ['native'], given: { snakeCase: true }, ...all },
  ],
  fileUriBeside: [{ styles: ['native'], ...all }],
  fileUriElsewhere: [{ styles: ['native'], exit: 1, saves: 'first', says: [/gs:\/\/demo-bucket\/second/u] }],
  markdownText: [{ styles: natives, ...all }],
  zstd: [{ styles: ['sync', 'async', 'native'], ...all }],

  // Tasks with other names and places.
  taskId: [{ styles: ['async'], ...all }],
  dataTaskId: [
    { styles: ['async'], ...all },
    { styles: ['async'], given: { status: 202 }, ...all },
  ],
  dataListTaskId: [
    { styles: ['async'], ...all },
    { styles: ['async'], and: [{ kind: 'habit', name: 'wrappedTask' }], ...all },
  ],
  outputTaskId: [
    { styles: ['async'], ...all },
    { styles: ['async'], and: [{ kind: 'habit', name: 'outputTask' }], ...all },
  ],
  locationOnly: [{ styles: ['async', 'asyncEdit'], ...all }],
  locationAbroad: [{ styles: ['async'], ...all }],
  otherTaskPath: [
    { styles: ['async'], models: [{ id: 'demo-painter', taskPath: '/v1/tasks/{id}' }], ...all },
  ],

  // Reasons in other places.
  errorCode: [
    {
      styles: ['sync', 'async'],
      ...nothing,
      says: [/The image provider did not answer/u],
      neverSays: anotherPrompt,
    },
  ],
  codeMessage: [
    {
      styles: ['sync'],
      ...nothing,
      code: 'quota_exceeded',
      says: [/insufficient balance/u],
      neverSays: anotherPrompt,
    },
  ],
  baseResp: [
    {
      styles: ['sync'],
      ...nothing,
      code: 'quota_exceeded',
      says: [/insufficient balance/u],
      neverSays: anotherPrompt,
    },
  ],
  successFalse: [
    {
      styles: ['sync'],
      ...nothing,
      code: 'content_rejected',
      says: [/blocked by the safety system/u],
    },
  ],
  failReason: [
    failing(/The upstream model is not available/u),
    {
      styles: ['async'],
      prompt: 'a red fox demo:fail',
      given: { message: 'The prompt violates our content policy.' },
      ...nothing,
      code: 'content_rejected',
      says: [/violates our content policy/u],
    },
  ],
  failedMessage: [failing(/The input image could not be downloaded/u)],
  errorText: [failing(/CUDA out of memory/u)],
  failureReason: [failing(/The worker was lost/u)],
  googleDetails: [
    { styles: natives, ...nothing, code: 'content_rejected', says: [/UNSAFE_GENERATION/u] },
    {
      styles: ['native'],
      given: { reason: 'API_KEY_SERVICE_BLOCKED' },
      ...nothing,
      says: [/API_KEY_SERVICE_BLOCKED/u],
      neverSays: anotherPrompt,
    },
  ],
  noImage: [{ styles: natives, ...nothing, says: [/NO_IMAGE/u, /ask for an image/iu] }],
  imageOther: [{ styles: ['native'], ...nothing, says: [/Unable to show the generated image/u] }],
  maxTokens: [{ styles: ['native'], ...nothing, says: [/MAX_TOKENS/u], neverSays: anotherPrompt }],
  blockedPrompt: [
    { styles: ['native'], ...nothing, code: 'content_rejected', says: [/blocked by the safety system/u] },
  ],
  keepAlive: [{ styles: ['sync', 'async', 'native'], ...all }],
  keepAliveError: [
    { styles: ['sync', 'native'], ...nothing, says: [/overloaded/u], neverSays: anotherPrompt },
  ],

  // Images that come late or never.
  keyedImages: [
    {
      styles: ['async'],
      ...nothing,
      says: [/\bkey\b/u, /http:\/\/127\.0\.0\.1:\d+\/api\/async-images\/\w+\.png/u],
    },
  ],
  forbiddenImages: [
    {
      styles: ['async'],
      ...nothing,
      says: [/403/u, /http:\/\/127\.0\.0\.1:\d+\/api\/async-images\/\w+\.png/u],
    },
  ],
  completedFirst: [
    { styles: ['async'], given: { times: 3 }, ...all },
    { styles: ['async'], ...nothing, says: [/(?:without|no) (?:an )?image/u], neverSays: anotherPrompt },
  ],
  imagesFirst: [
    { styles: ['async'], given: { times: 2 }, ...all },
    { styles: ['async'], ...all },
  ],
  otherStates: [{ styles: ['async'], ...all }],

  // Other files.
  // A check has ten seconds of such a clock.
  damagedPicture: [
    { styles: ['sync', 'native'], pace: 1, exit: 1, saves: 1, says: [/damaged/u] },
    { styles: ['async'], given: { on: 'image' }, pace: 5, exit: 1, saves: 1, says: [/damaged/u] },
    { styles: ['sync'], model: 'demo-painter-direct', pace: 1, exit: 1, saves: 1, says: [/damaged/u] },
  ],
  svgFile: [otherFile(/SVG/u, /\.svg\b/u)],
  avifFile: [otherFile(/AVIF/u, /\.avif\b/u)],
  gifFile: [otherFile(/GIF/u, /\.gif\b/u)],
  trailingBytes: [{ styles: ['sync', 'async', 'native'], exit: 0, saves: 1 }],
  turnedPicture: [{ styles: ['sync', 'async'], exit: 0, saves: 1 }],
};

/** A task that fails, whose reason has nothing to do with its prompt. */
function failing(reason: RegExp): Row {
  return {
    styles: ['async'],
    prompt: 'a red fox demo:fail',
    ...nothing,
    says: [reason],
    neverSays: anotherPrompt,
  };
}

/** A file that Limner cannot finish, and keeps. */
function otherFile(format: RegExp, extension: RegExp): Row {
  return { styles: ['sync', 'async'], exit: 1, saves: 'none', says: [format, extension] };
}

describe('limner, at a service with the habit of another one', { concurrency: 4 }, () => {
  for (const [name, cases] of Object.entries(rows)) {
    for (const row of cases) {
      for (const style of row.styles) {
        const words = [name, style, row.n, row.model, row.given, row.and].filter(
          (part) => part !== undefined,
        );
        it(
          words.map((word) => (typeof word === 'object' ? JSON.stringify(word) : word)).join(' '),
          async () => {
            await check(name, row, style);
          },
        );
      }
    }
  }

  it('is tried with every habit there is', () => {
    assert.deepEqual(Object.keys(rows).toSorted(), Object.keys(HABITS).toSorted());
  });
});

async function check(name: string, row: Row, style: Style): Promise<void> {
  const habits = [{ kind: 'habit', name, ...row.given }, ...(row.and ?? [])];
  await using world = await World.open(habits);
  const { n = 1 } = row;
  const { code, said, line } = await world.run(style, row);
  const task = v.parse(taskLine, JSON.parse(line));
  const words = [...said, line].join('\n');
  for (const says of row.says ?? []) {
    assert.match(words, says);
  }
  if (row.neverSays !== undefined) {
    assert.doesNotMatch(words, row.neverSays);
  }
  assert.equal(words.includes(apiKey), false);
  assert.doesNotMatch(words, /[\w+/]{120}/u, 'base64 is nothing that a person reads');
  assert.equal(await world.posts(), style === 'native' || style === 'nativeStream' ? n : 1);
  if (row.code !== undefined) {
    assert.equal(task.error?.code, row.code);
  }
  const billed = await world.billed();
  const files = await Promise.all(task.files.map(async (path) => hash('sha256', await readFile(path))));
  switch (row.saves) {
    case undefined:
      break;
    case 'none':
      assert.deepEqual(files, []);
      break;
    case 'billed':
      assert.ok(billed.length > 0, words);
      assert.deepEqual(files, billed, words);
      break;
    case 'first':
      assert.deepEqual(files, billed.slice(0, 1), words);
      break;
    default:
      assert.equal(files.length, row.saves, words);
  }
  // The first image has the plain name, and no other file lies beside these.
  const extension = row.model === 'demo-painter-direct' ? 'jpg' : 'png';
  const names = files.map((_, index) => `a-red-fox${index === 0 ? '' : `-${index + 1}`}.${extension}`);
  assert.deepEqual(await world.files(extension), names.toSorted());
  assert.equal(code, row.exit ?? code, words);
  const { asked, received = 0, missing = -1 } = task;
  assert.equal(asked, n);
  assert.ok(received >= files.length);
  assert.ok(missing === Math.max(0, n - received) || missing === Math.max(0, n - files.length));
  if (row.keeps !== undefined) {
    const kept = await world.keptAnswer(words);
    const [, base64 = ''] = new RegExp(`"${row.keeps}":"([^"]*)"`, 'u').exec(kept) ?? [];
    assert.deepEqual([hash('sha256', Buffer.from(base64, 'base64'))], billed);
    assert.equal(kept.includes(apiKey), false);
  }
}

const silent = (): void => undefined;

const taskLine = v.object({
  files: v.array(v.string()),
  asked: v.optional(v.number()),
  received: v.optional(v.number()),
  missing: v.optional(v.number()),
  error: v.optional(v.object({ code: v.string() })),
});
const ledger = v.object({ entries: v.array(v.object({ imageSha256: v.array(v.string()) })) });
const requests = v.object({ requests: v.array(v.object({ method: v.string() })) });

/** A demo service with habits, and the command line in this process, for which time flies. */
class World {
  readonly #demo: Awaited<ReturnType<typeof startDemoService>>;
  readonly #root: string;
  readonly #folder: string;

  private constructor(demo: Awaited<ReturnType<typeof startDemoService>>, root: string) {
    this.#demo = demo;
    this.#root = root;
    this.#folder = join(root, 'work');
  }

  static async open(habits: readonly object[]): Promise<World> {
    const faults = parseFaults(habits);
    const demo = await startDemoService({ taskDuration: 0, syncDuration: 0, faults });
    const world = new World(demo, await mkdtemp(join(memoryFolder, 'limner-habits-')));
    await mkdir(world.#folder);
    return world;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#demo.dispose();
    await rm(this.#root, { recursive: true, force: true });
  }

  /** Runs a command to its end, as with `--json`. */
  async run(
    style: Style,
    { prompt = 'a red fox', n = 1, models, pace = 500, ...row }: Row,
  ): Promise<{ code: number; said: string[]; line: string }> {
    const isNative = style === 'native' || style === 'nativeStream';
    const input = join(this.#root, 'input.png');
    await writeFile(input, square);
    const environment = readEnvironment(
      {
        LIMNER_BASE_URL: this.#demo.baseUrl,
        LIMNER_API_KEY: apiKey,
        LIMNER_HOME: join(this.#root, 'home'),
        ...(models && { LIMNER_MODELS: JSON.stringify(models) }),
      },
      process.platform,
    );
    const output = new Collected(true);
    const say = (line: string): void => output.say(line);
    const engine = await openEngine({
      home: environment.home,
      transports: {
        posts: new HttpsTransport(),
        polls: new FetchTransport(),
        downloads: new HttpsTransport(),
      },
      keys: { get: async () => Promise.resolve(apiKey), onDidChange: () => ({ dispose: silent }) },
      settings: () => defaultSettings,
      log: { trace: silent, debug: silent, info: silent, warn: say, error: say },
      clock: fastClock(pace),
    });
    const interruption = new Interruption(output);
    const isEdit = style === 'edit' || style === 'asyncEdit';
    const callStyle: CallStyleSetting = style === 'edit' ? 'sync' : isEdit ? 'async' : style;
    try {
      const request = await readRequest(
        prompt,
        {
          model: row.model ?? (isNative ? 'demo-sketch-a' : 'demo-painter'),
          n,
          callStyle,
          folder: this.#folder,
          name: 'a-red-fox',
          ...(!isNative && { size: '64x64' }),
          ...(isEdit && { image: [input] }),
        },
        environment,
      );
      const { id } = await engine.runner.start(request);
      const code = await within(
        'limner ends',
        watch([id], { engine, output, interruption }),
        () => output.said,
      );
      const [line = ''] = output.results;
      return { code, said: output.said, line };
    } finally {
      await engine.dispose();
      interruption.dispose();
    }
  }

  async posts(): Promise<number> {
    const log = v.parse(requests, await this.#ask('requests'));
    return log.requests.filter(({ method }) => method === 'POST').length;
  }

  /** The hashes of the images that were billed, in order. */
  async billed(): Promise<string[]> {
    return v.parse(ledger, await this.#ask('ledger')).entries.flatMap(({ imageSha256 }) => imageSha256);
  }

  /** What is in the file whose path is said. */
  async keptAnswer(words: string): Promise<string> {
    const path = words.split(/[\s"]+/u).find((word) => word.startsWith(this.#root)) ?? '';
    assert.notEqual(path, '', `${words}\nsays where the answer is`);
    return readFile(path.replace(/[.,;]$/u, ''), 'utf8');
  }

  async files(extension: string): Promise<string[]> {
    return (await readdir(this.#folder)).filter((name) => name.endsWith(`.${extension}`)).toSorted();
  }

  async #ask(what: string): Promise<unknown> {
    return (await fetch(`${this.#demo.baseUrl}/demo/${what}`)).json();
  }
}

const square = pngFile({
  width: 64,
  height: 64,
  bitDepth: 8,
  colourType: 0,
  lines: Array.from({ length: 64 }, () => [0, ...Array.from({ length: 64 }, (_, x) => x)]).flat(),
});
