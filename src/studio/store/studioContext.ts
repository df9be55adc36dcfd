import type { Host } from './host.ts';
import type { Work } from './studioStore.ts';

/** What every part of the panel is given: its state, and the other side. */
export interface Parts {
  work: Work;
  host: Host;
}
