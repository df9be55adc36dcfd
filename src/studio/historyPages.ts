import type { StudioReplies } from './protocol/messages.ts';
import type { StudioTask } from './protocol/state.ts';
import type { HostEvent } from './store/host.ts';

/** More rows than a tall window shows, but few: all of them are read and formatted before the first is visible. */
export const pageSize = 50;

type Page = StudioReplies['history'];

/**
 * Loads a history that is too long to send whole: fetches pages one at a time as they come into view, and keeps them.
 * Pages that may have changed are fetched again when in view; until then, their old rows are shown.
 */
export class HistoryPages {
  readonly #fetch: (offset: number, limit: number) => Promise<Page>;
  readonly #changed: () => void;
  readonly #failed: (problem: unknown) => void;
  readonly #pages = new Map<number, StudioTask[]>();
  /** Pages that are up to date. */
  readonly #fresh = new Set<number>();
  #visible = { first: 0, end: 1 };
  #total: number | undefined;
  #models: string[] = [];
  #isFetching = false;
  #isClosed = false;

  /**
   * @param changed called when there is something new to show
   *
   * @param failed called when a page can't be fetched, which is retried when the view changes
   */
  constructor(
    fetch: (offset: number, limit: number) => Promise<Page>,
    changed: () => void,
    failed: (problem: unknown) => void,
  ) {
    this.#fetch = fetch;
    this.#changed = changed;
    this.#failed = failed;
  }

  get total(): number | undefined {
    return this.#total;
  }

  get models(): readonly string[] {
    return this.#models;
  }

  task(row: number): StudioTask | undefined {
    return this.#pages.get(Math.floor(row / pageSize))?.[row % pageSize];
  }

  rowOf(id: string): number | undefined {
    for (const [page, rows] of this.#pages) {
      const row = rows.findIndex((task) => task.id === id);
      if (row >= 0) {
        return page * pageSize + row;
      }
    }
    return undefined;
  }

  /** Sets the rows in view and fetches those that are missing. */
  async showRange(first: number, end: number): Promise<void> {
    this.#visible = { first, end };
    if (this.#isFetching) {
      return;
    }
    this.#isFetching = true;
    try {
      for (let page = this.#missing(); page !== undefined && !this.#isClosed; page = this.#missing()) {
        await this.#load(page);
      }
    } catch (problem) {
      this.#failed(problem);
    } finally {
      this.#isFetching = false;
    }
  }

  async applyChanges({ tasks, removed }: Extract<HostEvent, { kind: 'tasks' }>): Promise<void> {
    const changes = new Map(tasks.map((task) => [task.id, task]));
    let isShown = false;
    for (const [page, rows] of this.#pages) {
      if (rows.some(({ id }) => changes.has(id))) {
        isShown = true;
        this.#pages.set(
          page,
          rows.map((row) => changes.get(row.id) ?? row),
        );
      }
    }
    // Only the host knows how a change affects which tasks match the filter.
    this.#fresh.clear();
    if (isShown) {
      this.#changed();
    }
    if (tasks.length > 0 || removed.length > 0) {
      await this.showRange(this.#visible.first, this.#visible.end);
    }
  }

  close(): void {
    this.#isClosed = true;
  }

  #missing(): number | undefined {
    const last = this.#total === undefined ? 0 : Math.max(0, Math.min(this.#visible.end, this.#total) - 1);
    for (let page = Math.floor(this.#visible.first / pageSize); page <= Math.floor(last / pageSize); page++) {
      if (!this.#fresh.has(page)) {
        return page;
      }
    }
    return undefined;
  }

  async #load(page: number): Promise<void> {
    // Marked before the reply, so that a change in the meantime marks it outdated again.
    this.#fresh.add(page);
    let reply;
    try {
      reply = await this.#fetch(page * pageSize, pageSize);
    } catch (error) {
      this.#fresh.delete(page);
      throw error;
    }
    if (this.#isClosed) {
      return;
    }
    this.#total = reply.total;
    this.#models = reply.models;
    this.#pages.set(page, reply.tasks);
    this.#changed();
  }
}

/** Rows drawn beyond the visible ones, so that scrolling shows no gap. */
const margin = 8;

/** Returns which of `total` rows of one height to draw: from `first` (inclusive) to `end` (exclusive). */
export function rowWindow(
  scrollTop: number,
  height: number,
  rowHeight: number,
  total: number,
): { first: number; end: number } {
  const first = Math.min(total, Math.max(0, Math.floor(scrollTop / rowHeight) - margin));
  const end = Math.min(total, Math.max(first, Math.ceil((scrollTop + height) / rowHeight) + margin));
  return { first, end };
}

/** Returns the scroll position nearest to the current one at which a row is fully visible. */
export function scrolledTo(row: number, scrollTop: number, height: number, rowHeight: number): number {
  const top = row * rowHeight;
  return Math.min(top, Math.max(scrollTop, top + rowHeight - height));
}
