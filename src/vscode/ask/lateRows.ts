import type * as vscode from 'vscode';

/** How long changes are gathered before a list is drawn again: at least, and for each of its rows, in milliseconds. */
const gathering = 100;
const gatheringPerRow = 1;

/** The rows of an open list that change, such as by thumbnails that are made late. The active row stays active. */
export class LateRows<Row extends vscode.QuickPickItem> implements vscode.Disposable {
  readonly #input: vscode.QuickPick<Row>;
  readonly #rows: readonly Row[];
  #drawing: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(input: vscode.QuickPick<Row>, rows: readonly Row[]) {
    this.#input = input;
    this.#rows = rows;
    input.items = rows;
    // The order of the rows tells something. VS Code would sort what matches by its name.
    Object.assign(input, { sortByLabel: false, keepScrollPosition: true });
  }

  /** Looks at one row after the other, the active one first, and draws what was found of it: where that fails, nothing. */
  async lookAtAll(look: (row: Row) => Promise<Partial<Row>>): Promise<void> {
    const left = new Set(this.#rows);
    while (left.size > 0 && !this.#isClosed) {
      const [active] = this.#input.activeItems;
      const [first] = left;
      const next = active && left.has(active) ? active : first;
      if (next) {
        left.delete(next);
        Object.assign(next, await look(next).catch(() => ({})));
        this.#draw();
      }
    }
  }

  dispose(): void {
    this.#isClosed = true;
    clearTimeout(this.#drawing);
  }

  #draw(): void {
    if (this.#isClosed) {
      return;
    }
    // VS Code takes all rows each time.
    this.#drawing ??= setTimeout(
      () => {
        this.#drawing = undefined;
        const { activeItems } = this.#input;
        this.#input.items = this.#rows;
        this.#input.activeItems = activeItems;
      },
      gathering + gatheringPerRow * this.#rows.length,
    );
  }
}
