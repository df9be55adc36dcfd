import type { MaskOperation } from '../../protocol/maskOperations.ts';
import type { Size } from '../../zoom/zoom.ts';
import type { Area } from './area.ts';
import { blankMask, emptyTile, fullTile, tileSide } from './maskPixels.ts';
import type { MaskPixels } from './maskPixels.ts';
import { MaskWriter } from './maskWriter.ts';
import { drawn } from './operation.ts';
import { drawStroke, pointsOf } from './stroke.ts';
import type { Stroke } from './stroke.ts';

/** Reads a kept mask file as a mask of this size. @throws when it is gone or cannot be read */
export type LoadMask = (file: string, size: Size) => Promise<MaskPixels>;

type LoadOperation = Extract<MaskOperation, { kind: 'load' }>;

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
  /** Those whose file could not be read: nothing is marked after them. */
  readonly #lostLoads = new WeakSet<MaskOperation>();
  #isLoadLost = false;
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

  /** Whether what is shown was painted on a loaded mask that cannot be read, as if that were empty. */
  get isLoadLost(): boolean {
    return this.#isLoadLost;
  }

  /** Shows what these operations make; one call after the other. */
  async show(operations: readonly MaskOperation[]): Promise<void> {
    await this.#inTurn(async () => this.#replay(operations));
  }

  /**
   * Reads the file of an operation before that is done, so that showing it costs nothing then.
   * @throws what reading a file throws
   */
  async load(operation: LoadOperation): Promise<void> {
    await this.#inTurn(async () => this.#keep(operation, await this.#load(operation.file, this.#blank)));
  }

  async #inTurn(work: () => Promise<void>): Promise<void> {
    const before = this.#shown;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#shown = promise;
    this.#waiting += 1;
    try {
      await before;
      await work();
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
      if (performance.now() - start > turn) {
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

/** Whether what was done before has no effect any more. */
function replacesAll({ kind }: MaskOperation): boolean {
  return kind === 'load' || kind === 'clear' || kind === 'fill';
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
