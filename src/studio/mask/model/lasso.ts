import type { MaskOperation } from '../../protocol/maskOperations.ts';
import { touched } from './area.ts';
import type { MaskWriter } from './maskWriter.ts';

export type Lasso = Extract<MaskOperation, { kind: 'lasso' }>;

/** So many lines within each row of pixels decide how much of a pixel is inside. */
const linesPerRow = 4;

/** Draws what a closed line goes around; where it crosses itself, both sides are inside. */
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
  // How many lines begin to cover whole pixels here, less those that end; and what is covered in part.
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

/** What of a horizontal line is inside, from left to right. */
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

/** Adds to each pixel the part of it that lies between two places. */
function addSpan(starts: Int16Array, parts: Float32Array, from: number, to: number): void {
  const first = Math.floor(from);
  const last = Math.floor(to);
  // From the whole pixel of the beginning to before that of the end, less what is before, with what is in the end.
  starts[first] = (starts[first] ?? 0) + 1;
  starts[last] = (starts[last] ?? 0) - 1;
  parts[first] = (parts[first] ?? 0) - (from - first);
  parts[last] = (parts[last] ?? 0) + (to - last);
}
