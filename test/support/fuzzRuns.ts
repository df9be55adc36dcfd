/** Whether this is `npm run test:long`, which draws more of what is drawn at random than `npm test` does. */
const isLong = process.env['LIMNER_TEST_LONG'] === '1';

/** Returns how much to draw: `few` in `npm test`, `many` in `npm run test:long`. */
export function fuzzRuns<T>(few: T, many: T): T {
  return isLong ? many : few;
}
