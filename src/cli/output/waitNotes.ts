import * as l10n from '@vscode/l10n';
import type { Clock, Disposable } from '../../common/clock.ts';
import { printable } from './terminalText.ts';

/** A wait is worth a line once it takes so long, in milliseconds. */
const long = 30_000;
/** A reason that holds shorter than this, in milliseconds, is a step and no wait. */
const steady = 1000;

interface Wait {
  since: number;
  reason: string;
  written?: string;
  timer?: Disposable;
}

/** Says what tasks wait for, where no progress is shown: once that takes long, and again when the reason changes. */
export class WaitNotes {
  readonly #write: (line: string) => void;
  readonly #clock: Clock;
  readonly #waits = new Map<string, Wait>();

  constructor(write: (line: string) => void, clock: Clock) {
    this.#write = write;
    this.#clock = clock;
  }

  /** Notes what a task waits for from now on. @param label precedes the line, where several tasks are watched */
  note(taskId: string, reason: string, label: string): void {
    const now = this.#clock.now();
    const wait = this.#waits.get(taskId) ?? { since: now, reason };
    this.#waits.set(taskId, wait);
    wait.reason = reason;
    const delay = wait.written === undefined ? Math.max(wait.since + long - now, 0) : steady;
    wait.timer ??= this.#clock.setTimeout(() => {
      delete wait.timer;
      if (wait.reason !== wait.written) {
        wait.written = wait.reason;
        this.#write(`${label}${l10n.t('Waiting: {0}', printable(wait.reason))}`);
      }
    }, delay);
  }

  end(taskId: string): void {
    this.#waits.get(taskId)?.timer?.dispose();
    this.#waits.delete(taskId);
  }
}
