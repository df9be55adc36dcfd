import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import { ProgressLine } from '../../../../src/cli/output/progressLine.ts';
import { fit, printable } from '../../../../src/cli/output/terminalText.ts';

class FakeStream {
  readonly isTTY: boolean;
  readonly columns: number;
  written = '';

  constructor(isTTY: boolean, columns = 40) {
    this.isTTY = isTTY;
    this.columns = columns;
  }

  write(text: string): void {
    this.written += text;
  }

  /** What a terminal shows of it, line by line. */
  get screen(): string[] {
    const lines: string[] = [];
    let line: string[] = [];
    let column = 0;
    for (const piece of this.written.replaceAll('\u001b[2K', '␡').replaceAll('\u001b[K', '␘')) {
      switch (piece) {
        case '\n':
          lines.push(line.join(''));
          line = [];
          column = 0;
          break;
        case '\r':
          column = 0;
          break;
        case '␡':
          line = [];
          break;
        case '␘':
          line.length = column;
          break;
        default:
          line[column++] = piece;
      }
    }
    return [...lines, line.join('')];
  }
}

describe('progress on a terminal', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setInterval', 'Date'] }));
  afterEach(() => mock.timers.reset());

  it('is one line, drawn over and gone at the end', () => {
    const stream = new FakeStream(true);
    const line = new ProgressLine(stream, true);
    line.show('a', () => 'queued, 10%');
    line.show('a', () => 'in progress, 50%');
    assert.deepEqual(stream.screen, ['0 s · in progress, 50%']);
    line.end('a');
    assert.deepEqual(stream.screen, ['']);
    mock.timers.tick(5000);
    assert.deepEqual(stream.screen, ['']);
  });

  it('counts the seconds, also those until something is tried again', () => {
    const stream = new FakeStream(true);
    const line = new ProgressLine(stream, true);
    line.show('a', (now) => `next try in ${10 - now / 1000} s`);
    mock.timers.tick(3000);
    assert.deepEqual(stream.screen, ['3 s · next try in 7 s']);
    line.show('a', () => 'queued');
    assert.deepEqual(stream.screen, ['3 s · queued']);
    line.end('a');
  });

  it('shows several tasks beside each other and never wraps', () => {
    const stream = new FakeStream(true, 30);
    const line = new ProgressLine(stream, true);
    line.show('a', () => 'in progress, 50%');
    line.show('b', () => 'in progress, 20%');
    assert.deepEqual(stream.screen, ['0 s · in progress, 50% · in …']);
    line.end('a');
    assert.deepEqual(stream.screen, ['0 s · in progress, 20%']);
    line.end('b');
  });

  it('makes room for other lines and comes back', () => {
    const stream = new FakeStream(true);
    const line = new ProgressLine(stream, true);
    line.show('a', () => 'queued');
    line.clear();
    stream.write('a note\n');
    line.show('a', () => 'in progress');
    assert.deepEqual(stream.screen, ['a note', '0 s · in progress']);
    line.end('a');
  });
});

describe('progress elsewhere', () => {
  for (const [where, stream, canDraw] of [
    ['in a file', new FakeStream(false), true],
    ['on a terminal that cannot draw', new FakeStream(true), false],
  ] as const) {
    it(`is a plain line for each change, none of them twice, ${where}`, () => {
      const line = new ProgressLine(stream, canDraw);
      for (const state of ['queued', 'queued', 'in progress', 'in progress']) {
        line.show('a', () => state);
      }
      line.end('a');
      assert.equal(stream.written, 'queued\nin progress\n');
    });
  }

  it('names the tasks where there are several', () => {
    const stream = new FakeStream(false);
    const line = new ProgressLine(stream, true);
    line.show('a', () => 'queued', 'a: ');
    line.show('b', () => 'queued', 'b: ');
    line.end('a');
    assert.equal(stream.written, 'a: queued\nb: queued\n');
  });
});

describe('text of others', () => {
  it('cannot move the cursor or turn the line around', () => {
    assert.equal(printable('done\u001b[2J\r\nnow\u202e'), 'done [2J now');
  });

  it('is cut by columns, wide characters counting for two', () => {
    assert.equal(fit('in progress', 11), 'in progress');
    assert.equal(fit('in progress', 6), 'in pr…');
    assert.equal(fit('狐狸狐狸', 8), '狐狸狐狸');
    assert.equal(fit('狐狸狐狸', 6), '狐狸…');
  });
});
