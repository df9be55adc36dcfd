import * as fc from 'fast-check';
import type { Dimensions } from '../../../src/images/formats/dimensions.ts';
import { contents, type Recipe } from './pictures.ts';

/** Sizes at which writers go wrong, if they do: single pixels, lines, long strips, and odd ones. */
export const sizes: fc.Arbitrary<Dimensions> = fc
  .oneof(
    fc.constantFrom<[number, number]>([1, 1], [5000, 3], [3, 5000]),
    fc.tuple(fc.constant(1), fc.integer({ min: 1, max: 5000 })),
    fc.tuple(fc.integer({ min: 1, max: 5000 }), fc.constant(1)),
    fc.tuple(fc.integer({ min: 1, max: 67 }), fc.integer({ min: 1, max: 67 })),
  )
  .map(([width, height]) => ({ width, height }));

/** Pictures of all sizes and contents. */
export const recipes: fc.Arbitrary<Recipe> = fc.record({
  content: fc.constantFrom(...contents),
  size: sizes,
  seed: fc.nat(),
});
