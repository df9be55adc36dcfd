import { errors, type Locator, type Page } from 'playwright-core';
import { eventually } from '../../support/eventually.ts';
import { attempt, clickOnce, clickSurely, leave } from './pointer.ts';

const picked = 'picked';

/** The box at the top of the window that asks for a text or a choice. */
export class QuickInput {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  /** The box itself while it is open. */
  get box(): Locator {
    return this.#page.locator('.quick-input-widget:visible');
  }

  /** The choices on offer. */
  get options(): Locator {
    return this.box.getByRole('option');
  }

  /** The choices on offer where several can be taken. */
  get checkboxes(): Locator {
    return this.box.getByRole('checkbox');
  }

  /** Where a text is typed. */
  get input(): Locator {
    return this.box.locator('.quick-input-box input');
  }

  /**
   * Opens the box by a key, types into it and takes a choice. What takes the focus at that moment, as a webview does
   * that has just come up, closes the box, or the key goes there: then it is opened again. So it is when the list does
   * not have the choice: what is offered by then does not come into a list that is open.
   *
   * @param label of the choice
   */
  async openAndPick(key: string, text: string, label: string): Promise<void> {
    const tryToPick = async (): Promise<string> => {
      try {
        if (!(await this.box.isVisible())) {
          await this.#page.keyboard.press(key);
        }
        await this.input.fill(text, attempt);
        const option = this.option(label);
        await option.or(this.#insteadOfIt).first().waitFor(attempt);
        if (await option.isVisible()) {
          if (!(await clickOnce(option))) {
            return 'The list was drawn anew.';
          }
          await option.waitFor({ state: 'hidden' });
          return picked;
        }
        const offered = await this.box.innerText();
        await this.#page.keyboard.press('Escape');
        return offered;
      } catch (error) {
        if (error instanceof errors.TimeoutError) {
          await this.#page.keyboard.press('Escape');
          return error.message;
        }
        throw error;
      }
    };
    await eventually(`the choice "${label}"`, tryToPick, (seen) => seen === picked);
  }

  /** Types into the box without accepting. */
  async fill(text: string): Promise<void> {
    await this.input.fill(text);
  }

  /** Presses a button in the title of the box. */
  async press(button: string): Promise<void> {
    await leave(this.#page);
    await clickSurely(this.box.locator('.quick-input-titlebar').getByRole('button', { name: button }));
  }

  /** Returns what the buttons in the title of the box are for. */
  async buttons(): Promise<(string | null)[]> {
    const buttons = await this.box.locator('.quick-input-titlebar').getByRole('button').all();
    return Promise.all(buttons.map(async (button) => button.getAttribute('aria-label')));
  }

  /** Goes back to the question before. */
  async back(): Promise<void> {
    await this.press('Back');
  }

  /**
   * Types an answer, accepts it and waits until it is taken: before that, whatever takes the focus dismisses the
   * question.
   *
   * @param question Part of what the box says: it is waited for, and two boxes in a row are not mixed up.
   */
  async answer(question: string, text: string): Promise<void> {
    const box = this.box.filter({ hasText: question });
    await box.waitFor();
    await this.fill(text);
    await this.input.press('Enter');
    await box.waitFor({ state: 'hidden' });
  }

  /** Accepts the prompt that a box was shown with: not by the first Enter, either. */
  async acceptPrompt(): Promise<void> {
    const again = this.box.filter({ hasText: 'Press Enter again to send this prompt.' });
    await this.input.press('Enter');
    await again.waitFor();
    await this.input.press('Enter');
    await again.waitFor({ state: 'hidden' });
  }

  /**
   * Takes a list of images as it is shown: not by the first Enter, which may have been meant for what was there before.
   *
   * @param run the beginning of what it says is generated, such as "2 images · "
   */
  async acceptImages(run: string): Promise<void> {
    await this.box.getByPlaceholder(`Press Enter twice to generate ${run}`).waitFor();
    await this.input.press('Enter');
    await this.box.getByPlaceholder(`Enter generates ${run}`).waitFor();
    await this.input.press('Enter');
    await this.box.waitFor({ state: 'hidden' });
  }

  /** A choice by its label. */
  option(label: string): Locator {
    const labelElement = this.#page.locator('.label-name').getByText(label, { exact: true });
    return this.options.filter({ has: labelElement }).first();
  }

  /** What the palette says when it does not have a command, and what it offers then. */
  get #insteadOfIt(): Locator {
    return this.box.getByText(/^(?:No matching|similar) commands$/u);
  }

  /** Takes a choice by its label. */
  async pick(label: string): Promise<void> {
    await leave(this.#page);
    await clickSurely(this.option(label));
  }
}
