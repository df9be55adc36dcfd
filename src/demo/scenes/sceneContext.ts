import type { Canvas } from '../drawing/canvas.ts';
import type { Palette } from '../drawing/palette.ts';
import type { Random } from '../random.ts';

/** The canvas, colours and words of a scene. */
export interface SceneContext {
  canvas: Canvas;
  palette: Palette;
  random: Random;
  /** The prompt's words in lower case. */
  words: readonly string[];
}
