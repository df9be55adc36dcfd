import * as v from 'valibot';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { ellipsize, sentencesText } from '../../common/text.ts';
import { commandAction, type ErrorAction, offer } from '../window/offers.ts';
import { extensionId } from '../window/names.ts';
import * as settingNames from '../window/settingNames.ts';
import { plainText } from '../window/plainText.ts';
import type { Settings } from '../window/settings.ts';
import { told } from '../../engine/messages/told.ts';
import { choice } from './confirm.ts';

const longestValue = 60;

const range = v.object({ minimum: v.optional(v.number()), maximum: v.optional(v.number()) });
const manifest = v.object({
  contributes: v.object({ configuration: v.array(v.object({ properties: v.record(v.string(), range) })) }),
});

interface Models {
  /** Problems of their entries, one English sentence each. */
  readonly problems: readonly string[];
}

/** Reports each invalid setting once, with the value that is used instead. */
export class BadSettings {
  readonly #settings: Pick<Settings, 'ignored'>;
  readonly #models: Models;
  readonly #told = new Set<string>();

  constructor(settings: Pick<Settings, 'ignored'>, models: Models) {
    this.#settings = settings;
    this.#models = models;
  }

  /**
   * Reports invalid settings before anything is sent.
   *
   * @param asks whether a user can decide; otherwise the problems are reported beside the run
   * @throws vscode.CancellationError if the user cancels
   */
  async tell(asks: boolean): Promise<void> {
    const news = this.#problems().filter(({ text }) => !this.#told.has(text));
    const [first] = news;
    if (!first) {
      return;
    }
    const texts = news.map(({ text }) => text);
    const open = commandAction(l10n.t('Open Settings'), 'workbench.action.openSettings', first.name);
    if (asks) {
      await this.#ask(texts, open);
    } else {
      void offer(vscode.window.showWarningMessage, sentencesText(texts), open);
    }
    for (const text of texts) {
      this.#told.add(text);
    }
  }

  /** @throws vscode.CancellationError unless the user continues */
  async #ask(texts: readonly string[], open: ErrorAction): Promise<void> {
    const proceed = l10n.t('Continue');
    const question = l10n.t('Some of your settings are invalid. Continue without them?');
    const chosen = await choice(question, [proceed, open.title], texts.join('\n'));
    if (chosen === open.title) {
      await open.run();
    }
    if (chosen !== proceed) {
      throw new vscode.CancellationError();
    }
  }

  #problems(): { name: string; text: string }[] {
    const ofValues = [...this.#settings.ignored].map(([name, { value, used }]) => {
      const range = rangeOf(name);
      return {
        name,
        text: [
          l10n.t('"{0}" can\'t be {1}. Limner uses {2}.', name, shown(value), shown(used)),
          ...(range === undefined ? [] : [range]),
        ].join(' '),
      };
    });
    const ofModels = this.#models.problems.map((text) => ({
      name: settingNames.models,
      text: plainText(told(text)),
    }));
    return [...ofValues, ...ofModels];
  }
}

/** Returns the allowed values of a number, as the extension's manifest has them. */
function rangeOf(name: string): string | undefined {
  const parsed = v.safeParse(manifest, vscode.extensions.getExtension(extensionId)?.packageJSON);
  const sections = parsed.success ? parsed.output.contributes.configuration : [];
  const { minimum, maximum } = sections.flatMap(({ properties }) => properties[name] ?? [])[0] ?? {};
  if (minimum === undefined) {
    return undefined;
  }
  return maximum === undefined
    ? l10n.t('It must be at least {0}.', minimum)
    : l10n.t('It must be from {0} to {1}.', minimum, maximum);
}

function shown(value: unknown): string {
  return plainText(ellipsize(JSON.stringify(value) ?? '', longestValue));
}
