import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { describe, it } from 'node:test';
import { openOutput, type Output, type OutputOptions } from '../../../../src/cli/output/output.ts';
import { ManualClock } from '../../../support/manualClock.ts';

interface Terminal {
  isTTY?: boolean;
  columns?: number;
}

/** Standard output and standard error of a process, as files or as a terminal. */
class Streams {
  readonly out: PassThrough & Terminal;
  readonly err: PassThrough & Terminal;

  constructor(terminal: Terminal = {}) {
    this.out = Object.assign(new PassThrough({ encoding: 'utf8' }), terminal);
    this.err = Object.assign(new PassThrough({ encoding: 'utf8' }), terminal);
  }

  open(options: Partial<OutputOptions> = {}): Output {
    return openOutput(this.out, this.err, { canDraw: true, ...options });
  }

  /** What was written to both since the last time. */
  written(): [string, string] {
    return [String(this.out.read() ?? ''), String(this.err.read() ?? '')];
  }
}

describe('what limner prints', () => {
  it('is results on one stream, and all else on the other', () => {
    const streams = new Streams();
    const output = streams.open();
    output.result('fox.png');
    output.say('One image is missing.');
    output.detail('POST /v1/images');
    output.progress('a', () => 'queued', 'a: ');
    assert.deepEqual(streams.written(), ['fox.png\n', 'One image is missing.\na: queued\n']);
    assert.equal(output.json, false);
  });

  it('is safe where it is a terminal, and else as it is: a program may read a path', () => {
    const path = '/w/a\u001b]0;b\u0007c/two  spaces.png';
    for (const [terminal, expected] of [
      [{ isTTY: true }, '/w/a ]0;b c/two  spaces.png\n'],
      [{}, `${path}\n`],
    ] as const) {
      const streams = new Streams(terminal);
      const output = streams.open();
      output.result(path);
      output.say(path);
      assert.deepEqual(streams.written(), [expected, expected]);
    }
  });

  it('has details where they are asked for', () => {
    const streams = new Streams();
    streams.open({ verbose: true }).detail('POST /v1/images');
    assert.deepEqual(streams.written(), ['', 'POST /v1/images\n']);
  });

  it('has no progress beside JSON', () => {
    const streams = new Streams({ isTTY: true, columns: 40 });
    const output = streams.open({ json: true });
    output.progress('a', () => 'queued', '');
    output.endProgress('a');
    assert.deepEqual(streams.written(), ['', '']);
    assert.equal(output.json, true);
  });

  it('clears the line of progress before another one', () => {
    const streams = new Streams({ isTTY: true, columns: 40 });
    const output = streams.open();
    const erased = '\r\u001b[2K';
    const lines: [() => void, string, string][] = [
      [() => output.result('fox.png'), 'fox.png\n', erased],
      [() => output.say('Alas.'), '', `${erased}Alas.\n`],
      [() => output.endProgress('a'), '', erased],
    ];
    for (const [print, out, err] of lines) {
      output.progress('a', () => 'queued', '');
      streams.written();
      print();
      assert.deepEqual(streams.written(), [out, err]);
    }
  });

  it('says with JSON what a wait of more than 30 s is for, and again when that changes', async () => {
    const streams = new Streams();
    const clock = new ManualClock();
    const output = streams.open({ json: true, clock });
    const waits = (reason: string): void => output.progress('a', () => `${reason}, 7%`, 'a: ', reason);
    waits('queued');
    await clock.pass(29_999);
    waits('in progress');
    assert.deepEqual(streams.written(), ['', '']);
    await clock.pass(1);
    assert.deepEqual(streams.written(), ['', 'a: Waiting: in progress\n']);
    for (let second = 0; second < 100; second++) {
      waits(second % 10 === 0 ? 'saving' : 'in progress');
      await clock.pass(500);
    }
    waits('service\u001b busy');
    await clock.pass(10_000);
    assert.deepEqual(streams.written(), ['', 'a: Waiting: service busy\n']);
    waits('queued');
    output.endProgress('a');
    assert.equal(clock.pending, 0);
  });

  it('is as wide as the terminal, if it is one that knows how wide it is', () => {
    assert.equal(new Streams({ isTTY: true, columns: 40 }).open().columns, 40);
    assert.equal(new Streams({ isTTY: true, columns: 0 }).open().columns, undefined);
    assert.equal(new Streams({ columns: 40 }).open().columns, undefined);
  });

  it('is broken where results cannot be written, which is said once', () => {
    const streams = new Streams();
    const output = streams.open();
    assert.equal(output.isBroken, false);
    for (const code of ['ENOSPC', 'EIO']) {
      streams.out.emit('error', Object.assign(new Error(`${code}: no room`), { code }));
    }
    assert.equal(output.isBroken, true);
    assert.deepEqual(streams.written(), ['', "Couldn't write the results: ENOSPC: no room.\n"]);
  });

  it('is not broken by readers that have had enough', () => {
    const streams = new Streams();
    const output = streams.open();
    const gone = Object.assign(new Error('EPIPE'), { code: 'EPIPE' });
    streams.out.emit('error', gone);
    streams.err.emit('error', gone);
    assert.equal(output.isBroken, false);
    assert.deepEqual(streams.written(), ['', '']);
  });
});
