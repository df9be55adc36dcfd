import { useEffect, useMemo } from 'preact/hooks';
import type { Zoom } from '../../zoom/zoom.ts';
import type { StudioStore } from '../../store/studioStore.ts';

/** Milliseconds without a change after which the zoom is stored: a turn of the wheel has many steps. */
const pause = 300;

/** Returns a function that stores the zoom in the draft. */
export function usePersistedZoom(store: StudioStore): (zoom: Zoom | undefined) => void {
  const kept = useMemo(() => new PersistedZoom(store), [store]);
  useEffect(() => () => kept.flush(), [kept]);
  return (zoom) => kept.keep(zoom);
}

class PersistedZoom {
  readonly #store: StudioStore;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #zoom: Zoom | undefined;

  constructor(store: StudioStore) {
    this.#store = store;
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
      this.#store.updateView({ mask: this.#zoom ?? null });
    }
  }
}
