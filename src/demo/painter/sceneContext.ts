import type { Canvas } from './canvas.ts';
import type { Palette } from './palette.ts';
import type { Random } from './random.ts';

/** What a scene is painted from. */
export interface SceneContext {
  canvas: Canvas;
  palette: Palette;
  random: Random;
  /** The prompt's words in lower case. */
  words: readonly string[];
}
