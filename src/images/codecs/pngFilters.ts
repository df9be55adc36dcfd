/** Sampling interval in bytes for choosing a row's filter; it cycles through all channels. */
const sampling = 7;
/** Factor by which the slowest filter has to be better. */
const slowness = 1.15;

/** Returns the filter with the smallest differences in a sample. */
export function bestFilter(line: Uint8Array, above: Uint8Array, step: number): number {
  let none = 0;
  let sub = 0;
  let up = 0;
  let average = 0;
  let paeth = 0;
  for (let at = 0; at < line.length; at += sampling) {
    const level = line[at] ?? 0;
    const left = line[at - step] ?? 0;
    const corner = above[at - step] ?? 0;
    const over = above[at] ?? 0;
    none += sizeOf(level);
    sub += sizeOf(level - left);
    up += sizeOf(level - over);
    average += sizeOf(level - ((left + over) >> 1));
    paeth += sizeOf(level - nearest(left, over, corner));
  }
  const sums = [none, sub, up, average, slowness * paeth];
  return sums.indexOf(Math.min(...sums));
}

function sizeOf(difference: number): number {
  return Math.abs((difference << 24) >> 24);
}

/** Writes the differences between a row and a filter's prediction from its neighbors. */
export function applyFilter(
  filter: number,
  line: Uint8Array,
  above: Uint8Array,
  step: number,
  to: Uint8Array,
): void {
  const length = line.length;
  switch (filter) {
    case 0:
      to.set(line);
      return;
    case 1:
      to.set(line.subarray(0, step));
      for (let at = step; at < length; at++) {
        to[at] = (line[at] ?? 0) - (line[at - step] ?? 0);
      }
      return;
    case 2:
      for (let at = 0; at < length; at++) {
        to[at] = (line[at] ?? 0) - (above[at] ?? 0);
      }
      return;
    case 3:
      for (let at = 0; at < step; at++) {
        to[at] = (line[at] ?? 0) - ((above[at] ?? 0) >> 1);
      }
      for (let at = step; at < length; at++) {
        to[at] = (line[at] ?? 0) - (((line[at - step] ?? 0) + (above[at] ?? 0)) >> 1);
      }
      return;
    default:
      for (let at = 0; at < step; at++) {
        to[at] = (line[at] ?? 0) - (above[at] ?? 0);
      }
      for (let at = step; at < length; at++) {
        to[at] = (line[at] ?? 0) - nearest(line[at - step] ?? 0, above[at] ?? 0, above[at - step] ?? 0);
      }
  }
}

/** Turns the differences of a row back into levels, in place. Returns false for an unknown filter. */
export function undoFilter(filter: number, line: Uint8Array, above: Uint8Array, step: number): boolean {
  switch (filter) {
    case 0:
      return true;
    case 1:
      for (let at = step; at < line.length; at++) {
        line[at] = (line[at] ?? 0) + (line[at - step] ?? 0);
      }
      return true;
    case 2:
      for (let at = 0; at < line.length; at++) {
        line[at] = (line[at] ?? 0) + (above[at] ?? 0);
      }
      return true;
    case 3:
      for (let at = 0; at < step; at++) {
        line[at] = (line[at] ?? 0) + ((above[at] ?? 0) >> 1);
      }
      for (let at = step; at < line.length; at++) {
        line[at] = (line[at] ?? 0) + (((line[at - step] ?? 0) + (above[at] ?? 0)) >> 1);
      }
      return true;
    case 4:
      for (let at = 0; at < step; at++) {
        line[at] = (line[at] ?? 0) + (above[at] ?? 0);
      }
      for (let at = step; at < line.length; at++) {
        line[at] = (line[at] ?? 0) + nearest(line[at - step] ?? 0, above[at] ?? 0, above[at - step] ?? 0);
      }
      return true;
    default:
      return false;
  }
}

/** Returns the neighbor nearest to the joint prediction of all three. */
function nearest(left: number, over: number, corner: number): number {
  const toLeft = Math.abs(over - corner);
  const toOver = Math.abs(left - corner);
  const toCorner = Math.abs(left + over - 2 * corner);
  if (toLeft <= toOver && toLeft <= toCorner) {
    return left;
  }
  return toOver <= toCorner ? over : corner;
}
