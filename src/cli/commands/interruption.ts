import { exitCodes, type Output } from '../output/output.ts';

/** npm passes on a Ctrl+C that the terminal has sent already: so soon a second one is the same, in milliseconds. */
const sameKeystroke = 200;

const codes: Partial<Record<NodeJS.Signals, number>> = {
  SIGHUP: exitCodes.hungUp,
  SIGINT: exitCodes.interrupted,
  SIGTERM: exitCodes.terminated,
};
const signals = Object.keys(codes);

/**
 * Ctrl+C, SIGTERM and a terminal that is closed. The first one asks to stop watching, which may take a moment; a second one ends the process
 * at once, and what the store holds can be resumed.
 */
export class Interruption {
  readonly #output: Output;
  readonly #controller = new AbortController();
  #exitCode: number = exitCodes.interrupted;
  #timer: NodeJS.Timeout | undefined;
  #isArmed = false;

  constructor(output: Output) {
    this.#output = output;
    for (const name of signals) {
      process.on(name, this.#onSignal);
    }
  }

  /** Aborted by the first signal. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** What to exit with, once interrupted. */
  get exitCode(): number {
    return this.#exitCode;
  }

  dispose(): void {
    clearTimeout(this.#timer);
    for (const name of signals) {
      process.off(name, this.#onSignal);
    }
  }

  readonly #onSignal = (name: NodeJS.Signals): void => {
    // A terminal that is closed may say so more than once, and nobody insists.
    if (this.#isArmed && name !== 'SIGHUP') {
      process.exit(this.#exitCode);
    }
    if (!this.signal.aborted) {
      this.#exitCode = codes[name] ?? exitCodes.interrupted;
      this.#timer = setTimeout(() => {
        this.#isArmed = true;
        this.#output.say('Stopping. Press Ctrl+C again to exit immediately.');
      }, sameKeystroke);
      this.#controller.abort();
    }
  };
}
