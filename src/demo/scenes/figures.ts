import { house, lighthouse } from './buildings.ts';
import { bird, cat } from './creatures.ts';
import { flower, tree } from './plants.ts';
import { firstNamed, type Draw, type Figure } from './sceneContext.ts';
import { balloon, boat } from './vehicles.ts';

export const BOAT: Figure = { draw: boat, element: 'water' };

const onLand = (draw: Draw): Figure => ({ draw, element: 'land' });
const inAir = (draw: Draw): Figure => ({ draw, element: 'air' });

/** The figures with the words for them. */
const FIGURES = [
  [onLand(cat), 'cat kitten'],
  [onLand(house), 'house cottage home cabin'],
  [BOAT, 'boat ship sailboat'],
  [onLand(lighthouse), 'lighthouse tower'],
  [onLand(tree), 'tree oak'],
  [onLand(flower), 'flower garden tulip meadow'],
  [inAir(bird), 'bird gull'],
  [inAir(balloon), 'balloon'],
] as const;

/** Returns the figure for the first word of the prompt that has one. */
export function figureFor(words: readonly string[]): Figure | undefined {
  return firstNamed<Figure>(words, FIGURES);
}
