/** The part of each message of a page that tells where it comes from. */
interface PageMessage {
  /** Number of the page, which rises with each. */
  page: number;
  method: string;
}

/**
 * Tells apart pages that show the present state and those that show an earlier one: when a tab is hidden and shown in an
 * instant, VS Code loads the page that it has once more, and the host may not hear of it. The first message of each is
 * `opened`.
 */
export class PageVersions {
  /** The page that VS Code was given last. */
  #given = 0;
  /** The page that was opened last. */
  #opened = 0;
  /** The last page whose messages no longer count. */
  #outdated = 0;

  /** Notes that VS Code was given a page. */
  give(page: number): void {
    this.#given = page;
  }

  /** Whether this is from a page that shows an earlier state. */
  isOutdated({ page, method }: PageMessage): boolean {
    if (method === 'opened') {
      if (page === this.#opened || page < this.#given) {
        this.#outdated = page;
      } else {
        this.#opened = page;
      }
    }
    return page <= this.#outdated;
  }
}
