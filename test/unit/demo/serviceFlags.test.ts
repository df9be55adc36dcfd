import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseServiceCommand, SERVICE_HELP } from '../../../src/demo/commandLine.ts';
import { FAULT_KINDS } from '../../../src/demo/faults/faultCatalog.ts';

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
