import type { MaskOperation } from '../protocol/maskOperations.ts';
import type { Point } from '../components/zoom.ts';
import type { Lasso } from '../maskPixels/lasso.ts';
import type { Mode } from '../maskPixels/maskWriter.ts';
import type { Stroke } from '../maskPixels/stroke.ts';

/** A position in the image with the pen pressure, which is 1 for other pointers. */
export interface Touch extends Point {
  pressure: number;
}

/** Turns the positions that a tool moves over into an operation. */
export interface Gesture {
  /** The operation so far; undefined if it would change nothing. */
  readonly operation: MaskOperation | undefined;
  /** Its outline in image pixels; empty for a stroke, which is visible itself. */
  readonly outline: readonly Point[];
  moveTo(touch: Touch): void;
  /** Adds a last position that was skipped. */
  end?(): void;
}

/** A stroke of the brush, without positions too close together to make a difference. */
export class StrokeGesture implements Gesture {
  readonly operation: Stroke;
  readonly outline = [];
  readonly #spacing: number;
  #last: Touch;
  #skipped: Touch | undefined;

  constructor(brush: Pick<Stroke, 'mode' | 'size' | 'hardness'>, first: Touch) {
    this.operation = { kind: 'stroke', ...brush, points: [] };
    this.#spacing = Math.max(1, brush.size / 10);
    this.#last = first;
    this.#add(first);
  }

  moveTo(touch: Touch): void {
    if (Math.hypot(touch.x - this.#last.x, touch.y - this.#last.y) < this.#spacing) {
      this.#skipped = touch;
      return;
    }
    this.#add(touch);
    this.#last = touch;
    this.#skipped = undefined;
  }

  end(): void {
    if (this.#skipped) {
      this.#add(this.#skipped);
      this.#skipped = undefined;
    }
  }

  #add({ x, y, pressure }: Touch): void {
    this.operation.points.push(rounded(x), rounded(y), Math.round(pressure * 100) / 100);
  }
}

export class RectangleGesture implements Gesture {
  readonly #mode: Mode;
  readonly #from: Point;
  #to: Point;

  constructor(mode: Mode, from: Point) {
    this.#mode = mode;
    this.#from = { x: Math.round(from.x), y: Math.round(from.y) };
    this.#to = this.#from;
  }

  get operation(): MaskOperation | undefined {
    const { x: left, y: top } = this.#from;
    const { x: right, y: bottom } = this.#to;
    return left === right || top === bottom
      ? undefined
      : { kind: 'rectangle', mode: this.#mode, from: [left, top], to: [right, bottom] };
  }

  get outline(): Point[] {
    const [from, to] = [this.#from, this.#to];
    return [from, { x: to.x, y: from.y }, to, { x: from.x, y: to.y }];
  }

  moveTo({ x, y }: Touch): void {
    this.#to = { x: Math.round(x), y: Math.round(y) };
  }
}

export class LassoGesture implements Gesture {
  readonly #mode: Mode;
  readonly #spacing: number;
  readonly #points: Lasso['points'] = [];

  /** @param spacing least distance between points, in image pixels */
  constructor(mode: Mode, from: Point, spacing: number) {
    this.#mode = mode;
    this.#spacing = spacing;
    this.#points.push([rounded(from.x), rounded(from.y)]);
  }

  get operation(): MaskOperation | undefined {
    return this.#points.length < 3
      ? undefined
      : { kind: 'lasso', mode: this.#mode, points: [...this.#points] };
  }

  get outline(): Point[] {
    return this.#points.map(([x, y]) => ({ x, y }));
  }

  moveTo({ x, y }: Touch): void {
    const [lastX, lastY] = this.#points.at(-1) ?? [Infinity, Infinity];
    if (Math.hypot(x - lastX, y - lastY) >= this.#spacing) {
      this.#points.push([rounded(x), rounded(y)]);
    }
  }
}

/** Rounds to a tenth of a pixel, which is invisible and takes less space. */
function rounded(value: number): number {
  return Math.round(value * 10) / 10;
}
