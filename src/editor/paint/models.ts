import type * as vscode from 'vscode';
import { type CallStyle, type CallStyleSetting, isNative } from '../../common/callStyle.ts';
import { parseModels, type ModelEntry } from '../../service/model.ts';
import type { TaskRequest } from '../../tasks/task.ts';
import type { Settings } from '../window/settings.ts';

/** The models the person configured; entries that do not fit are named in the log. */
export async function configuredModels(
  settings: Settings,
  log: vscode.LogOutputChannel,
): Promise<ModelEntry[]> {
  const { models, problems } = parseModels(settings.models);
  for (const problem of problems) {
    log.warn(problem);
  }
  return models;
}

/**
 * The model that is meant without asking: the one asked for, the one set, the only one there is. An id that is in
 * no list is taken at its word.
 */
export function impliedModel(
  models: readonly ModelEntry[],
  asked: string | undefined,
  settings: Settings,
): ModelEntry | undefined {
  const wanted = asked ?? settings.model;
  if (wanted !== '') {
    return models.find(({ id }) => id === wanted) ?? { id: wanted, family: 'image' };
  }
  return models.length === 1 ? models[0] : undefined;
}

/** Its name in lists and titles. */
export function modelName({ id, label }: ModelEntry): string {
  return label ?? id;
}

/**
 * Decides `auto`: asynchronous for both families, unless the model's entry says otherwise. The native calls take
 * prompts of the native family only, so that everything else is asynchronous there as well.
 */
export function resolveCallStyle(
  setting: CallStyleSetting,
  { family, callStyle = 'auto' }: ModelEntry,
  kind: TaskRequest['kind'],
): CallStyle {
  const wanted = setting === 'auto' ? callStyle : setting;
  const canBeHad = !isNative(wanted) || (kind === 'generate' && family === 'native');
  return wanted === 'auto' || !canBeHad ? 'async' : wanted;
}
