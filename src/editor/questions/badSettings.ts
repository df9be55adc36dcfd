import * as vscode from 'vscode';
import { ellipsize } from '../../common/text.ts';
import { commandAction, type ErrorAction, offer } from '../failures/errorText.ts';
import { settingNames } from '../names.ts';
import { plainText } from '../window/plainText.ts';
import type { Settings } from '../window/settings.ts';
import { choice } from './confirm.ts';

/** Characters of a value in a message. */
const longestValue = 60;

/** The models of the settings, as far as this needs them. */
interface Models {
  /** What is wrong with their entries, one English sentence each. */
  readonly problems: readonly string[];
}

/** Tells a person, once for each, which values of settings are not used, and what is used instead. */
export class BadSettings {
  readonly #settings: Pick<Settings, 'ignored'>;
  readonly #models: Models;
  readonly #told = new Set<string>();

  constructor(settings: Pick<Settings, 'ignored'>, models: Models) {
    this.#settings = settings;
    this.#models = models;
  }

  /**
   * Tells it before anything is sent.
   *
   * @param asks whether a person is there who can decide; otherwise it is said beside the run
   * @throws vscode.CancellationError when the person does not want to go on
   */
  async tell(asks: boolean): Promise<void> {
    const news = this.#problems().filter(({ text }) => !this.#told.has(text));
    const [first] = news;
    if (!first) {
      return;
    }
    const texts = news.map(({ text }) => text);
    const open = commandAction(vscode.l10n.t('Open Settings'), 'workbench.action.openSettings', first.name);
    if (asks) {
      await this.#ask(texts, open);
    } else {
      void offer(vscode.window.showWarningMessage, texts.join(' '), open);
    }
    for (const text of texts) {
      this.#told.add(text);
    }
  }

  /** @throws vscode.CancellationError unless the person goes on */
  async #ask(texts: readonly string[], open: ErrorAction): Promise<void> {
    const proceed = vscode.l10n.t('Continue');
    const question = vscode.l10n.t('Some of your settings are not valid. Continue without them?');
    const chosen = await choice(question, [proceed, open.title], texts.join('\n'));
    if (chosen === open.title) {
      await open.run();
    }
    if (chosen !== proceed) {
      throw new vscode.CancellationError();
    }
  }

  #problems(): { name: string; text: string }[] {
    const ofValues = [...this.#settings.ignored].map(([name, { value, used }]) => ({
      name,
      text: vscode.l10n.t('"{0}" can\'t be {1}. Limner uses {2}.', name, shown(value), shown(used)),
    }));
    const ofModels = this.#models.problems.map((text) => ({
      name: settingNames.models,
      text: plainText(text),
    }));
    return [...ofValues, ...ofModels];
  }
}

function shown(value: unknown): string {
  return plainText(ellipsize(JSON.stringify(value) ?? '', longestValue));
}
