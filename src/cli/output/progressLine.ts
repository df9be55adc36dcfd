import { fit, printable } from './terminalText.ts';

/** Where progress is written: standard error, as far as it is needed here. */
export interface ProgressStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

/** A task's state in a few words, at a time in Unix milliseconds. */
export type Describe = (now: number) => string;

const erase = '\r\u001b[2K';
const eraseRest = '\u001b[K';
const second = 1000;
/** In columns, where the terminal does not say. */
const usualWidth = 80;

/**
 * The state of the tasks that are watched. On a terminal that is one line, drawn over at every change and every
 * second and gone at the end; elsewhere a line for each change, none of them twice.
 */
export class ProgressLine {
  readonly #stream: ProgressStream;
  readonly #draws: boolean;
  readonly #states = new Map<string, Describe>();
  readonly #written = new Map<string, string>();
  #since: number | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isDrawn = false;

  /** @param canDraw whether the terminal, if it is one, can draw over a line */
  constructor(stream: ProgressStream, canDraw: boolean) {
    this.#stream = stream;
    this.#draws = canDraw && stream.isTTY === true;
  }

  /**
   * Shows how a task stands from now on.
   *
   * @param label stands before a plain line, where several tasks are watched
   */
  show(taskId: string, describe: Describe, label = ''): void {
    this.#states.set(taskId, describe);
    if (this.#draws) {
      this.#since ??= Date.now();
      this.#timer ??= setInterval(() => this.#draw(), second).unref();
      this.#draw();
      return;
    }
    const text = printable(describe(Date.now()));
    if (this.#written.get(taskId) !== text) {
      this.#written.set(taskId, text);
      this.#stream.write(`${label}${text}\n`);
    }
  }

  /** Shows a task no more. */
  end(taskId: string): void {
    this.#states.delete(taskId);
    this.clear();
    if (this.#states.size > 0) {
      this.#draw();
    } else {
      clearInterval(this.#timer);
      this.#timer = undefined;
      this.#since = undefined;
    }
  }

  /** Takes the line off the terminal, so that another one can be written; it comes back with the next change. */
  clear(): void {
    if (this.#isDrawn) {
      this.#stream.write(erase);
      this.#isDrawn = false;
    }
  }

  #draw(): void {
    if (!this.#draws) {
      return;
    }
    const now = Date.now();
    // The clock may be set back meanwhile.
    const elapsed = Math.max(0, Math.floor((now - (this.#since ?? now)) / second));
    const states = [...this.#states.values()].map((describe) => printable(describe(now)));
    const line = [`${elapsed} s`, ...states].join(' · ');
    // The last column stays free: a full line makes some terminals begin a new one.
    this.#stream.write(`\r${fit(line, (this.#stream.columns || usualWidth) - 1)}${eraseRest}`);
    this.#isDrawn = true;
  }
}
