import { callStyles, isNative } from '../../common/requestValues.ts';
import type { ModelEntry } from '../../service/terms/modelOptions.ts';
import type { Draft } from '../../studio/protocol/draft.ts';
import type { StudioModel, StudioState, StudioStyle } from '../../studio/protocol/state.ts';
import { modelName, type Models } from '../generate/models.ts';
import { maxInputsOf } from '../../engine/operations/modelRules.ts';
import type { LanguageModels } from '../generate/promptWriter.ts';
import type { Settings } from '../window/settings.ts';
import type { WorkspaceFolders } from '../ask/confirm.ts';
import { type Styles, wordFacts } from '../ask/styles.ts';
import type { Style } from '../../engine/operations/style.ts';
import { told } from '../../engine/messages/told.ts';
import { messageOf } from '../../common/limnerError.ts';

/** Default maximum number of images of a model. */
export const usualMaxCount = 4;

export interface StudioSettingsServices {
  models: Models;
  settings: Settings;
  folders: WorkspaceFolders;
  languageModels: Pick<LanguageModels, 'areThere'>;
  styles: Styles;
}

type StudioSettings = Pick<
  StudioState,
  'models' | 'defaultModel' | 'defaults' | 'styles' | 'baseUrl' | 'isConnected' | 'hasLanguageModel'
>;

export async function studioSettings(
  { models: allModels, settings, folders, languageModels, styles }: StudioSettingsServices,
  draft: Draft,
): Promise<StudioSettings> {
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
    defaults: {
      size,
      fit: settings.finishing(root).fit,
      quality,
      count,
      folder: settings.folder(root),
      fileName: settings.fileName(root),
    },
    styles: await Promise.all(
      (await styles.names()).map(async (name) => studioStyle(styles, name, settings)),
    ),
    baseUrl: settings.baseUrl,
    isConnected: settings.baseUrl !== '',
    hasLanguageModel: languageModels.areThere,
  };
}

async function studioStyle(styles: Styles, name: string, { baseUrl }: Settings): Promise<StudioStyle> {
  try {
    const style = await styles.find(name);
    const note = style ? wordFacts(style).join(' · ') : '';
    return { name, parts: style ? draftOf(style, baseUrl) : {}, ...(note !== '' && { note }) };
  } catch (error) {
    return { name, parts: {}, problem: told(messageOf(error)) };
  }
}

/** Returns the parts of a draft that a style decides. @param baseUrl of the service in use */
export function draftOf(
  { model, size, fit = size === undefined ? undefined : 'crop', quality, transparent }: Style,
  baseUrl: string,
): StudioStyle['parts'] {
  return {
    ...(model !== undefined && { model, modelService: baseUrl }),
    ...(size !== undefined && { size }),
    ...(fit !== undefined && { fit }),
    ...(quality !== undefined && { quality }),
    ...(transparent !== undefined && { transparent }),
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
