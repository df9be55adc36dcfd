import type { Host } from './host.ts';
import type { Work } from './studioStore.ts';
import type { StudioModel } from '../protocol/state.ts';

/** What every part of the panel is given: its state, and the other side. */
export interface Parts {
  work: Work;
  host: Host;
}

/** What a part of the composer is given that depends on the model. */
export interface ModelParts extends Parts {
  model: StudioModel;
}
