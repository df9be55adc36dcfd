import type { TreeView } from './treeView.ts';
import type { Workbench } from './workbench.ts';

/** What a user does with Limner, in the words of its commands and views. */
export class LimnerView {
  readonly #workbench: Workbench;

  constructor(workbench: Workbench) {
    this.#workbench = workbench;
  }

  /** Brings the view to the front. */
  async show(): Promise<void> {
    await this.#workbench.showContainer('Limner');
  }

  /** The list of tasks; the label of a task is its prompt. */
  get tasks(): TreeView {
    return this.#workbench.treeIn('limner');
  }

  /** Makes the built-in demo service the one that Limner talks to. */
  async useDemoService(): Promise<void> {
    await this.#workbench.runCommand('Limner: Use the Built-in Demo Service');
    await this.#workbench.notifications.dismiss('built-in demo service');
  }

  /** Enters the key of the service that is configured, and leaves what is said then. */
  async enterApiKey(key: string): Promise<void> {
    await this.#workbench.runCommand('Limner: Set API Key…');
    await this.#workbench.quickInput.answer('API key for', key);
  }

  /** Enters the key of the service that is configured. */
  async setApiKey(key: string): Promise<void> {
    await this.enterApiKey(key);
    await this.#workbench.notifications.dismiss('is set');
  }

  /**
   * Counts the messages with a text by now. A message of Limner's that surely comes after all of them is asked for, so
   * that none is on its way still.
   *
   * @param key of the service that is configured
   */
  async countMessages(text: string, key: string): Promise<number> {
    await this.enterApiKey(key);
    return this.#workbench.notifications.countBefore('is set', text);
  }

  /** Asks for an image and does not wait for it. */
  async generate(prompt: string): Promise<void> {
    await this.#workbench.runCommand('Limner: Generate Image…');
    await this.#workbench.quickInput.answer('Describe the image', prompt);
  }

  /** Says what should become of the images whose *Edit Image…* was chosen, and does not wait for it. */
  async answerEdit(prompt: string): Promise<void> {
    await this.#workbench.quickInput.answer('Describe the change', prompt);
  }

  /**
   * Waits until a running task shows so many percent or more: the first ones pass quickly.
   *
   * @param tasks so many of them
   */
  async whenProgress(prompt: string, percent: number, tasks = 1): Promise<void> {
    const percents = Array.from({ length: 101 - percent }, (_, more) => percent + more);
    await this.tasks
      .description(prompt)
      .filter({ hasText: new RegExp(`^(?:${percents.join('|')})%`) })
      .nth(tasks - 1)
      .waitFor();
  }

  /** Waits until the images of a task are saved. */
  async whenSaved(prompt: string): Promise<void> {
    await this.tasks
      .description(prompt)
      .filter({ hasText: /(?:^|· )\d+ images?\b/ })
      .first()
      .waitFor();
    // For a moment the row can be below its day already and still among those that run.
    await this.tasks.topRow(prompt).waitFor({ state: 'detached' });
  }
}
