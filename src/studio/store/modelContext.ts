import type { StudioModel } from '../protocol/state.ts';
import type { Parts } from './studioContext.ts';

/** What a part of the composer is given that depends on the model. */
export interface ModelParts extends Parts {
  model: StudioModel;
}
