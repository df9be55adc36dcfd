import type { Host } from './host.ts';
import type { Work } from './studioStore.ts';
import type { StudioModel } from '../protocol/state.ts';

/** The state of the studio and its host, which every view gets. */
export interface Parts {
  work: Work;
  host: Host;
}

/** The context of a view that depends on the model. */
export interface ModelParts extends Parts {
  model: StudioModel;
}
