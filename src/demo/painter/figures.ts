import { house, lighthouse } from './buildings.ts';
import type { Canvas } from './canvas.ts';
import { bird, cat } from './creatures.ts';
import type { Palette } from './palette.ts';
import { flower, tree } from './plants.ts';
import type { Random } from './random.ts';
import { balloon, boat } from './vehicles.ts';

/** Draws a figure with its foot at a point; `size` is its height in pixels. */
export type Draw = (
  canvas: Canvas,
  x: number,
  foot: number,
  size: number,
  palette: Palette,
  random: Random,
) => void;

/** Something that a prompt may name and a scene may hold. */
export interface Figure {
  draw: Draw;
  /** Where it belongs. */
  element: 'land' | 'water' | 'air';
}

/** The figure for the first word of the prompt that has one. */
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

const land = (draw: Draw): Figure => ({ draw, element: 'land' });
const air = (draw: Draw): Figure => ({ draw, element: 'air' });

const FIGURES: ReadonlyMap<string, Figure> = new Map([
  ['cat', land(cat)],
  ['kitten', land(cat)],
  ['house', land(house)],
  ['cottage', land(house)],
  ['home', land(house)],
  ['cabin', land(house)],
  ['boat', BOAT],
  ['ship', BOAT],
  ['sailboat', BOAT],
  ['lighthouse', land(lighthouse)],
  ['tower', land(lighthouse)],
  ['tree', land(tree)],
  ['oak', land(tree)],
  ['flower', land(flower)],
  ['garden', land(flower)],
  ['tulip', land(flower)],
  ['meadow', land(flower)],
  ['bird', air(bird)],
  ['gull', air(bird)],
  ['balloon', air(balloon)],
]);
