import * as l10n from '@vscode/l10n';
import { numberText } from './localFormats.ts';
import { fit, printable } from './terminalText.ts';

/** The part of standard error that progress needs. */
export interface ProgressStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

/** Returns a task's state in a few words, at a time in Unix milliseconds. */
export type Describe = (now: number) => string;

const erase = '\r\u001b[2K';
const eraseRest = '\u001b[K';
const second = 1000;
/** In columns, if the terminal does not say. */
const usualWidth = 80;

/**
 * The state of the watched tasks. On a terminal that is one line, redrawn at every change and every second and gone at
 * the end; elsewhere a line for each change, without repetitions.
 */
export class ProgressLine {
  readonly #stream: ProgressStream;
  readonly #draws: boolean;
  readonly #states = new Map<string, Describe>();
  readonly #written = new Map<string, string>();
  #since: number | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isDrawn = false;

  /** @param canDraw whether a terminal can redraw a line */
  constructor(stream: ProgressStream, canDraw: boolean) {
    this.#stream = stream;
    this.#draws = canDraw && stream.isTTY === true;
  }

  /**
   * Shows the state of a task from now on.
   *
   * @param label precedes a plain line, where several tasks are watched
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

  /** Clears the line, so that another one can be written; it returns with the next change. */
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
    // The clock may have been set back.
    const elapsed = Math.max(0, Math.floor((now - (this.#since ?? now)) / second));
    const states = [...this.#states.values()].map((describe) => printable(describe(now)));
    const line = [l10n.t('{0} s', numberText(elapsed)), ...states].join(' · ');
    // The last column stays free: some terminals wrap a full line.
    this.#stream.write(`\r${fit(line, (this.#stream.columns || usualWidth) - 1)}${eraseRest}`);
    this.#isDrawn = true;
  }
}
