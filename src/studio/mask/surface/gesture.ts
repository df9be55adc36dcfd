import type { MaskOperation } from '../../protocol/maskOperations.ts';
import type { Point } from '../../zoom/zoom.ts';
import type { Lasso } from '../model/lasso.ts';
import type { Mode } from '../model/maskWriter.ts';
import type { Stroke } from '../model/stroke.ts';

/** A place in the image, in its pixels, and how hard a pen presses there: 1 for what is no pen. */
export interface Touch extends Point {
  pressure: number;
}

/** What a tool makes of the places over which it is led. */
export interface Gesture {
  /** What it has made so far; nothing where it would change nothing. */
  readonly operation: MaskOperation | undefined;
  /** Its outline in pixels of the image, for what is not seen otherwise while it is drawn. */
  readonly outline: readonly Point[];
  lead(touch: Touch): void;
  /** There will be no more. */
  end(): void;
}

/** Where the brush goes; places that are too near to each other to make a difference are left out. */
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

  lead(touch: Touch): void {
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

/** From one corner to the opposite one. */
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

  lead({ x, y }: Touch): void {
    this.#to = { x: Math.round(x), y: Math.round(y) };
  }

  end(): void {
    // The last place is the corner.
  }
}

/** Around what is meant. */
export class LassoGesture implements Gesture {
  readonly #mode: Mode;
  readonly #spacing: number;
  readonly #points: Lasso['points'] = [];

  /** @param spacing places nearer to each other than this make no difference, in pixels of the image */
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

  lead({ x, y }: Touch): void {
    const [lastX, lastY] = this.#points.at(-1) ?? [Infinity, Infinity];
    if (Math.hypot(x - lastX, y - lastY) >= this.#spacing) {
      this.#points.push([rounded(x), rounded(y)]);
    }
  }

  end(): void {
    // It is closed by a straight line.
  }
}

/** A tenth of a pixel is seen by nobody, and shorter to write down. */
function rounded(value: number): number {
  return Math.round(value * 10) / 10;
}
