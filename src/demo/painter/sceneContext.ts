import type { Canvas } from './canvas.ts';
import type { Palette } from './color.ts';
import type { Random } from '../http/random.ts';

export interface SceneContext {
  canvas: Canvas;
  palette: Palette;
  random: Random;
  /** The prompt's words in lower case. */
  words: readonly string[];
}

/** Draws a figure with its foot at a point. `size` is its height in pixels. */
export type Draw = (context: SceneContext, x: number, foot: number, size: number) => void;

/** An object that a prompt can name and a scene can show. */
export interface Figure {
  draw: Draw;
  element: 'land' | 'water' | 'air';
}

/** Returns the item that the first matching word of a prompt names, in singular or plural. */
export function firstNamed<T>(
  words: readonly string[],
  things: readonly (readonly [thing: T, names: string])[],
): T | undefined {
  const named = new Map(things.flatMap(([thing, names]) => names.split(' ').map((name) => [name, thing])));
  for (const word of words) {
    const thing = named.get(word) ?? named.get(word.replace(/s$/u, ''));
    if (thing !== undefined) {
      return thing;
    }
  }
  return undefined;
}
