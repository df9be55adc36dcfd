import type { StudioModel } from '../../../src/studio/state.ts';
import type { Parts } from '../parts.ts';

/** What a part of the composer is given that depends on the model. */
export interface ModelParts extends Parts {
  model: StudioModel;
}
