import type { MaskOperation } from '../../../src/studio/mask.ts';
import type { Size } from '../parts/zoom.ts';
import type { Area } from './area.ts';
import { blankMask, emptyTile, fullTile, tileSide } from './maskPixels.ts';
import type { MaskPixels } from './maskPixels.ts';
import { MaskWriter } from './maskWriter.ts';
import { drawn } from './operation.ts';
import { drawStroke, pointsOf } from './stroke.ts';
import type { Stroke } from './stroke.ts';

/** Reads a kept mask file as a mask of this size. */
export type LoadMask = (file: string, size: Size) => Promise<MaskPixels>;

/** Tiles that are kept for undoing, together 128 MiB. */
const mostTiles = 2048;
/** The latest states are kept whatever they hold. */
const leastStates = 4;
/** Replaying lets others have a turn after so many milliseconds. */
const turn = 30;

/**
 * What a list of operations looks like. States along the way are kept, so that undoing and redoing take what is there;
 * when they hold too much, every second one goes, and is drawn again from the one before when it is wanted.
 */
export class Painting {
  readonly #blank: MaskPixels;
  readonly #load: LoadMask;
  /** The state after an operation, oldest first. An operation has the same ones before it for as long as it lives. */
  readonly #states = new Map<MaskOperation, MaskPixels>();
  #current: MaskPixels;
  #stroke: { stroke: Stroke; writer: MaskWriter; drawn: number } | undefined;
  #shown: Promise<void> = Promise.resolve();
  #waiting = 0;

  constructor(size: Size, load: LoadMask) {
    this.#blank = blankMask(size);
    this.#current = this.#blank;
    this.#load = load;
  }

  /** The mask as it is, with the stroke that is being drawn. */
  get mask(): MaskPixels {
    return this.#stroke?.writer ?? this.#current;
  }

  /** How many tiles the kept states hold together. */
  get keptTiles(): number {
    const tiles = new Set([...this.#states.values()].flatMap((state) => state.tiles));
    tiles.delete(emptyTile);
    tiles.delete(fullTile);
    return tiles.size;
  }

  /** Whether a state is still being drawn or read; until then no stroke can begin. */
  get isBusy(): boolean {
    return this.#waiting > 0;
  }

  /**
   * Shows what these operations make; one call after the other.
   * @throws what reading a file throws; then what was shown stays
   */
  async show(operations: readonly MaskOperation[]): Promise<void> {
    const before = this.#shown;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#shown = promise;
    this.#waiting += 1;
    try {
      await before;
      await this.#replay(operations);
    } finally {
      this.#waiting -= 1;
      resolve();
    }
  }

  async #replay(operations: readonly MaskOperation[]): Promise<void> {
    const next = operations.findLastIndex((operation) => this.#states.has(operation)) + 1;
    const known = operations[next - 1];
    let mask = (known && this.#states.get(known)) ?? this.#blank;
    let start = performance.now();
    for (const operation of operations.slice(next)) {
      mask = operation.kind === 'load' ? await this.#load(operation.file, mask) : drawn(mask, operation);
      this.#keep(operation, mask);
      if (performance.now() - start > turn) {
        await new Promise((resolve) => {
          setTimeout(resolve);
        });
        start = performance.now();
      }
    }
    this.#current = mask;
  }

  /** Begins a stroke on top of what is shown; its points may grow until it is finished. */
  begin(stroke: Stroke): void {
    this.#stroke = { stroke, writer: new MaskWriter(this.#current), drawn: 0 };
  }

  /** Draws the points that the stroke has got since. @returns what was touched */
  extend(): Area | undefined {
    if (!this.#stroke) {
      return undefined;
    }
    const { stroke, writer, drawn } = this.#stroke;
    this.#stroke.drawn = pointsOf(stroke);
    return drawStroke(writer, stroke, drawn);
  }

  /** The stroke is as it should be: showing it at the end of the operations costs nothing now. */
  finish(): void {
    this.extend();
    if (this.#stroke) {
      this.#current = this.#stroke.writer.finish();
      this.#keep(this.#stroke.stroke, this.#current);
      this.#stroke = undefined;
    }
  }

  /** Takes back the stroke that is being drawn. */
  cancel(): void {
    this.#stroke = undefined;
  }

  #keep(operation: MaskOperation, mask: MaskPixels): void {
    this.#states.delete(operation);
    this.#states.set(operation, mask);
    while (this.#states.size > leastStates && this.keptTiles > mostTiles) {
      const older = [...this.#states.keys()].slice(0, -leastStates);
      for (const [index, state] of older.entries()) {
        if (index % 2 === 0) {
          this.#states.delete(state);
        }
      }
    }
  }
}

/** What is not the same in two states of a mask. */
export function difference(one: MaskPixels, other: MaskPixels): Area | undefined {
  let area: Area | undefined;
  for (const [index, tile] of one.tiles.entries()) {
    if (tile !== other.tiles[index]) {
      const left = (index % one.columns) * tileSide;
      const top = Math.floor(index / one.columns) * tileSide;
      area = {
        left: Math.min(area?.left ?? left, left),
        top: Math.min(area?.top ?? top, top),
        right: Math.max(area?.right ?? 0, left + tileSide),
        bottom: Math.max(area?.bottom ?? 0, top + tileSide),
      };
    }
  }
  return area;
}
