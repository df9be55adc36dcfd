import type { MaskOperation } from '../protocol/maskOperations.ts';
import { touched } from './area.ts';
import type { MaskWriter } from './maskWriter.ts';

export type Lasso = Extract<MaskOperation, { kind: 'lasso' }>;

/** Number of sample lines in each row of pixels. */
const linesPerRow = 4;

/** Draws the area inside a closed line; where the line crosses itself, both sides are inside. */
export function drawLasso(writer: MaskWriter, { mode, points }: Lasso): void {
  const xs = Float64Array.from(points, ([x]) => x);
  const ys = Float64Array.from(points, ([, y]) => y);
  const area = touched(
    {
      left: xs.reduce((least, x) => Math.min(least, x), Infinity),
      top: ys.reduce((least, y) => Math.min(least, y), Infinity),
      right: xs.reduce((most, x) => Math.max(most, x), -Infinity),
      bottom: ys.reduce((most, y) => Math.max(most, y), -Infinity),
    },
    writer,
  );
  if (!area) {
    return;
  }
  const width = area.right - area.left;
  // Per pixel: the number of spans that start here minus those that end, and the partial coverage.
  const starts = new Int16Array(width + 1);
  const parts = new Float32Array(width + 1);
  for (let y = area.top; y < area.bottom; y++) {
    starts.fill(0);
    parts.fill(0);
    for (let line = 0; line < linesPerRow; line++) {
      for (const [from, to] of spansAt(xs, ys, y + (line + 0.5) / linesPerRow)) {
        const start = Math.max(0, from - area.left);
        const end = Math.min(width, to - area.left);
        if (start < end) {
          addSpan(starts, parts, start, end);
        }
      }
    }
    let whole = 0;
    for (let x = 0; x < width; x++) {
      whole += starts[x] ?? 0;
      writer.coverage[x] = (255 * (whole + (parts[x] ?? 0))) / linesPerRow + 0.5;
    }
    writer.merge(mode, y, area.left, area.right);
  }
}

/** Returns the parts of a horizontal line that are inside, from left to right. */
function spansAt(xs: Float64Array, ys: Float64Array, y: number): [from: number, to: number][] {
  const crossings: { x: number; turn: number }[] = [];
  let beforeX = xs.at(-1) ?? 0;
  let beforeY = ys.at(-1) ?? 0;
  for (let index = 0; index < ys.length; index++) {
    const nextX = xs[index] ?? 0;
    const nextY = ys[index] ?? 0;
    if (beforeY <= y !== nextY <= y) {
      const x = beforeX + ((y - beforeY) / (nextY - beforeY)) * (nextX - beforeX);
      crossings.push({ x, turn: beforeY <= y ? 1 : -1 });
    }
    beforeX = nextX;
    beforeY = nextY;
  }
  crossings.sort((a, b) => a.x - b.x);
  const spans: [number, number][] = [];
  let winding = 0;
  let from = 0;
  for (const { x, turn } of crossings) {
    if (winding === 0) {
      from = x;
    }
    winding += turn;
    if (winding === 0) {
      spans.push([from, x]);
    }
  }
  return spans;
}

/** Adds to each pixel the fraction of it that a span covers. */
function addSpan(starts: Int16Array, parts: Float32Array, from: number, to: number): void {
  const first = Math.floor(from);
  const last = Math.floor(to);
  // Covers whole pixels from the first to before the last, then corrects for the fractions at both ends.
  starts[first] = (starts[first] ?? 0) + 1;
  starts[last] = (starts[last] ?? 0) - 1;
  parts[first] = (parts[first] ?? 0) - (from - first);
  parts[last] = (parts[last] ?? 0) + (to - last);
}
