import type { Work } from '../../store/studioStore.ts';
import type { Mode } from '../model/maskWriter.ts';

export type Tool = 'brush' | 'eraser' | 'rectangle' | 'lasso';
export type Tint = 'red' | 'green' | 'blue' | 'yellow';

export const tints: readonly Tint[] = ['red', 'green', 'blue', 'yellow'];

/** What the next stroke or shape will be like. */
export interface ToolState {
  tool: Tool;
  /** Of rectangle and lasso. */
  mode: Mode;
  /** Diameter of brush and eraser in pixels of the image. */
  size: number;
  hardness: number;
  /** In which color the mask is shown. */
  tint: Tint;
}

export const largestBrush = 2000;
const sizeStep = 1.25;
const hardnessStep = 0.1;

/** The tools of a piece of work, as they were left. */
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

  /** Makes the brush larger or smaller by one step. */
  resize(direction: 1 | -1): void {
    const { size } = this.#state;
    const next = Math.round(size * sizeStep ** direction);
    this.set({ size: Math.min(largestBrush, Math.max(1, next === size ? size + direction : next)) });
  }

  harden(direction: 1 | -1): void {
    const next = Math.round((this.#state.hardness + direction * hardnessStep) * 10) / 10;
    this.set({ hardness: Math.min(1, Math.max(0, next)) });
  }

  /** @returns what ends it */
  onDidChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

const tools = new WeakMap<Work, Tools>();

/** @param side the shorter side of the image, of which a first brush has a twelfth */
export function toolsOf(work: Work, side: number): Tools {
  const known = tools.get(work);
  if (known) {
    return known;
  }
  const fresh = new Tools(Math.max(1, Math.round(side / 12)));
  tools.set(work, fresh);
  return fresh;
}
