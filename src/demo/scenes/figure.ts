import type { Canvas } from '../drawing/canvas.ts';
import type { Palette } from '../drawing/palette.ts';
import type { Random } from '../random.ts';

/** Draws a figure with its foot at a point. `size` is its height in pixels. */
export type Draw = (
  canvas: Canvas,
  x: number,
  foot: number,
  size: number,
  palette: Palette,
  random: Random,
) => void;

/** An object that a prompt can name and a scene can show. */
export interface Figure {
  draw: Draw;
  element: 'land' | 'water' | 'air';
}
