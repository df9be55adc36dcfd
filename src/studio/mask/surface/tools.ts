import type { StudioStore } from '../../store/studioStore.ts';
import type { Mode } from '../drawing/maskWriter.ts';

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
  /** Color in which the mask is shown. */
  tint: Tint;
}

export const maxBrushSize = 2000;
const sizeStep = 1.25;
const hardnessStep = 0.1;

/** Holds the settings of the tools, which outlive the view. */
export class Tools {
  readonly #listeners = new Set<() => void>();
  #state: ToolState;

  constructor(size: number) {
    this.#state = { tool: 'brush', mode: 'add', size, hardness: 0.8, tint: 'red' };
  }

  get state(): ToolState {
    return this.#state;
  }

  set(changes: Partial<ToolState>): void {
    this.#state = { ...this.#state, ...changes };
    for (const listener of this.#listeners) {
      listener();
    }
  }

  /** Changes the size of the brush by one step. */
  resize(direction: 1 | -1): void {
    const { size } = this.#state;
    const next = Math.round(size * sizeStep ** direction);
    this.set({ size: Math.min(maxBrushSize, Math.max(1, next === size ? size + direction : next)) });
  }

  harden(direction: 1 | -1): void {
    const next = Math.round((this.#state.hardness + direction * hardnessStep) * 10) / 10;
    this.set({ hardness: Math.min(1, Math.max(0, next)) });
  }

  /** @returns a function that removes the listener */
  onDidChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

const tools = new WeakMap<StudioStore, Tools>();

/** @param side the shorter side of the image; the initial brush is a twelfth of it */
export function toolsOf(store: StudioStore, side: number): Tools {
  const known = tools.get(store);
  if (known) {
    return known;
  }
  const fresh = new Tools(Math.max(1, Math.round(side / 12)));
  tools.set(store, fresh);
  return fresh;
}
