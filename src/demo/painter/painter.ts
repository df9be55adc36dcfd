import { Canvas, type Pixels } from './canvas.ts';
import { drawDemoBand } from './demoBand.ts';
import { choosePalette } from './palette.ts';
import { hashText, seededRandom } from './random.ts';
import { chooseScene } from './scenes.ts';

/** One picture to be painted. */
export interface Painting {
  prompt: string;
  /** In pixels. */
  width: number;
  height: number;
  /** Which of several pictures of the same prompt this is, from 0. */
  variant: number;
}

/**
 * Paints a picture that follows from the prompt alone: the same painting gives the same pixels, another variant
 * gives another picture. Colour words tint it, subject words choose its scene, and a band marks it as a demo.
 */
export function paint({ prompt, width, height, variant }: Painting): Pixels {
  const words = prompt.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const random = seededRandom(hashText(prompt.trim()) + Math.imul(variant, 0x51ed270b));
  const canvas = new Canvas(width, height);
  const palette = choosePalette(words, random);
  chooseScene(words, random)({ canvas, palette, random, words });
  drawDemoBand(canvas, prompt);
  return { width, height, rgba: canvas.rgba };
}
