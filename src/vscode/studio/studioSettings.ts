import { callStyles, isNative } from '../../common/requestValues.ts';
import type { ModelEntry } from '../../service/terms/modelOptions.ts';
import type { Draft } from '../../studio/protocol/draft.ts';
import type { StudioModel, StudioState } from '../../studio/protocol/state.ts';
import { modelName, type Models } from '../generate/models.ts';
import { maxInputsOf } from '../../engine/operations/modelRules.ts';
import type { LanguageModels } from '../generate/promptWriter.ts';
import type { Settings } from '../window/settings.ts';
import type { WorkspaceFolders } from '../ask/confirm.ts';

/** Default maximum number of images of a model. */
export const usualMaxCount = 4;

export async function studioSettings(
  allModels: Models,
  settings: Settings,
  folders: WorkspaceFolders,
  languageModels: Pick<LanguageModels, 'areThere'>,
  draft: Draft,
): Promise<
  Pick<StudioState, 'models' | 'defaultModel' | 'defaults' | 'baseUrl' | 'isConnected' | 'hasLanguageModel'>
> {
  const models = allModels.configured();
  const implied = allModels.usual();
  // A model that isn't listed is shown if it would be sent.
  const chosen = allModels.ofDraft(draft);
  const listed = new Set(models.map(({ id }) => id));
  const unlisted = new Map(
    [chosen, implied].flatMap((model) =>
      model && !listed.has(model.id) ? [[model.id, model] as const] : [],
    ),
  );
  const root = await folders.current(false);
  const { size, quality, n: count } = settings.forNewImages;
  return {
    models: [...unlisted.values(), ...models].map(studioModel),
    defaultModel: implied?.id ?? '',
    defaults: { size, quality, count, folder: settings.folder(root), fileName: settings.fileName(root) },
    baseUrl: settings.baseUrl,
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
