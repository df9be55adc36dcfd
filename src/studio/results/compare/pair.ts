import type { Size } from '../../zoom/zoom.ts';
import type { ZoomControl } from '../../zoom/useZoom.ts';

/** Two images to compare: `after` is the result. */
export interface Pair {
  control: ZoomControl;
  before: { url: string; name: string };
  after: { url: string; name: string };
  /** Called with the size of `before` once that is loaded. */
  onSize: (size: Size) => void;
}
