import * as vscode from 'vscode';
import { type CallStyle, type CallStyleSetting, isNative } from '../../common/callStyle.ts';
import { parseModels, type ModelEntry } from '../../service/modelOptions.ts';
import type { TaskRequest } from '../../tasks/task.ts';
import { commandAction } from '../failures/errorText.ts';
import { refuse } from '../failures/refusal.ts';
import { commands, settingNames } from '../names.ts';
import type { Settings } from '../window/settings.ts';

/** The models of the settings, and which of them to use. */
export class Models {
  readonly #settings: Settings;
  readonly #log: vscode.LogOutputChannel;

  constructor(settings: Settings, log: vscode.LogOutputChannel) {
    this.#settings = settings;
    this.#log = log;
  }

  /** Returns the models that the person configured; invalid entries are logged. */
  configured(): ModelEntry[] {
    const { models, problems } = parseModels(this.#settings.models);
    for (const problem of problems) {
      this.#log.warn(problem);
    }
    return models;
  }

  /**
   * Returns the model to use without asking: the one requested, the one set, or the only one. An ID that is not in the
   * list is accepted as it is.
   */
  implied(models: readonly ModelEntry[], asked?: string): ModelEntry | undefined {
    const wanted = asked ?? this.#settings.model;
    if (wanted !== '') {
      return models.find(({ id }) => id === wanted) ?? { id: wanted, family: 'image' };
    }
    return models.length === 1 ? models[0] : undefined;
  }

  /** Returns the implied model, else the first one. @throws LimnerError `invalid_request` when there is none */
  choose(asked: string | undefined): ModelEntry {
    const models = this.configured();
    const model = this.implied(models, asked) ?? models[0];
    if (!model) {
      throw noModel();
    }
    return model;
  }

  /**
   * Resolves `auto`: asynchronous for both families, unless the model says otherwise. Native calls take only prompts of
   * the native family, so everything else is asynchronous there as well.
   *
   * @param asked the setting by default
   */
  callStyle(
    { family, callStyle = 'auto' }: ModelEntry,
    kind: TaskRequest['kind'],
    asked: CallStyleSetting = this.#settings.callStyle,
  ): CallStyle {
    const wanted = asked === 'auto' ? callStyle : asked;
    const canBeHad = !isNative(wanted) || (kind === 'generate' && family === 'native');
    return wanted === 'auto' || !canBeHad ? 'async' : wanted;
  }
}

export function modelName({ id, label }: ModelEntry): string {
  return label ?? id;
}

/** Whether an entry of `limner.models` is for this model. */
export function hasId(entry: unknown, id: string): entry is object {
  return typeof entry === 'object' && entry !== null && 'id' in entry && entry.id === id;
}

/** Returns the error for a missing model, with the buttons that lead to one. */
export function noModel(): Error {
  return refuse(
    'invalid_request',
    vscode.l10n.t("No model is set. The service doesn't list its models, so you need to specify one."),
    [
      commandAction(vscode.l10n.t('Connect to a Service…'), commands.connect),
      commandAction(vscode.l10n.t('Open Settings'), 'workbench.action.openSettings', settingNames.models),
    ],
  );
}
