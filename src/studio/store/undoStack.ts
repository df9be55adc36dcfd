import { Semaphore } from '../../common/semaphore.ts';

/** Thrown by an act that the person declined to undo or redo: it stays as it is, which is no failure. */
export class Declined extends Error {}

/** Something that was done in the studio and can be undone. */
export interface Act {
  /** What was done, as it is read out after "Undone:", such as "removed photo.png". */
  label: string;
  /** Whether the page shows it with an Undo button, because its undoing matters to a person who did it by mistake. */
  isShown?: true;
  undo: () => void | Promise<void>;
  /** Absent for what cannot be done again. */
  redo?: () => void | Promise<void>;
}

/** The acts of the studio in the order in which they were done. */
export class UndoStack {
  #done: Act[];
  #undone: Act[];
  /** The act that could not be undone just now. */
  #failed: Act | undefined;
  readonly #turns = new Semaphore(() => 1);

  /**
   * @param done acts of an earlier page, the last one last
   * @param undone acts that can be redone, the next one last
   */
  constructor(done: readonly Act[], undone: readonly Act[]) {
    this.#done = [...done];
    this.#undone = [...undone];
  }

  /** The act to undo next. */
  get last(): Act | undefined {
    return this.#done.at(-1);
  }

  /** The act to redo next. */
  get next(): Act | undefined {
    return this.#undone.at(-1);
  }

  /** Adds an act that was just done; those that were undone can no longer be redone. */
  push(act: Act): void {
    this.#done.push(act);
    this.#undone = [];
  }

  /** Runs what does an act and pushes it: a person may ask for the undo before the host has replied. */
  async during<T>(doing: () => Promise<T>): Promise<T> {
    return this.#turns.use(1, doing);
  }

  /**
   * Undoes the last act, after those that are being done, undone or redone. One that fails stays for another try; after that it
   * no longer stands before those that were done earlier.
   *
   * @returns the act; undefined when there is none, or it was declined
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

  /** Does again what was undone last. One that fails stays. @returns like `undo` */
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
