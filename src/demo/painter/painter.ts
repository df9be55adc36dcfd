// Room: makes and repaints the demo service's images, in a thread of its own.
// Never: the requests and tasks of its clients.

import type { Pixels } from '../../images/codecs/codecs.ts';
import { Canvas } from '../drawing/canvas.ts';
import { drawDemoBand } from '../drawing/demoBand.ts';
import { choosePalette } from '../drawing/palette.ts';
import { hashText, seededRandom } from '../random.ts';
import { flatGroundOf, paintOnFlatGround, paintOnNothing, wordsOf } from './flatGround.ts';
import { chooseScene } from '../scenes/scenes.ts';

/** An image to paint. */
export interface Painting {
  prompt: string;
  /** The index among the images of the same prompt. */
  variant: number;
  /** In pixels. */
  width: number;
  height: number;
  /** Whether only the subject is painted, on nothing. */
  transparent?: boolean;
}

/**
 * Paints an image that depends on nothing but the prompt, variant and size: equal paintings have equal pixels. Colour
 * words tint it, subject words choose its scene, and a band marks it as a demo. Where the prompt asks for a flat
 * background, only its subject is on it.
 */
export function paint({ prompt, variant, width, height, transparent = false }: Painting): Pixels {
  if (transparent) {
    return paintOnNothing(wordsOf(prompt), variant, width, height);
  }
  const ground = flatGroundOf(prompt);
  if (ground) {
    return paintOnFlatGround(ground, variant, width, height);
  }
  const canvas = new Canvas(width, height);
  paintScene(canvas, { prompt, variant });
  drawDemoBand(canvas, prompt);
  return { width, height, rgba: canvas.rgba };
}

/** Fills a canvas with the prompt's scene, without the band. */
export function paintScene(canvas: Canvas, { prompt, variant }: Pick<Painting, 'prompt' | 'variant'>): void {
  const words = wordsOf(prompt);
  const random = seededRandom(hashText(prompt.trim()) + Math.imul(variant, 0x51ed270b));
  const palette = choosePalette(words, random);
  chooseScene(words, random)({ canvas, palette, random, words });
}
