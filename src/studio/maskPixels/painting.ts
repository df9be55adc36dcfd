import type { MaskOperation } from '../protocol/maskOperations.ts';
import type { Size } from '../components/zoom.ts';
import { type Area, union } from './area.ts';
import { blankMask, emptyTile, fullTile, type MaskPixels, tileSide } from './maskPixels.ts';
import { MaskWriter } from './maskWriter.ts';
import { drawn } from './operation.ts';
import { drawStroke, pointCount, type Stroke } from './stroke.ts';

/** Reads a kept mask file as a mask of this size. @throws when it is gone or can't be read */
export type LoadMask = (file: string, size: Size) => Promise<MaskPixels>;

type LoadOperation = Extract<MaskOperation, { kind: 'load' }>;

/** Number of tiles that are kept for undo: 128 MiB in all. */
const maxTiles = 2048;
/** Number of latest states that are kept regardless of their size. */
const minStates = 4;
/** Replaying yields to the event loop after this time, in milliseconds. */
const sliceTime = 30;

/**
 * Draws a list of operations. Intermediate states are kept, so that undo and redo need no drawing. When they take too
 * much memory, every second one is dropped, and redrawn from the previous one when needed.
 */
export class Painting {
  readonly #blank: MaskPixels;
  readonly #load: LoadMask;
  /** The state after each operation, oldest first. The operations before one never change while it exists. */
  readonly #states = new Map<MaskOperation, MaskPixels>();
  /** Operations with unreadable files, which leave the mask blank. */
  readonly #lostLoads = new WeakSet<MaskOperation>();
  #isLoadLost = false;
  #current: MaskPixels;
  #stroke: { stroke: Stroke; writer: MaskWriter; drawn: number } | undefined;
  #shown: Promise<void> = Promise.resolve();
  #waiting = 0;

  /** @param blank what there is before the first operation */
  constructor(size: Size, load: LoadMask, blank = blankMask(size)) {
    this.#blank = blank;
    this.#current = this.#blank;
    this.#load = load;
  }

  /** The current mask, including an unfinished stroke. */
  get mask(): MaskPixels {
    return this.#stroke?.writer ?? this.#current;
  }

  /** Total number of tiles in the kept states. */
  get keptTiles(): number {
    const tiles = new Set([...this.#states.values()].flatMap((state) => state.tiles));
    tiles.delete(emptyTile);
    tiles.delete(fullTile);
    return tiles.size;
  }

  /** Whether a state is still being drawn or read, so that no stroke can begin. */
  get isBusy(): boolean {
    return this.#waiting > 0;
  }

  /** Whether the mask was painted on a loaded mask that can't be read and counts as blank. */
  get isLoadLost(): boolean {
    return this.#isLoadLost;
  }

  /** Draws these operations, once earlier calls are done. */
  async show(operations: readonly MaskOperation[]): Promise<void> {
    await this.#inTurn(async () => this.#replay(operations));
  }

  /** Reads the file of an operation before it is drawn. @throws what `LoadMask` throws */
  async load(operation: LoadOperation): Promise<void> {
    await this.#inTurn(async () => this.#keep(operation, await this.#load(operation.file, this.#blank)));
  }

  async #inTurn(draw: () => Promise<void>): Promise<void> {
    const before = this.#shown;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#shown = promise;
    this.#waiting += 1;
    try {
      await before;
      await draw();
    } finally {
      this.#waiting -= 1;
      resolve();
    }
  }

  async #replay(operations: readonly MaskOperation[]): Promise<void> {
    const counting = operations.slice(Math.max(0, operations.findLastIndex(replacesAll)));
    const next = counting.findLastIndex((operation) => this.#states.has(operation)) + 1;
    const known = counting[next - 1];
    let mask = (known && this.#states.get(known)) ?? this.#blank;
    let start = performance.now();
    for (const operation of counting.slice(next)) {
      mask = operation.kind === 'load' ? await this.#loaded(operation) : drawn(mask, operation);
      this.#keep(operation, mask);
      if (performance.now() - start > sliceTime) {
        await new Promise((resolve) => {
          setTimeout(resolve);
        });
        start = performance.now();
      }
    }
    this.#current = mask;
    const [first] = counting;
    this.#isLoadLost = first !== undefined && this.#lostLoads.has(first);
  }

  async #loaded(operation: LoadOperation): Promise<MaskPixels> {
    try {
      const mask = await this.#load(operation.file, this.#blank);
      this.#lostLoads.delete(operation);
      return mask;
    } catch {
      this.#lostLoads.add(operation);
      return this.#blank;
    }
  }

  /** Begins a stroke on the current mask; points may be added until it is finished. */
  begin(stroke: Stroke): void {
    this.#stroke = { stroke, writer: new MaskWriter(this.#current), drawn: 0 };
  }

  /** Draws the points that were added to the stroke. @returns the changed area */
  extend(): Area | undefined {
    if (!this.#stroke) {
      return undefined;
    }
    const { stroke, writer, drawn } = this.#stroke;
    this.#stroke.drawn = pointCount(stroke);
    return drawStroke(writer, stroke, drawn);
  }

  /** Finishes the stroke and keeps its state, so that it need not be drawn again. */
  finish(): void {
    this.extend();
    if (this.#stroke) {
      this.#current = this.#stroke.writer.finish();
      this.#keep(this.#stroke.stroke, this.#current);
      this.#stroke = undefined;
    }
  }

  cancel(): void {
    this.#stroke = undefined;
  }

  #keep(operation: MaskOperation, mask: MaskPixels): void {
    this.#states.delete(operation);
    this.#states.set(operation, mask);
    while (this.#states.size > minStates && this.keptTiles > maxTiles) {
      const older = [...this.#states.keys()].slice(0, -minStates);
      for (const [index, state] of older.entries()) {
        if (index % 2 === 0) {
          this.#states.delete(state);
        }
      }
    }
  }
}

/** Whether an operation makes the previous ones irrelevant. */
function replacesAll({ kind }: MaskOperation): boolean {
  return kind === 'load' || kind === 'clear' || kind === 'fill';
}

/** Returns the area in which two states of a mask differ. */
export function difference(one: MaskPixels, other: MaskPixels): Area | undefined {
  let area: Area | undefined;
  for (const [index, tile] of one.tiles.entries()) {
    if (tile !== other.tiles[index]) {
      const left = (index % one.columns) * tileSide;
      const top = Math.floor(index / one.columns) * tileSide;
      area = union(area, { left, top, right: left + tileSide, bottom: top + tileSide });
    }
  }
  return area;
}
