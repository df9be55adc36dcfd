import { exitCodes } from './exitCodes.ts';
import type { Output } from './output.ts';

/** npm passes on a Ctrl+C that the terminal has sent already: so soon a second one is the same, in milliseconds. */
const sameKeystroke = 200;

/**
 * Ctrl+C and SIGTERM. The first one asks to stop watching, which may take a moment; a second one ends the process
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
    process.on('SIGINT', this.#heard);
    process.on('SIGTERM', this.#heard);
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
    process.off('SIGINT', this.#heard);
    process.off('SIGTERM', this.#heard);
  }

  readonly #heard = (name: NodeJS.Signals): void => {
    if (this.#isArmed) {
      process.exit(this.#exitCode);
    }
    if (!this.signal.aborted) {
      this.#exitCode = name === 'SIGTERM' ? exitCodes.terminated : exitCodes.interrupted;
      this.#timer = setTimeout(() => {
        this.#isArmed = true;
        this.#output.say('Stopping. Ctrl+C once more ends at once.');
      }, sameKeystroke);
      this.#controller.abort();
    }
  };
}
