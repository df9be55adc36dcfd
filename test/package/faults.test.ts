import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import * as v from 'valibot';
import { ADDRESS_FORMS } from '../../src/demo/faults/alteredTasks.ts';
import { type Fault, parseFaults } from '../../src/demo/faults/faultCatalog.ts';
import { exitCodes } from '../../src/cli/output/output.ts';
import { projectFolder } from '../support/folders.ts';
import { jsonLines, World } from '../support/cli/limner.ts';
import { fuzzRuns } from '../support/fuzzRuns.ts';
import { Random } from '../support/random.ts';

/** Made by `npm run package`. */
const program = join(projectFolder, 'dist/limner.js');

const size = ['--size', '64x64'];
const asynchronous = ['generate', 'a fox', ...size];
const synchronous = [...asynchronous, '--call-style', 'sync'];
const edit = ['edit', 'make it red', '--image', 'original.png', ...size];
const native = ['generate', 'a fox', '--model', 'demo-sketch-a', '--call-style', 'native'];
const stream = ['generate', 'a fox', '--model', 'demo-sketch-a', '--call-style', 'nativeStream'];

type Kind = Readonly<Record<string, unknown>> & { kind: Fault['kind'] };

const pages: readonly Kind[] = [
  { kind: 'blockPage', status: 403 },
  { kind: 'blockPage', status: 200 },
  ...['express', 'expressHtml', 'code', 'nested', 'kubernetes'].map((words): Kind => ({
    kind: 'routeNotFound',
    words,
  })),
  ...[502, 503, 504].flatMap((status) =>
    ['nginx', 'envoy', 'google', 'noUpstream'].map((page): Kind => ({ kind: 'gatewayError', status, page })),
  ),
  { kind: 'gatewayError', status: 503, when: 'before', retryAfter: 1 },
];
const waits: readonly object[] = [
  {},
  { retryAfter: 1 },
  { retryAfter: 1, asDate: true },
  { retryAfter: 1, asDate: true, skew: 3_600_000 },
  { retryAfter: 'soon' },
  { retryAfter: '-5' },
  { retryAfter: '1e99' },
  { retryAfter: '' },
];
const busy: readonly Kind[] = [429, 503].flatMap((status) =>
  waits.map((wait) => Object.assign({ kind: 'busy' as const, status }, wait)),
);
const connections: readonly Kind[] = [
  ...['before', 'after', 'body'].map((when): Kind => ({ kind: 'reset', when })),
  ...['length', 'chunked', 'close', 'http1.0'].map((framing): Kind => ({ kind: 'truncate', framing })),
  ...['chunked', 'close', 'http1.0'].map((as): Kind => ({ kind: 'framing', as })),
  ...[100, 102, 103].map((status): Kind => ({ kind: 'interim', status })),
  ...['gzip', 'deflate', 'br'].map((encoding): Kind => ({ kind: 'encoding', encoding })),
  { kind: 'delay', milliseconds: 500 },
];
const mediaTypes: readonly Kind[] = ['text/plain', 'text/html', 'image/png', 'application/octet-stream'].map(
  (contentType) => ({ kind: 'mediaType', contentType }),
);
const submission: readonly Kind[] = [
  ...pages,
  ...busy,
  ...connections,
  ...mediaTypes,
  { kind: 'unauthorized' },
  ...['error', 'unknown', 'revised_prompt'].map((place): Kind => ({ kind: 'longText', in: place })),
];
const query: readonly Kind[] = [
  ...submission,
  { kind: 'framing', as: 'unended' },
  { kind: 'staleNode' },
  ...['empty', 'null', 'absent', 'damaged'].map((data): Kind => ({ kind: 'emptyResult', data })),
  { kind: 'stateWords' },
  { kind: 'stateWords', in_progress: 'RUNNING', completed: 'SUCCESS' },
  ...[1, 40].map((count): Kind => ({ kind: 'extraResults', count })),
  ...ADDRESS_FORMS.map((form): Kind => ({ kind: 'addresses', form })),
];
const image: readonly Kind[] = [
  ...pages,
  ...busy,
  ...connections,
  ...mediaTypes,
  ...[403, 404, 410].map((status): Kind => ({ kind: 'late', status, times: 2 })),
  ...[301, 302, 303, 307, 308].map((status): Kind => ({ kind: 'redirect', status, hops: 3, times: 3 })),
];

/** Which faults meet which request of which call. */
const table: readonly { on: string; faults: readonly Kind[]; call: readonly string[] }[] = [
  { on: 'query', faults: query, call: asynchronous },
  { on: 'image', faults: image, call: asynchronous },
  { on: 'generations', faults: submission, call: asynchronous },
  { on: 'generations', faults: submission, call: synchronous },
  { on: 'edits', faults: submission, call: edit },
  { on: 'native', faults: submission, call: native },
  { on: 'native', faults: connections, call: stream },
];

/** Faults that leave the answer as it is, or the same in other bytes. */
const harmless = new Set<Fault['kind']>(['delay', 'encoding', 'framing', 'interim', 'mediaType']);
/** The HTTP client breaks a connection off where it meets an interim answer that it did not ask for. */
const isHarmless = ({ kind, ...fault }: Kind): boolean => harmless.has(kind) && fault['status'] !== 100;

const Ledger = v.object({
  entries: v.array(v.object({ state: v.string(), imageSha256: v.array(v.string()) })),
});

const seed = Number(process.env['LIMNER_TEST_SEED'] ?? Date.now() % 1_000_000);
const random = new Random(seed);
console.log(`To draw the same again: LIMNER_TEST_SEED=${seed}`);

for (const { on, faults, call } of table) {
  const ofEachKind = [...Map.groupBy(faults, ({ kind }) => kind).values()];
  // One of each kind, in every sixth call.
  const drawn = fuzzRuns(
    ofEachKind.flatMap((all) => (random.below(6) > 0 ? [] : random.pick(all))),
    faults,
  );
  void describe(`limner ${call.join(' ')}`, { concurrency: 6 }, () => {
    for (const fault of drawn) {
      const name = `where ${on} meet ${JSON.stringify(fault)}`;
      void it(`${name} prints one line, saves what it can and says what was billed`, async () => {
        await using world = await World.open({ faults: parseFaults({ on, ...fault }) }, program);
        await world.picture('original.png');
        const { code, stdout, stderr } = await world.run([...call, '--json']);
        const [task, ...more] = jsonLines(stdout);
        assert.ok(task && more.length === 0, stdout);
        const [entry, ...others] = v.parse(Ledger, await world.ask('ledger')).entries;
        assert.deepEqual(others, [], 'a prompt is billed once');
        const saved = await hashesOf(task.files);
        const isHere = entry?.imageSha256.some((hash) => saved.has(hash)) ?? false;
        const what = `exit ${code}: ${stdout}${stderr}`;
        // What meets the questions after it, or the image, costs nothing but time; what lets an answer through, nothing.
        assert.ok(isHere || (on !== 'query' && on !== 'image' && !isHarmless(fault)), what);
        if (isHere) {
          assert.equal(code, exitCodes.ok, what);
        } else if (entry) {
          assert.equal(code, exitCodes.unknown, what);
          assert.equal(task.error?.billing, 'maybe', what);
        } else {
          assert.ok(code === exitCodes.failed || code === exitCodes.unknown, what);
          assert.ok(task.error?.billing === 'no' || task.error?.billing === 'maybe', what);
        }
        assert.equal(task.files.length > 0, isHere, what);
      });
    }
  });
}

async function hashesOf(files: readonly string[]): Promise<Set<string>> {
  const all = await Promise.all(files.map(async (file) => readFile(file)));
  return new Set(all.map((bytes) => hash('sha256', bytes)));
}
