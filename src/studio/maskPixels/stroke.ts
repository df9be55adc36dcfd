import type { MaskOperation } from '../protocol/maskOperations.ts';
import { type Area, touched, union } from './area.ts';
import type { MaskWriter } from './maskWriter.ts';

export type Stroke = Extract<MaskOperation, { kind: 'stroke' }>;

/** The position and the size of the brush at a point. */
interface Tip {
  x: number;
  y: number;
  radius: number;
}

export function pointCount({ points }: Pick<Stroke, 'points'>): number {
  return Math.floor(points.length / 3);
}

/**
 * Draws a stroke from its point `from` on. Drawing a growing stroke in parts has the same result as drawing it whole.
 *
 * @returns the changed area
 */
export function drawStroke(writer: MaskWriter, stroke: Stroke, from = 0): Area | undefined {
  let area: Area | undefined;
  for (let index = from; index < pointCount(stroke); index++) {
    const tip = tipAt(stroke, index);
    const before = index === 0 ? tip : tipAt(stroke, index - 1);
    area = union(area, drawSegment(writer, stroke, before, tip));
  }
  return area;
}

function tipAt({ size, points }: Stroke, index: number): Tip {
  const [x = 0, y = 0, pressure = 1] = points.slice(3 * index, 3 * index + 3);
  return { x, y, radius: Math.max(0.5, (size / 2) * pressure) };
}

/** Draws from one point to the next, except behind the first one, which the previous segment has drawn. */
function drawSegment(writer: MaskWriter, { mode, hardness }: Stroke, a: Tip, b: Tip): Area | undefined {
  const reach = Math.max(a.radius, b.radius) + 0.5;
  const area = touched(
    {
      left: Math.min(a.x, b.x) - reach,
      top: Math.min(a.y, b.y) - reach,
      right: Math.max(a.x, b.x) + reach,
      bottom: Math.max(a.y, b.y) + reach,
    },
    writer,
  );
  if (!area) {
    return undefined;
  }
  const segment = new Segment(a, b, hardness);
  const solid = innerOf(Math.min(a.radius, b.radius), hardness);
  for (let y = area.top; y < area.bottom; y++) {
    const [left, right] = segment.slice(y, reach, area);
    if (left < right) {
      const [from, to] = solid > 0 ? segment.slice(y, solid, { left, right }) : [right, right];
      if (from < to) {
        segment.cover(y, left, from, writer, mode);
        writer.mergeSolid(mode, y, from, to);
        segment.cover(y, to, right, writer, mode);
      } else {
        segment.cover(y, left, right, writer, mode);
      }
    }
  }
  return area;
}

/** Returns the radius that a brush covers fully; the soft edge around it is at least one pixel wide. */
function innerOf(radius: number, hardness: number): number {
  return Math.min(hardness * radius, radius - 0.5);
}

/** The path of the brush between two points. */
class Segment {
  readonly #a: Tip;
  readonly #dx: number;
  readonly #dy: number;
  readonly #square: number;
  readonly #growth: number;
  readonly #hardness: number;

  constructor(a: Tip, b: Tip, hardness: number) {
    this.#a = a;
    this.#dx = b.x - a.x;
    this.#dy = b.y - a.y;
    this.#square = this.#dx * this.#dx + this.#dy * this.#dy;
    this.#growth = b.radius - a.radius;
    this.#hardness = hardness;
  }

  /** Returns the pixels of a row whose center is at most `radius` from the path, and not behind its start. */
  slice(
    y: number,
    radius: number,
    { left, right }: { left: number; right: number },
  ): readonly [from: number, to: number] {
    const py = y + 0.5 - this.#a.y;
    const ends = discSlice(py - this.#dy, radius);
    let from = this.#dx - ends;
    let to = this.#dx + ends;
    if (this.#square === 0) {
      return this.#pixels(from, to, left, right);
    }
    // Between the two points: limited to the sides, and along the path. A pixel near the first point and not behind it
    // lies there, or near the second point.
    let low = -Infinity;
    let high = Infinity;
    const side = radius * Math.sqrt(this.#square);
    if (this.#dy !== 0) {
      const middle = (py * this.#dx) / this.#dy;
      const half = Math.abs(side / this.#dy);
      low = middle - half;
      high = middle + half;
    } else if (Math.abs(py * this.#dx) > side) {
      high = -Infinity;
    }
    let begin = -Infinity;
    let end = Infinity;
    if (this.#dx !== 0) {
      const zero = (-py * this.#dy) / this.#dx;
      const one = zero + this.#square / this.#dx;
      begin = Math.min(zero, one);
      end = Math.max(zero, one);
    } else if (py * this.#dy > this.#square) {
      end = -Infinity;
    }
    if (Math.max(low, begin) <= Math.min(high, end)) {
      from = least(from, Math.max(low, begin));
      to = most(to, Math.min(high, end));
    }
    // Not behind the first point.
    if (this.#dx > 0) {
      from = Math.max(from, begin);
    } else if (this.#dx < 0) {
      to = Math.min(to, end);
    } else if (py * this.#dy < 0) {
      return [right, right];
    }
    return this.#pixels(from, to, left, right);
  }

  /** Draws the pixels `from` (inclusive) to `to` (exclusive) of a row. */
  cover(y: number, from: number, to: number, writer: MaskWriter, mode: Stroke['mode']): void {
    const dx = this.#dx;
    const dy = this.#dy;
    const py = y + 0.5 - this.#a.y;
    const part = this.#square === 0 ? 0 : 1 / this.#square;
    for (let x = from; x < to; x++) {
      const px = x + 0.5 - this.#a.x;
      // The nearest point of the path, as a fraction of its length.
      const along = (px * dx + py * dy) * part;
      const t = along < 0 ? 0 : along > 1 ? 1 : along;
      const ox = px - t * dx;
      const oy = py - t * dy;
      const radius = this.#a.radius + t * this.#growth;
      const outer = radius + 0.5;
      const depth = (outer - Math.sqrt(ox * ox + oy * oy)) / (outer - innerOf(radius, this.#hardness));
      const soft = depth < 0 ? 0 : depth > 1 ? 1 : depth;
      writer.coverage[x - from] = 255 * soft * soft * (3 - 2 * soft) + 0.5;
    }
    writer.merge(mode, y, from, to);
  }

  #pixels(from: number, to: number, left: number, right: number): readonly [from: number, to: number] {
    const start = Math.ceil(from + this.#a.x - 0.5);
    const end = Math.floor(to + this.#a.x - 0.5) + 1;
    return [Math.min(right, Math.max(left, start)), Math.max(left, Math.min(right, end))];
  }
}

/** Returns half the width of a disc at a distance above or below its center; NaN outside of it. */
function discSlice(distance: number, radius: number): number {
  return Math.sqrt(radius * radius - distance * distance);
}

/** Like `Math.min` and `Math.max`, but ignore `one` if it is NaN. */
function least(one: number, other: number): number {
  return one < other ? one : other;
}

function most(one: number, other: number): number {
  return one > other ? one : other;
}
