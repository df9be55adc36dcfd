import * as vscode from 'vscode';
import { type CallStyle, type CallStyleSetting, isNative } from '../../common/callStyle.ts';
import { parseModels, type ModelEntry } from '../../service/modelOptions.ts';
import type { TaskRequest } from '../../tasks/task.ts';
import { commandAction } from '../failures/errorText.ts';
import { refuse } from '../failures/refusal.ts';
import { commands, settingNames } from '../names.ts';
import type { Settings } from '../window/settings.ts';

/** The models of the settings, and which of them is meant. */
export class Models {
  readonly #settings: Settings;
  readonly #log: vscode.LogOutputChannel;

  constructor(settings: Settings, log: vscode.LogOutputChannel) {
    this.#settings = settings;
    this.#log = log;
  }

  /** The models the person configured; entries that do not fit are named in the log. */
  configured(): ModelEntry[] {
    const { models, problems } = parseModels(this.#settings.models);
    for (const problem of problems) {
      this.#log.warn(problem);
    }
    return models;
  }

  /**
   * The model that is meant without asking: the one asked for, the one set, the only one there is. An id that is in
   * no list is taken at its word.
   */
  implied(models: readonly ModelEntry[], asked?: string): ModelEntry | undefined {
    const wanted = asked ?? this.#settings.model;
    if (wanted !== '') {
      return models.find(({ id }) => id === wanted) ?? { id: wanted, family: 'image' };
    }
    return models.length === 1 ? models[0] : undefined;
  }

  /** The implied model, else the first one. @throws LimnerError `invalid_request` when there is none */
  choose(asked: string | undefined): ModelEntry {
    const models = this.configured();
    const model = this.implied(models, asked) ?? models[0];
    if (!model) {
      throw noModel();
    }
    return model;
  }

  /**
   * Decides `auto`: asynchronous for both families, unless the model's entry says otherwise. The native calls take
   * prompts of the native family only, so that everything else is asynchronous there as well.
   *
   * @param asked the setting, where it is not given
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

/** Its name in lists and titles. */
export function modelName({ id, label }: ModelEntry): string {
  return label ?? id;
}

/** That there is no model, with the buttons that lead to one. */
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
