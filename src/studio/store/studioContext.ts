import type { Host } from './host.ts';
import type { StudioStore } from './studioStore.ts';
import type { StudioModel } from '../protocol/state.ts';

/** The state of the studio and its host, which every view gets. */
export interface StudioContext {
  store: StudioStore;
  host: Host;
}

/** The context of a view that depends on the model. */
export interface ModelFieldProps extends StudioContext {
  model: StudioModel;
}
