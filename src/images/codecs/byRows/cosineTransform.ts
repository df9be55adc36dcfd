/** Numbers in a row or column of a block. */
const side = 8;

const [half, quarter, sum, difference] = [Math.SQRT1_2, 0.382683433, 0.5411961, 1.306562965];

/**
 * By how much larger the transform leaves each coefficient than it is: it saves the multiplications that a division can
 * make up for (Arai, Agui and Nakajima).
 */
export const leftScales: readonly number[] = Array.from(
  { length: side * side },
  (_, at) => side * scaleOf(Math.floor(at / side)) * scaleOf(at % side),
);

function scaleOf(index: number): number {
  return index === 0 ? 1 : Math.SQRT2 * Math.cos((index * Math.PI) / 16);
}

/** Turns a block of 64 levels around 0 into its frequencies, in place; each is `leftScales` times too large. */
export function cosineTransform(block: Float32Array): void {
  for (let start = 0; start < side * side; start += side) {
    transformLine(block, start, 1);
  }
  for (let start = 0; start < side; start++) {
    transformLine(block, start, side);
  }
}

function transformLine(block: Float32Array, start: number, step: number): void {
  const a = block[start] ?? 0;
  const b = block[start + step] ?? 0;
  const c = block[start + 2 * step] ?? 0;
  const d = block[start + 3 * step] ?? 0;
  const e = block[start + 4 * step] ?? 0;
  const f = block[start + 5 * step] ?? 0;
  const g = block[start + 6 * step] ?? 0;
  const h = block[start + 7 * step] ?? 0;
  const outer = a + h + (d + e);
  const inner = b + g + (c + f);
  block[start] = outer + inner;
  block[start + 4 * step] = outer - inner;
  const tilt = a + h - (d + e);
  const even = (b + g - (c + f) + tilt) * half;
  block[start + 2 * step] = tilt + even;
  block[start + 6 * step] = tilt - even;
  const low = d - e + (c - f);
  const middle = (c - f + (b - g)) * half;
  const high = b - g + (a - h);
  const turned = (low - high) * quarter;
  const lower = low * sum + turned;
  const upper = high * difference + turned;
  const plus = a - h + middle;
  const minus = a - h - middle;
  block[start + 5 * step] = minus + lower;
  block[start + 3 * step] = minus - lower;
  block[start + step] = plus + upper;
  block[start + 7 * step] = plus - upper;
}
