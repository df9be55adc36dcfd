/**
 * `npm run late-answer [-- <seconds>]`: whether a call is still answered when the headers come only after 310 s, when
 * many an HTTP client has given up. Every call style that carries its images is waited for, by the engine as the
 * editor runs it and by `dist/limner.js`, all at once. Needs the built bundles.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { makePicture } from './picture.ts';
import { engineModule, openShippedEngine } from './shippedEngine.ts';

const seconds = Number(process.argv[2] ?? 310);
const folder = mkdtempSync(join(tmpdir(), 'limner-late-'));
const picture = makePicture(1000);
const input = join(folder, 'input.png');
writeFileSync(input, picture);

const styles = ['sync', 'edit', 'native', 'nativeStream'] as const;
type Style = (typeof styles)[number];

/** By path: how often it was asked. */
const posts = new Map<string, number>();
const server = createServer((request, response) => {
  const { url = '' } = request;
  posts.set(url, (posts.get(url) ?? 0) + 1);
  request.resume();
  setTimeout(() => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(answerTo(url));
  }, seconds * 1000);
});
server.requestTimeout = 0;
await once(server.listen(0, '127.0.0.1'), 'listening');
const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const started = Date.now();
try {
  await Promise.all(styles.flatMap((style) => [report(style, byEngine), report(style, byCommandLine)]));
  assert.deepEqual(
    [...posts.values()],
    styles.flatMap(() => [1, 1]),
  );
  console.log(`${posts.size} calls, one request each.`);
} finally {
  server.close();
  rmSync(folder, { recursive: true });
}

function answerTo(url: string): string {
  const data = picture.toString('base64');
  if (!url.includes('/v1beta/')) {
    return JSON.stringify({ created: 0, data: [{ b64_json: data }] });
  }
  const parts = [{ inlineData: { mimeType: 'image/png', data } }];
  const body = JSON.stringify({ candidates: [{ content: { role: 'model', parts } }] });
  return url.includes(':stream') ? `data: ${body}\n\n` : body;
}

async function report(style: Style, wait: typeof byEngine): Promise<void> {
  // A path of its own tells the calls apart at the server.
  const out = join(folder, `${wait.name}-${style}`);
  await wait(style, `${origin}/${wait.name}-${style}`, out);
  assert.equal(readdirSync(out).length, 1);
  console.log(`${wait.name}, ${style}: saved after ${Math.round((Date.now() - started) / 1000)} s`);
}

async function byEngine(style: Style, baseUrl: string, out: string): Promise<void> {
  const engine = await openShippedEngine(`${out}-home`);
  const target = pathToFileURL(out).href;
  const task = await engine.runner.start({
    kind: style === 'edit' ? 'edit' : 'generate',
    prompt: 'a patient fox',
    model: 'late',
    family: style.startsWith('native') ? 'native' : 'image',
    callStyle: style === 'edit' ? 'sync' : style,
    ...(style === 'edit' && { images: [await engineModule.describeInput(input)], imageField: 'image' }),
    n: 1,
    baseUrl,
    target: { folder: target, root: target, fileName: '{index}' },
  });
  const { status, error } = await engine.runner.outcome(task.id);
  assert.equal(status, 'completed', error?.message);
  await engine.dispose();
}

async function byCommandLine(style: Style, baseUrl: string, out: string): Promise<void> {
  const isEdit = style === 'edit';
  const command = [isEdit ? 'edit' : 'generate', 'a patient fox', '--folder', out];
  const how = ['--call-style', isEdit ? 'sync' : style, ...(isEdit ? ['--image', input] : [])];
  await promisify(execFile)(
    process.execPath,
    [join(import.meta.dirname, '../dist/limner.js'), ...command, ...how],
    {
      env: {
        ...process.env,
        LIMNER_BASE_URL: baseUrl,
        LIMNER_API_KEY: 'bench',
        LIMNER_MODEL: 'late',
        LIMNER_HOME: `${out}-home`,
      },
    },
  );
}
