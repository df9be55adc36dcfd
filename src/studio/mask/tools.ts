import type { StudioStore } from '../store/studioStore.ts';
import type { Mode } from '../maskPixels/maskWriter.ts';

export type Tool = 'brush' | 'eraser' | 'rectangle' | 'lasso';
export type Tint = 'red' | 'green' | 'blue' | 'yellow';

export const tints: readonly Tint[] = ['red', 'green', 'blue', 'yellow'];

/** Settings of the next stroke or shape. */
export interface ToolState {
  tool: Tool;
  /** For rectangle and lasso. */
  mode: Mode;
  /** Diameter of brush and eraser in image pixels. */
  size: number;
  hardness: number;
  /** Color of the mask on screen. */
  tint: Tint;
}

export const maxBrushSize = 2000;
const sizeStep = 1.25;
const hardnessStep = 0.1;

/** The settings of the tools, which outlive the view. */
export class Tools {
  readonly #listeners = new Set<() => void>();
  #state: ToolState;
  #side: number;
  #brush: number;

  /** @param side the shorter side of the image @param brush size of the brush as a fraction of that side */
  constructor(side: number, brush: number) {
    this.#side = side;
    this.#brush = brush;
    this.#state = { tool: 'brush', mode: 'add', size: this.#sizeHere, hardness: 0.8, tint: 'red' };
  }

  /** Size of the brush as a fraction of the shorter side, which is the same for other images. */
  get brush(): number {
    return this.#brush;
  }

  /** Adapts the brush to an image with this shorter side. */
  fit(side: number): void {
    if (side !== this.#side) {
      this.#side = side;
      this.#change({ size: this.#sizeHere });
    }
  }

  get #sizeHere(): number {
    return Math.min(maxBrushSize, Math.max(1, Math.round(this.#brush * this.#side)));
  }

  get state(): ToolState {
    return this.#state;
  }

  set(changes: Partial<ToolState>): void {
    if (changes.size !== undefined) {
      this.#brush = changes.size / this.#side;
    }
    this.#change(changes);
  }

  #change(changes: Partial<ToolState>): void {
    this.#state = { ...this.#state, ...changes };
    for (const listener of this.#listeners) {
      listener();
    }
  }

  resize(direction: 1 | -1): void {
    const { size } = this.#state;
    const next = Math.round(size * sizeStep ** direction);
    this.set({ size: Math.min(maxBrushSize, Math.max(1, next === size ? size + direction : next)) });
  }

  harden(direction: 1 | -1): void {
    const next = Math.round((this.#state.hardness + direction * hardnessStep) * 10) / 10;
    this.set({ hardness: Math.min(1, Math.max(0, next)) });
  }

  onDidChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

const tools = new WeakMap<StudioStore, Tools>();

/** @param side the shorter side of the image */
export function toolsOf(store: StudioStore, side: number): Tools {
  const known = tools.get(store);
  if (known) {
    return known;
  }
  const fresh = new Tools(side, store.state.draft.view.brush);
  fresh.onDidChange(() => {
    if (fresh.brush !== store.state.draft.view.brush) {
      store.updateView({ brush: fresh.brush });
    }
  });
  tools.set(store, fresh);
  return fresh;
}
