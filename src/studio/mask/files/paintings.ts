import type { Host } from '../../store/host.ts';
import type { Size } from '../../zoom/zoom.ts';
import type { Work } from '../../store/studioStore.ts';
import { readMask } from './maskFiles.ts';
import { Painting } from '../model/painting.ts';

const paintings = new WeakMap<Work, Painting>();

/** The painting of a piece of work, which outlives the view of it; one of another size is a new one. */
export function paintingOf(work: Work, host: Host, { width, height }: Size): Painting {
  const known = paintings.get(work);
  if (known?.mask.width === width && known.mask.height === height) {
    return known;
  }
  const painting = new Painting({ width, height }, (file, size) => readMask(host, file, size));
  paintings.set(work, painting);
  return painting;
}
