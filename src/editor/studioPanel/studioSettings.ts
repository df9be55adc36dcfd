import { callStyles, isNative } from '../../common/callStyle.ts';
import type { ModelEntry } from '../../service/modelOptions.ts';
import type { Draft } from '../../studio/protocol/draft.ts';
import type { StudioModel, StudioState } from '../../studio/protocol/state.ts';
import { modelName, type Models } from '../paint/models.ts';
import { maxInputsOf } from '../../tasks/requests/modelRules.ts';
import type { LanguageModels } from '../prompts/languageModels.ts';
import type { Settings } from '../window/settings.ts';
import type { WorkspaceFolders } from '../questions/workspaceFolders.ts';

/** Most images that a model makes where its entry does not say. */
const usualMaxCount = 4;

/** Returns the part of the state that follows from the settings. */
export async function studioSettings(
  allModels: Models,
  settings: Settings,
  folders: WorkspaceFolders,
  languageModels: Pick<LanguageModels, 'areThere'>,
  draft: Draft,
): Promise<Pick<StudioState, 'models' | 'defaultModel' | 'defaults' | 'isConnected' | 'hasLanguageModel'>> {
  const models = allModels.configured();
  const implied = allModels.implied(models) ?? models[0];
  // The draft may name a model that is not in the list: it is sent, so it is shown.
  const chosen = allModels.implied(models, draft.model || undefined) ?? models[0];
  const unlisted = new Set([chosen, implied].filter((model) => model && !models.includes(model)));
  const root = await folders.current(false);
  const { size, quality, n: count } = settings.forNewImages;
  return {
    models: [...unlisted, ...models].flatMap((model) => (model ? studioModel(model) : [])),
    defaultModel: implied?.id ?? '',
    defaults: { size, quality, count, folder: settings.folder(root), fileName: settings.fileName(root) },
    isConnected: settings.baseUrl !== '',
    hasLanguageModel: languageModels.areThere,
  };
}

function studioModel(model: ModelEntry): StudioModel {
  return {
    id: model.id,
    name: modelName(model),
    family: model.family,
    sizes: model.sizes ?? [],
    maxCount: model.maxCount ?? usualMaxCount,
    maxInputs: maxInputsOf(model),
    ...(model.inputs?.max === undefined && { isMaxInputsAssumed: true as const }),
    mask: model.mask ?? 'alpha',
    transparentBy: model.transparent?.by ?? 'key',
    callStyles: callStyles.filter((style) => model.family === 'native' || !isNative(style)),
  };
}
