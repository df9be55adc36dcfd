import type { Locator } from 'playwright-core';
import type { StudioView } from './studioView.ts';

/** The side of the studio where a user says what the next image is to be. */
export class StudioComposer {
  readonly #studio: StudioView;

  constructor(studio: StudioView) {
    this.#studio = studio;
  }

  /** All of it. */
  get region(): Locator {
    return this.#studio.frame.getByRole('region', { name: 'Compose' });
  }

  get prompt(): Locator {
    return this.region.getByRole('textbox', { name: 'Prompt' });
  }

  /** Where the first picture would be saved. */
  get path(): Locator {
    return this.region.locator('.target-path');
  }

  /** What keeps the draft from being sent, or why sending it failed. */
  get problem(): Locator {
    return this.region.getByRole('alert');
  }

  /** The rows of the input images. */
  get inputs(): Locator {
    return this.region.getByRole('listitem').filter({ has: this.#studio.frame.locator('.input-name') });
  }

  button(name: string | RegExp): Locator {
    return this.region.getByRole('button', { name });
  }

  /** A choice of the sizes, by what is written on it. */
  size(words: string): Locator {
    return this.region.getByRole('group', { name: 'Size' }).getByRole('radio', { name: words });
  }

  /** What becomes of an image of another size. */
  get fit(): Locator {
    return this.region.getByRole('combobox', { name: 'If the Result Has Another Size' });
  }

  async chooseModel(name: string): Promise<void> {
    await this.region.getByRole('combobox', { name: 'Model' }).selectOption(name);
  }
}
