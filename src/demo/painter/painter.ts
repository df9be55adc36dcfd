import type { Pixels } from '../../images/codecs/codecs.ts';
import { Canvas } from '../drawing/canvas.ts';
import { drawDemoBand } from '../drawing/demoBand.ts';
import { choosePalette } from '../drawing/palette.ts';
import { hashText, seededRandom } from '../random.ts';
import { chooseScene } from '../scenes/scenes.ts';

/** One picture to be painted. */
export interface Painting {
  prompt: string;
  /** Which of several pictures of the same prompt this is, from 0. */
  variant: number;
  /** In pixels. */
  width: number;
  height: number;
}

/**
 * Paints a picture that follows from the prompt alone: the same painting gives the same pixels, another variant
 * gives another picture. Colour words tint it, subject words choose its scene, and a band marks it as a demo.
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
