import type * as vscode from 'vscode';

/** Longer than a held key waits before it repeats, in milliseconds. */
const quietTime = 700;

/**
 * Keeps a box that could be sent as it was shown from being sent unread: its first Enter may have been meant for what was
 * there before, and those of a held key for nothing.
 */
export class SecondEnter implements vscode.Disposable {
  readonly #onReady: () => void;
  #timer: NodeJS.Timeout | undefined;
  #isReady = false;

  /** @param onReady called once a second Enter would count, to say so */
  constructor(onReady: () => void) {
    this.#onReady = onReady;
  }

  /** Notes an Enter. @returns whether it counts */
  press(): boolean {
    if (!this.#isReady) {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => {
        this.#isReady = true;
        this.#onReady();
      }, quietTime);
    }
    return this.#isReady;
  }

  /** Begins anew, for another text. */
  reset(): void {
    clearTimeout(this.#timer);
    this.#isReady = false;
  }

  dispose(): void {
    clearTimeout(this.#timer);
  }
}
