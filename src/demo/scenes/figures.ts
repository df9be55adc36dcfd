import { house, lighthouse } from './buildings.ts';
import { bird, cat } from './creatures.ts';
import type { Draw, Figure } from './figure.ts';
import { flower, tree } from './plants.ts';
import { balloon, boat } from './vehicles.ts';

/** Returns the figure for the first word of the prompt that has one. */
export function figureFor(words: readonly string[]): Figure | undefined {
  for (const word of words) {
    const figure = FIGURES.get(word) ?? FIGURES.get(word.replace(/s$/u, ''));
    if (figure !== undefined) {
      return figure;
    }
  }
  return undefined;
}

export const BOAT: Figure = { draw: boat, element: 'water' };

const onLand = (draw: Draw): Figure => ({ draw, element: 'land' });
const air = (draw: Draw): Figure => ({ draw, element: 'air' });

const FIGURES: ReadonlyMap<string, Figure> = new Map([
  ['cat', onLand(cat)],
  ['kitten', onLand(cat)],
  ['house', onLand(house)],
  ['cottage', onLand(house)],
  ['home', onLand(house)],
  ['cabin', onLand(house)],
  ['boat', BOAT],
  ['ship', BOAT],
  ['sailboat', BOAT],
  ['lighthouse', onLand(lighthouse)],
  ['tower', onLand(lighthouse)],
  ['tree', onLand(tree)],
  ['oak', onLand(tree)],
  ['flower', onLand(flower)],
  ['garden', onLand(flower)],
  ['tulip', onLand(flower)],
  ['meadow', onLand(flower)],
  ['bird', air(bird)],
  ['gull', air(bird)],
  ['balloon', air(balloon)],
]);
