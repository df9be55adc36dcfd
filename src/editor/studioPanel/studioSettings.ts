import type { StudioState } from '../../studio/protocol/state.ts';
import type { Limner } from '../limner.ts';
import { configuredModels, impliedModel } from '../paint/models.ts';
import type { DraftFile } from './draftFile.ts';
import { studioModel } from './studioModel.ts';

/** The part of the state that follows from the settings. */
export async function studioSettings(
  limner: Limner,
  draft: DraftFile,
): Promise<Pick<StudioState, 'models' | 'defaultModel' | 'defaults' | 'isConnected'>> {
  const { settings, folders } = limner;
  const models = await configuredModels(settings, limner.log);
  const implied = impliedModel(models, undefined, settings) ?? models[0];
  // The draft may name a model that is in no list: it is sent, so it is shown.
  const chosen = impliedModel(models, draft.draft.model || undefined, settings) ?? models[0];
  const unlisted = new Set([chosen, implied].filter((model) => model && !models.includes(model)));
  const root = await folders.current(false);
  const { size, quality, n: count } = settings.forNewImages;
  return {
    models: [...unlisted, ...models].flatMap((model) => (model ? studioModel(model) : [])),
    defaultModel: implied?.id ?? '',
    defaults: { size, quality, count, folder: settings.folder(root), fileName: settings.fileName(root) },
    isConnected: settings.baseUrl !== '',
  };
}
