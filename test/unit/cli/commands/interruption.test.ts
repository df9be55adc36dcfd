import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import { Interruption } from '../../../../src/cli/commands/interruption.ts';
import { Collected } from '../../../support/cli/collected.ts';
import { takeSignals } from '../../../support/cli/signals.ts';

const again = 'Stopping. Press Ctrl+C again to exit immediately.';

describe('a command that is interrupted', () => {
  let output: Collected;
  let interruption: Interruption;
  /** The exit codes with which the process would have ended. */
  let exits: unknown[];
  let giveBack: () => void;

  beforeEach(() => {
    exits = [];
    giveBack = takeSignals();
    mock.timers.enable({ apis: ['setTimeout'] });
    mock.method(process, 'exit', (code: unknown) => exits.push(code));
    output = new Collected();
    interruption = new Interruption(output);
  });
  afterEach(() => {
    interruption.dispose();
    mock.timers.reset();
    mock.restoreAll();
    giveBack();
  });

  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const) {
    it(`by ${signal} stops, and ends with ${code}`, () => {
      assert.equal(interruption.signal.aborted, false);
      process.emit(signal, signal);
      assert.equal(interruption.signal.aborted, true);
      assert.equal(interruption.exitCode, code);
      assert.deepEqual([output.said, exits], [[], []]);
    });
  }

  it('ends at once when it is interrupted again, and not by the same keystroke', () => {
    process.emit('SIGTERM', 'SIGTERM');
    mock.timers.tick(199);
    process.emit('SIGINT', 'SIGINT');
    assert.deepEqual([output.said, exits], [[], []]);
    mock.timers.tick(1);
    assert.deepEqual([output.said, exits], [[again], []]);
    process.emit('SIGHUP', 'SIGHUP');
    assert.deepEqual(exits, []);
    process.emit('SIGINT', 'SIGINT');
    // The first signal says how it ended.
    assert.deepEqual(exits, [143]);
    mock.timers.tick(10_000);
    assert.deepEqual(output.said, [again]);
  });

  it('hears no signal once it is over, and says no more', () => {
    const heard = ['SIGINT', 'SIGTERM', 'SIGHUP'].map((signal) => process.listenerCount(signal));
    process.emit('SIGINT', 'SIGINT');
    interruption.dispose();
    mock.timers.tick(10_000);
    assert.deepEqual(output.said, []);
    assert.deepEqual(
      ['SIGINT', 'SIGTERM', 'SIGHUP'].map((signal) => process.listenerCount(signal) + 1),
      heard,
    );
  });
});
