import type { StudioReplies } from '../protocol/messages.ts';
import type { StudioTask } from '../protocol/state.ts';
import type { HostEvent } from '../store/host.ts';

const pageSize = 100;

type Page = StudioReplies['history'];

/**
 * The rows of a history that is too long to be sent whole: pages are fetched as they come into view, one at a time, and
 * kept. What has changed since is fetched anew once it is in view; until then the old rows stand.
 */
export class HistoryPages {
  readonly #fetch: (offset: number, limit: number) => Promise<Page>;
  readonly #changed: () => void;
  readonly #failed: (problem: unknown) => void;
  readonly #pages = new Map<number, StudioTask[]>();
  /** Pages that are as the host has them now. */
  readonly #fresh = new Set<number>();
  #seen = { first: 0, end: 1 };
  #total: number | undefined;
  #models: string[] = [];
  #isFetching = false;
  #isClosed = false;

  /**
   * @param changed Called when there is more, or something else, to show.
   * @param failed Called when a page cannot be had; it is asked for again when it is looked at again.
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

  /** Unknown until the first page is there. */
  get total(): number | undefined {
    return this.#total;
  }

  /** Ids of all models that are in the history. */
  get models(): readonly string[] {
    return this.#models;
  }

  /** The task of a row, once its page is there. */
  task(row: number): StudioTask | undefined {
    return this.#pages.get(Math.floor(row / pageSize))?.[row % pageSize];
  }

  /** Where a task is by now, among the rows that are there. */
  rowOf(id: string): number | undefined {
    for (const [page, rows] of this.#pages) {
      const row = rows.findIndex((task) => task.id === id);
      if (row >= 0) {
        return page * pageSize + row;
      }
    }
    return undefined;
  }

  /** Says which rows are in view, and fetches what is missing of them. */
  async look(first: number, end: number): Promise<void> {
    this.#seen = { first, end };
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

  /** Takes up what has happened to tasks. */
  async heed({ tasks, removed }: Extract<HostEvent, { kind: 'tasks' }>): Promise<void> {
    const changes = new Map(tasks.map((task) => [task.id, task]));
    let known = 0;
    for (const [page, rows] of this.#pages) {
      if (rows.some(({ id }) => changes.has(id))) {
        known += rows.filter(({ id }) => changes.has(id)).length;
        this.#pages.set(
          page,
          rows.map((row) => changes.get(row.id) ?? row),
        );
      }
    }
    // A change can bring a row into what is searched for or take it out: only the host knows.
    this.#fresh.clear();
    if (known > 0) {
      this.#changed();
    }
    if (tasks.length > 0 || removed.length > 0) {
      await this.look(this.#seen.first, this.#seen.end);
    }
  }

  /** Nothing is fetched any more, and nothing is told. */
  close(): void {
    this.#isClosed = true;
  }

  #missing(): number | undefined {
    const last = this.#total === undefined ? 0 : Math.max(0, Math.min(this.#seen.end, this.#total) - 1);
    for (let page = Math.floor(this.#seen.first / pageSize); page <= Math.floor(last / pageSize); page++) {
      if (!this.#fresh.has(page)) {
        return page;
      }
    }
    return undefined;
  }

  async #load(page: number): Promise<void> {
    // Before the answer: what happens meanwhile makes it old again.
    this.#fresh.add(page);
    let answer;
    try {
      answer = await this.#fetch(page * pageSize, pageSize);
    } catch (error) {
      this.#fresh.delete(page);
      throw error;
    }
    if (this.#isClosed) {
      return;
    }
    this.#total = answer.total;
    this.#models = answer.models;
    this.#pages.set(page, answer.tasks);
    this.#changed();
  }
}

/** Rows beyond the visible ones that are drawn as well, so that scrolling never shows a gap. */
const margin = 8;

/** Which of `total` rows of one height are to be drawn: from `first` up to, and without, `end`. */
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

/** How far to scroll so that a row is seen whole; as it is when it is seen already. */
export function scrolledTo(row: number, scrollTop: number, height: number, rowHeight: number): number {
  const top = row * rowHeight;
  return Math.min(top, Math.max(scrollTop, top + rowHeight - height));
}
