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
import { parseServiceCommand, SERVICE_HELP } from '../../../src/demo/commandLine.ts';
import { FAULT_KINDS } from '../../../src/demo/faults/faultCatalog.ts';
import { eventually } from '../../support/eventually.ts';

const MAIN = fileURLToPath(new URL('../../../src/demo/main.ts', import.meta.url));

const Description = v.strictObject({
  baseUrl: v.pipe(v.string(), v.url()),
  resultHost: v.pipe(v.string(), v.url()),
  apiKeys: v.array(v.string()),
  models: v.array(v.strictObject({ id: v.string(), family: v.picklist(['image', 'native']) })),
});

describe('the flags of the demo service', () => {
  it('may all be left out', () => {
    assert.deepEqual(parseServiceCommand([]), { options: {}, fallBackToFreePort: false, help: false });
  });

  it('set every option', () => {
    const args =
      '--port 1234 --result-port 1235 --task-duration 10 --sync-duration 20 --capacity 0 --workers 3';
    const more = [
      '--clock',
      'frozen',
      '--fault',
      '{"kind":"reset"}',
      '--fault',
      '[{"kind":"stall"}]',
      '--weather',
      '{"seed":7}',
    ];
    const { options, ...command } = parseServiceCommand([
      ...args.split(' '),
      ...more,
      '--idle-exit',
      '60000',
      '--or-free-port',
    ]);
    const common = { on: 'any', times: 1, skip: 0, when: 'after' };
    assert.deepEqual(options, {
      port: 1234,
      resultPort: 1235,
      taskDuration: 10,
      syncDuration: 20,
      capacity: 0,
      workers: 3,
      clock: 'frozen',
      faults: [
        { kind: 'reset', ...common },
        { kind: 'stall', ...common },
      ],
      weather: { seed: 7, share: 0.2, on: ['generations', 'edits', 'native', 'query', 'image'], without: [] },
    });
    assert.deepEqual(command, { fallBackToFreePort: true, idleExit: 60_000, help: false });
  });

  it('are whole numbers within their bounds', () => {
    for (const [flag, lowest, highest] of [
      ['port', 0, 65_535],
      ['result-port', 0, 65_535],
      ['task-duration', 0, 86_400_000],
      ['sync-duration', 0, 86_400_000],
      ['capacity', 0, 1_000_000],
      ['workers', 1, 1000],
      ['idle-exit', 1, 30 * 86_400_000],
    ] as const) {
      const read = (value: string): unknown => parseServiceCommand([`--${flag}=${value}`]);
      for (const value of [lowest, highest]) {
        assert.match(JSON.stringify(read(String(value))), new RegExp(`:${value}[,}]`, 'u'), flag);
      }
      for (const wrong of [lowest - 1, highest + 1, '1.5', '1e3', '', ' 1', '0x1']) {
        assert.throws(() => read(String(wrong)), {
          message: new RegExp(`^--${flag} must be .*${highest}`, 'u'),
        });
      }
    }
    assert.equal(parseServiceCommand(['--clock', 'running']).options.clock, 'running');
    assert.equal(parseServiceCommand(['--help']).help, true);
  });

  it('are told of in lines that fit a window, with all kinds of faults in one column', () => {
    const lines = SERVICE_HELP.split('\n');
    assert.ok(lines.every((line) => line.length <= 130));
    const first = lines.findIndex((line) => line.includes('with one of the kinds')) + 1;
    const rows = lines.slice(
      first,
      lines.findIndex((line, index) => index > first && /^ {2}\S/u.test(line)),
    );
    const column = lines[first]?.search(/\S/u);
    assert.ok(rows.length > 1 && rows.every((row) => row.search(/\S/u) === column));
    assert.deepEqual(rows.join(' ').trim().split(/\s+/u), Object.keys(FAULT_KINDS));
  });

  it('are refused when they make no sense', () => {
    for (const args of [
      ['--port', 'http'],
      ['--port', '70000'],
      ['--workers', '0'],
      ['--task-duration', '-5'],
      ['--clock', 'slow'],
      ['--fault', '{'],
      ['--fault', '{"kind":"fire"}'],
      ['--weather', '{"seed":"fine"}'],
      ['--unknown'],
      ['stray'],
    ]) {
      assert.throws(() => parseServiceCommand(args), Error, args.join(' '));
    }
  });
});

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
    await promisify(execFile)(process.execPath, [MAIN, '--idle-exit', '1']);
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
    assert.deepEqual(await ended, [0, null]);
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
    assert.deepEqual(await once(program, 'exit'), [0, null]);
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
