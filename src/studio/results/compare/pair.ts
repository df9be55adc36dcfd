import type { Size } from '../../zoom/zoom.ts';
import type { ZoomControl } from '../../zoom/useZoom.ts';

/** Two pictures of which one is looked at, as each way of comparing takes them. */
export interface Pair {
  control: ZoomControl;
  before: { url: string; name: string };
  after: { url: string; name: string };
  /** The other picture is loaded, and so large. */
  onSize: (size: Size) => void;
}
