/** The part of each message of a page that tells where it comes from. */
interface PageMessage {
  /** Number of the page, which rises with each. */
  page: number;
  /** Another each time that VS Code loads that page. */
  load: string;
  method: string;
}

/**
 * Tells apart pages that show the present state and those that show an earlier one: when a tab is hidden and shown in an
 * instant, or all webviews are reloaded, VS Code loads the page that it has once more, and the host does not hear of it.
 * Messages may be lost then, also the first one of a page, which is `opened`.
 */
export class PageVersions {
  /** The page that VS Code was given last. */
  #given = 0;
  /** The load of each page whose messages count; none where it was opened after VS Code was given the next one. */
  readonly #loads = new Map<number, string | undefined>();

  /** Notes that VS Code was given a page. */
  give(page: number): void {
    this.#given = page;
  }

  /** Whether this is from a page that shows an earlier state. */
  isOutdated({ page, load, method }: PageMessage): boolean {
    if (!this.#loads.has(page)) {
      const isLate = method === 'opened' && page < this.#given;
      this.#loads.set(page, isLate ? undefined : load);
    }
    return this.#loads.get(page) !== load;
  }
}
