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
 * Handles Ctrl+C, SIGTERM and a closed terminal. The first signal asks to stop watching, which may take a moment; a
 * second one ends the process at once, and what the store holds can be resumed.
 */
export class Interruption {
  readonly #output: Output;
  readonly #controller = new AbortController();
  /** Aborted by the first signal. */
  readonly signal = this.#controller.signal;
  exitCode: number = exitCodes.interrupted;
  #timer: NodeJS.Timeout | undefined;
  #isArmed = false;

  constructor(output: Output) {
    this.#output = output;
    for (const name of signals) {
      process.on(name, this.#onSignal);
    }
  }

  dispose(): void {
    clearTimeout(this.#timer);
    for (const name of signals) {
      process.off(name, this.#onSignal);
    }
  }

  readonly #onSignal = (name: NodeJS.Signals): void => {
    // A closed terminal may signal more than once, but that isn't a request to exit at once.
    if (this.#isArmed && name !== 'SIGHUP') {
      process.exit(this.exitCode);
    }
    if (!this.signal.aborted) {
      this.exitCode = codes[name] ?? exitCodes.interrupted;
      this.#timer = setTimeout(() => {
        this.#isArmed = true;
        this.#output.say('Stopping. Press Ctrl+C again to exit immediately.');
      }, sameKeystroke);
      this.#controller.abort();
    }
  };
}
