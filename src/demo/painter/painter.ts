import type { Pixels } from '../../images/finish/codecs.ts';
import { Canvas } from './canvas.ts';
import { drawDemoBand } from './pixelFont.ts';
import { choosePalette } from './color.ts';
import { hashText, seededRandom } from '../http/random.ts';
import { flatBackgroundOf, paintOnFlatBackground, paintOnNothing, promptWords } from './flatBackground.ts';
import { chooseScene } from './scenes.ts';

export interface Painting {
  prompt: string;
  /** The index among the images of the same prompt. */
  variant: number;
  width: number;
  height: number;
  /** Whether only the subject is painted, on transparency. */
  transparent?: boolean;
}

/**
 * Paints an image that depends only on the prompt, variant, and size: equal paintings have equal pixels. Color words
 * tint it, subject words choose its scene, and a band marks it as a demo. If the prompt requests a flat background,
 * only its subject is on it.
 */
export function paint({ prompt, variant, width, height, transparent = false }: Painting): Pixels {
  if (transparent) {
    return paintOnNothing(promptWords(prompt), variant, width, height);
  }
  const background = flatBackgroundOf(prompt);
  if (background) {
    return paintOnFlatBackground(background, variant, width, height);
  }
  const canvas = new Canvas(width, height);
  paintScene(canvas, { prompt, variant });
  drawDemoBand(canvas, prompt);
  return { width, height, rgba: canvas.rgba };
}

export function paintScene(canvas: Canvas, { prompt, variant }: Pick<Painting, 'prompt' | 'variant'>): void {
  const words = promptWords(prompt);
  const random = seededRandom(hashText(prompt.trim()) + Math.imul(variant, 0x51ed270b));
  const palette = choosePalette(words, random);
  chooseScene(words, random)({ canvas, palette, random, words });
}
