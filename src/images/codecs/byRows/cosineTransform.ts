/** How much larger than the transform itself `transform` makes each coefficient of a line, but for a factor of √8. */
const gains = [1, 1.387039845, 1.306562965, 1.175875602, 1, 0.785694958, 0.5411961, 0.275899379];

/** What each coefficient of a block has to be divided by after `transform`, row by row. */
export const blockGains = Float64Array.from(
  { length: 64 },
  (_, at) => 8 * (gains[at >> 3] ?? 0) * (gains[at & 7] ?? 0),
);

/** Transforms a block of 8 × 8 numbers, row by row, into its cosine coefficients in place (Arai, Agui, Nakajima). */
export function transform(block: Float64Array): void {
  for (let row = 0; row < 64; row += 8) {
    transformLine(block, row, 1);
  }
  for (let column = 0; column < 8; column++) {
    transformLine(block, column, 8);
  }
}

function transformLine(block: Float64Array, start: number, step: number): void {
  const a0 = block[start] ?? 0;
  const a1 = block[start + step] ?? 0;
  const a2 = block[start + 2 * step] ?? 0;
  const a3 = block[start + 3 * step] ?? 0;
  const a4 = block[start + 4 * step] ?? 0;
  const a5 = block[start + 5 * step] ?? 0;
  const a6 = block[start + 6 * step] ?? 0;
  const a7 = block[start + 7 * step] ?? 0;
  // The even part.
  const outer = a0 + a7 + a3 + a4;
  const inner = a1 + a6 + a2 + a5;
  const low = a0 + a7 - a3 - a4;
  const z1 = (a1 + a6 - a2 - a5 + low) * Math.SQRT1_2;
  block[start] = outer + inner;
  block[start + 4 * step] = outer - inner;
  block[start + 2 * step] = low + z1;
  block[start + 6 * step] = low - z1;
  // The odd part.
  const b0 = a3 - a4 + a2 - a5;
  const b1 = a2 - a5 + a1 - a6;
  const b2 = a1 - a6 + a0 - a7;
  const z5 = (b0 - b2) * 0.382683433;
  const z2 = 0.5411961 * b0 + z5;
  const z4 = 1.306562965 * b2 + z5;
  const z3 = b1 * Math.SQRT1_2;
  const high = a0 - a7 + z3;
  const rest = a0 - a7 - z3;
  block[start + step] = high + z4;
  block[start + 3 * step] = rest - z2;
  block[start + 5 * step] = rest + z2;
  block[start + 7 * step] = high - z4;
}
