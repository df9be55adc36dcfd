import { fork, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';

/** What a window is told; it answers when all of it is done. */
export interface WindowOrder {
  /** Runs so many tasks, all at once. */
  paint?: number;
  /** Waits until the rows of its tree show these tasks as completed. */
  show?: readonly string[];
  /** Closes its engine. */
  close?: boolean;
}

export interface WindowAnswer {
  /** The tasks that it was just told to paint. */
  ids: string[];
  /** How long it has computed since it was open, in milliseconds. */
  computed: number;
}

/** One window as a process of its own. */
export class BenchWindow {
  readonly #process: ChildProcess;

  /** Starts it; it is open once this resolves. */
  static async open(home: string, baseUrl: string, folder: string): Promise<BenchWindow> {
    const window = new BenchWindow(fork(join(import.meta.dirname, 'window.ts'), [home, baseUrl, folder]));
    await window.#hear();
    return window;
  }

  private constructor(process: ChildProcess) {
    this.#process = process;
  }

  async order(order: WindowOrder): Promise<WindowAnswer> {
    this.#process.send(order);
    return this.#hear();
  }

  /** Lets it end, once it is closed. */
  disconnect(): void {
    this.#process.disconnect();
  }

  async #hear(): Promise<WindowAnswer> {
    const { promise, resolve, reject } = Promise.withResolvers<WindowAnswer>();
    const ended = (): void => reject(new Error('A window ended.'));
    this.#process.once('exit', ended);
    this.#process.once('message', resolve);
    return promise.finally(() => this.#process.off('exit', ended));
  }
}
