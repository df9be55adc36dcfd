import { useEffect, useMemo } from 'preact/hooks';
import type { Zoom } from '../../zoom/zoom.ts';
import type { Work } from '../../store/studioStore.ts';

/** Milliseconds without a change after which the zoom is stored: a turn of the wheel has many steps. */
const pause = 300;

/** Returns a function that stores the zoom in the draft. */
export function useKeptZoom(work: Work): (zoom: Zoom | undefined) => void {
  const kept = useMemo(() => new KeptZoom(work), [work]);
  useEffect(() => () => kept.flush(), [kept]);
  return (zoom) => kept.keep(zoom);
}

class KeptZoom {
  readonly #work: Work;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #zoom: Zoom | undefined;

  constructor(work: Work) {
    this.#work = work;
  }

  keep(zoom: Zoom | undefined): void {
    clearTimeout(this.#timer);
    this.#zoom = zoom;
    this.#timer = setTimeout(() => this.flush(), pause);
  }

  flush(): void {
    if (this.#timer !== undefined) {
      clearTimeout(this.#timer);
      this.#timer = undefined;
      this.#work.look({ mask: this.#zoom ?? null });
    }
  }
}
