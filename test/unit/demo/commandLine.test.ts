import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import * as v from 'valibot';
import { SERVICE_HELP } from '../../../src/demo/endpoints/commandLine.ts';
import { eventually } from '../../support/eventually.ts';

const MAIN = fileURLToPath(new URL('../../../src/demo/endpoints/main.ts', import.meta.url));

const Description = v.strictObject({
  baseUrl: v.pipe(v.string(), v.url()),
  resultHost: v.pipe(v.string(), v.url()),
  apiKeys: v.array(v.string()),
  models: v.array(v.strictObject({ id: v.string(), family: v.picklist(['image', 'native']) })),
});

/** Returns how a program ends that is told to by a signal: Windows has none, and ends it at once. */
function endOf(signal: NodeJS.Signals): [number | null, NodeJS.Signals | null] {
  return process.platform === 'win32' ? [null, signal] : [0, null];
}

describe('the demo service as a program', () => {
  it('prints one line of JSON, serves, and ends when it is told to', async () => {
    const program = spawn(process.execPath, [MAIN], { stdio: ['ignore', 'pipe', 'inherit'] });
    const { baseUrl, apiKeys } = await description(program.stdout);
    const headers = { authorization: `Bearer ${apiKeys[0] ?? ''}` };
    assert.equal((await fetch(`${baseUrl}/v1/images/generations/task_1`, { headers })).status, 404);
    program.kill('SIGTERM');
    await once(program, 'exit');
  });

  it('ends by itself when nobody asks anything of it', async () => {
    // Long before it would look again if it had been given hours.
    await promisify(execFile)(process.execPath, [MAIN, '--idle-exit', '1'], { timeout: 25_000 });
  });

  it('tells of its flags, and serves nothing, when it is asked for help', async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [MAIN, '--help', '--port', '1']);
    assert.equal(stdout, SERVICE_HELP);
  });

  it('says what is wrong with its flags and fails', async () => {
    await assert.rejects(promisify(execFile)(process.execPath, [MAIN, '--workers', 'many']), {
      code: 1,
      stderr: '--workers must be a whole number from 1 to 1000, not many\n',
    });
  });

  it('outlives whoever started it, with nobody left to read its output', async () => {
    const port = String(await freePort());
    // With this, Node writes a line to the standard error for every request.
    const env = { ...process.env, NODE_DEBUG: 'http' };
    const program = spawn(process.execPath, [MAIN, '--port', port], {
      env,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const ended = once(program, 'exit');
    program.stdout.destroy();
    program.stderr.destroy();
    const clock = `http://127.0.0.1:${port}/demo/clock`;
    const up = async (): Promise<boolean> => (await fetch(clock).catch(() => undefined))?.ok === true;
    await eventually('it serves', up, (isUp) => isUp || program.exitCode !== null);
    assert.deepEqual([await up(), await up(), program.exitCode], [true, true, null]);
    program.kill('SIGTERM');
    assert.deepEqual(await ended, endOf('SIGTERM'));
  });

  it('fails on a port that is taken, or takes another where it may', async () => {
    const program = spawn(process.execPath, [MAIN], { stdio: ['ignore', 'pipe', 'inherit'] });
    const { port } = new URL((await description(program.stdout)).baseUrl);
    const run = promisify(execFile);
    await assert.rejects(run(process.execPath, [MAIN, '--port', port, '--idle-exit', '1']), /EADDRINUSE/u);
    const { stdout } = await run(process.execPath, [
      MAIN,
      '--port',
      port,
      '--or-free-port',
      '--idle-exit',
      '1',
    ]);
    assert.notEqual(new URL(v.parse(Description, JSON.parse(stdout)).baseUrl).port, port);
    // As Ctrl+C does.
    program.kill('SIGINT');
    assert.deepEqual(await once(program, 'exit'), endOf('SIGINT'));
  });
});

/** A port that nobody listened on a moment ago. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  assert.ok(address !== null && typeof address === 'object');
  return address.port;
}

/** Reads the description that a program prints in its first line. */
async function description(output: Readable): Promise<v.InferOutput<typeof Description>> {
  for await (const line of createInterface(output)) {
    return v.parse(Description, JSON.parse(line));
  }
  throw new Error('It said nothing.');
}
