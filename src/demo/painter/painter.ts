// Room: makes and repaints the demo service's images, in a thread of its own.
// Never: the requests and tasks of its clients.

import type { Pixels } from '../../images/codecs/codecs.ts';
import { Canvas } from '../drawing/canvas.ts';
import { drawDemoBand } from '../drawing/demoBand.ts';
import { choosePalette } from '../drawing/palette.ts';
import { hashText, seededRandom } from '../random.ts';
import { chooseScene } from '../scenes/scenes.ts';

/** An image to paint. */
export interface Painting {
  prompt: string;
  /** The index among the images of the same prompt. */
  variant: number;
  /** In pixels. */
  width: number;
  height: number;
}

/**
 * Paints an image that depends on nothing but the prompt, variant and size: equal paintings have equal pixels. Colour
 * words tint it, subject words choose its scene, and a band marks it as a demo.
 */
export function paint({ prompt, variant, width, height }: Painting): Pixels {
  const canvas = new Canvas(width, height);
  paintScene(canvas, { prompt, variant });
  drawDemoBand(canvas, prompt);
  return { width, height, rgba: canvas.rgba };
}

/** Fills a canvas with the prompt's scene, without the band. */
export function paintScene(canvas: Canvas, { prompt, variant }: Pick<Painting, 'prompt' | 'variant'>): void {
  const words = prompt.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const random = seededRandom(hashText(prompt.trim()) + Math.imul(variant, 0x51ed270b));
  const palette = choosePalette(words, random);
  chooseScene(words, random)({ canvas, palette, random, words });
}
