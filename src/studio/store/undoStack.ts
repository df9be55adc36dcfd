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
  readonly #done: Act[];
  #undone: Act[];

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

  /** Undoes the last act. */
  async undo(): Promise<void> {
    const act = this.#done.pop();
    if (act?.redo) {
      this.#undone.push(act);
    }
    await act?.undo();
  }

  /** Does again what was undone last. */
  async redo(): Promise<void> {
    const act = this.#undone.pop();
    if (act) {
      this.#done.push(act);
    }
    await act?.redo?.();
  }
}
