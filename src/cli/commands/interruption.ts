import * as l10n from '@vscode/l10n';
import { type Clock, type Disposable, systemClock } from '../../common/clock.ts';
import { exitCodes, type Output } from '../output/output.ts';

/**
 * A second signal within this time, in milliseconds, comes from the same keystroke: npm forwards a Ctrl+C that the
 * terminal has already sent.
 */
const sameKeystroke = 200;

const codes: Partial<Record<NodeJS.Signals, number>> = {
  SIGHUP: exitCodes.hungUp,
  SIGINT: exitCodes.interrupted,
  SIGTERM: exitCodes.terminated,
};
const signals = Object.keys(codes);

/**
 * Handles Ctrl+C, SIGTERM, a closed terminal, and the end of the time to wait. The first of them asks to stop watching,
 * which may take a moment; a second signal ends the process at once, and what the store holds can be resumed.
 */
export class Interruption {
  readonly #output: Output;
  readonly #controller = new AbortController();
  /** Aborted by the first signal, or when the time is up. */
  readonly signal = this.#controller.signal;
  /** By the first signal; undefined where none came. */
  exitCode: number | undefined;
  readonly #limit: Disposable | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isArmed = false;

  /** @param wait how long the command may wait, in milliseconds; undefined for as long as it takes */
  constructor(output: Output, wait?: number, clock: Clock = systemClock) {
    this.#output = output;
    this.#limit = wait === undefined ? undefined : clock.setTimeout(this.#onTimeUp, wait);
    for (const name of signals) {
      process.on(name, this.#onSignal);
    }
  }

  /** Called when nothing is waited for anymore. */
  waited(): void {
    this.#limit?.dispose();
  }

  dispose(): void {
    this.waited();
    clearTimeout(this.#timer);
    for (const name of signals) {
      process.off(name, this.#onSignal);
    }
  }

  readonly #onTimeUp = (): void => {
    if (!this.signal.aborted) {
      this.#controller.abort();
    }
  };

  readonly #onSignal = (name: NodeJS.Signals): void => {
    // A closed terminal may signal more than once, but that isn't a request to exit at once.
    if (this.#isArmed && name !== 'SIGHUP') {
      process.exit(this.exitCode);
    }
    if (this.exitCode === undefined) {
      this.exitCode = codes[name] ?? exitCodes.interrupted;
      this.#timer = setTimeout(() => {
        this.#isArmed = true;
        this.#output.say(l10n.t('Stopping. Press Ctrl+C again to exit immediately.'));
      }, sameKeystroke);
      this.#controller.abort();
    }
  };
}
