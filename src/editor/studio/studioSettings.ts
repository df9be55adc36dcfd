import type { StudioState } from '../../studio/state.ts';
import type { Limner } from '../limner.ts';
import { configuredModels, impliedModel } from '../paint/models.ts';
import type { DraftFile } from './draftFile.ts';
import { studioModel } from './studioModel.ts';
import { targetPreview } from './targetPreview.ts';

/** The part of the state that follows from the settings. */
export async function studioSettings(
  limner: Limner,
  draft: DraftFile,
): Promise<Pick<StudioState, 'models' | 'defaultModel' | 'defaults' | 'isConnected' | 'target'>> {
  const { settings, folders } = limner;
  const models = await configuredModels(limner.engine, settings, limner.log);
  const implied = impliedModel(models, undefined, settings) ?? models[0];
  const root = await folders.current(false);
  const { size, quality, n: count } = settings.forNewImages;
  return {
    models: [...(implied && !models.includes(implied) ? [implied] : []), ...models].map(studioModel),
    defaultModel: implied?.id ?? '',
    defaults: { size, quality, count, folder: settings.folder(root), fileName: settings.fileName(root) },
    target: await targetPreview(limner, draft),
    isConnected: settings.baseUrl !== '',
  };
}
