import type { Canvas } from '../drawing/canvas.ts';
import type { Palette } from '../drawing/palette.ts';
import type { Random } from '../random.ts';

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
