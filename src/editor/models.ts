import * as vscode from 'vscode';
import type { CallStyle } from '../service/messages.ts';
import type { ModelEntry } from '../service/model.ts';
import type { EngineHost } from './engineHost.ts';
import { settingNames } from './names.ts';
import type { Settings } from './settings.ts';

/** The models the person configured; entries that do not fit are named in the log. */
export async function configuredModels(
  engine: EngineHost,
  settings: Settings,
  log: vscode.LogOutputChannel,
): Promise<ModelEntry[]> {
  const { parseModels } = await engine.module();
  const { models, problems } = parseModels(settings.models);
  for (const problem of problems) {
    log.warn(problem);
  }
  return models;
}

/**
 * The model to use: the one asked for, the one set, the only one there is, or the one the person picks (which is
 * remembered). Undefined when the person dismissed the pick. An id that is in no list is taken at its word.
 */
export async function chooseModel(
  models: readonly ModelEntry[],
  asked: string | undefined,
  settings: Settings,
  interactive: boolean,
): Promise<ModelEntry | undefined> {
  const wanted = asked ?? settings.model;
  if (wanted !== '') {
    return models.find(({ id }) => id === wanted) ?? { id: wanted, family: 'image' };
  }
  if (models.length <= 1 || !interactive) {
    return models[0];
  }
  const picked = await vscode.window.showQuickPick(
    models.map((model) => ({ label: model.label ?? model.id, description: model.id, model })),
    { title: vscode.l10n.t('Generate Image'), placeHolder: vscode.l10n.t('Model') },
  );
  if (picked) {
    await settings.update(settingNames.model, picked.model.id);
  }
  return picked?.model;
}

/** Decides `auto`: asynchronous for both families, unless the model's entry says otherwise. */
export function resolveCallStyle(setting: string, model: ModelEntry): CallStyle {
  const wanted = setting === 'auto' ? (model.callStyle ?? 'auto') : setting;
  switch (wanted) {
    case 'sync':
    case 'native':
    case 'nativeStream':
      return wanted;
    default:
      return 'async';
  }
}
