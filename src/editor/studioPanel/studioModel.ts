import { callStyles, isNative } from '../../common/callStyle.ts';
import type { ModelEntry } from '../../service/model.ts';
import type { StudioModel } from '../../studio/protocol/state.ts';
import { modelName } from '../paint/models.ts';
import { mostInputs } from '../paint/paintRequest.ts';

/** How many pictures a model makes at most where its entry does not say. */
const usualMaxCount = 4;

/** A model of the settings as the studio knows it. */
export function studioModel(model: ModelEntry): StudioModel {
  return {
    id: model.id,
    name: modelName(model),
    family: model.family,
    sizes: model.sizes ?? [],
    maxCount: model.maxCount ?? usualMaxCount,
    maxInputs: mostInputs(model),
    mask: model.mask ?? 'alpha',
    callStyles: callStyles.filter((style) => model.family === 'native' || !isNative(style)),
  };
}
