import type { Size } from '../components/zoom.ts';
import type { ZoomControl } from '../components/useZoom.ts';

/** Two images to compare: `after` is the result. */
export interface Pair {
  control: ZoomControl;
  before: { url: string; name: string };
  after: { url: string; name: string };
  /** Called with the size of `before` once it is loaded. */
  onSize: (size: Size) => void;
}
