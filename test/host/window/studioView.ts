import type { FrameLocator, Locator } from 'playwright-core';
import type { Workbench } from './workbench.ts';

/** The studio's panel, as a user finds it. */
export class StudioView {
  readonly #workbench: Workbench;

  constructor(workbench: Workbench) {
    this.#workbench = workbench;
  }

  /** Opens it, or brings it to the front. */
  async open(): Promise<void> {
    await this.#workbench.runCommand('Limner: Open Studio');
    await this.tab.and(this.#workbench.page.locator('[aria-selected=true]')).waitFor();
    await this.whenShown();
  }

  /** Waits until its page is there. */
  async whenShown(): Promise<void> {
    await this.main.waitFor();
  }

  /** When its page was first painted, in Unix milliseconds. */
  async firstPaint(): Promise<number> {
    return this.main.evaluate(() => {
      const [paint] = performance.getEntriesByType('paint');
      return performance.timeOrigin + (paint?.startTime ?? Infinity);
    });
  }

  get tab(): Locator {
    return this.#workbench.editorTab('Studio');
  }

  /** The document of the panel while it shows. */
  get frame(): FrameLocator {
    return this.#workbench.webview;
  }

  /** Everything in it. */
  get main(): Locator {
    return this.frame.locator('main.studio');
  }
}
