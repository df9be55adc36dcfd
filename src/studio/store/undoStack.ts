import { Semaphore } from '../../common/semaphore.ts';

/** Thrown by an act that the user declined to undo or redo. It stays as it is, without an error. */
export class Declined extends Error {}

export interface Act {
  /** The action, as it is read out after "Undone:", such as "removed photo.png". */
  label: string;
  /** Whether the page shows it with an Undo button, because users need to notice an accidental one. */
  isShown?: true;
  undo: () => void | Promise<void>;
  /** Absent if it can't be redone. */
  redo?: () => void | Promise<void>;
}

/** The acts of the studio in the order in which they were done. */
export class UndoStack {
  #done: Act[];
  #undone: Act[];
  /** The act that has just failed to be undone. */
  #failed: Act | undefined;
  readonly #turns = new Semaphore(() => 1);

  /** @param done acts of an earlier page, latest last @param undone acts that can be redone, the next one last */
  constructor(done: readonly Act[], undone: readonly Act[]) {
    this.#done = [...done];
    this.#undone = [...undone];
  }

  get last(): Act | undefined {
    return this.#done.at(-1);
  }

  get next(): Act | undefined {
    return this.#undone.at(-1);
  }

  /** Adds an act that was just done; undone acts can no longer be redone. */
  push(act: Act): void {
    this.#done.push(act);
    this.#undone = [];
  }

  /** Runs an action and pushes its act. The user may undo it before the host has replied. */
  async during<T>(doing: () => Promise<T>): Promise<T> {
    return this.#turns.use(1, doing);
  }

  /**
   * Undoes the last act, after any pending ones. If that fails, it can be tried again, but no longer blocks earlier
   * acts.
   *
   * @returns the act; undefined if there is none, or it was declined
   */
  async undo(): Promise<Act | undefined> {
    return this.#turns.use(1, async () => {
      const act = this.last;
      const others = (): Act[] => this.#done.filter((other) => other !== act);
      try {
        await act?.undo();
      } catch (error) {
        if (error instanceof Declined) {
          return undefined;
        }
        if (this.#failed === act) {
          this.#done = others();
        }
        this.#failed = act;
        throw error;
      }
      const isLast = act === this.last;
      this.#done = others();
      if (act?.redo && isLast) {
        this.#undone.push(act);
      }
      return act;
    });
  }

  /** Redoes the act that was last undone. If that fails, it stays. @returns like `undo` */
  async redo(): Promise<Act | undefined> {
    return this.#turns.use(1, async () => {
      const act = this.next;
      try {
        await act?.redo?.();
      } catch (error) {
        if (error instanceof Declined) {
          return undefined;
        }
        throw error;
      }
      if (act) {
        this.#undone = this.#undone.filter((other) => other !== act);
        this.#done.push(act);
      }
      return act;
    });
  }
}
