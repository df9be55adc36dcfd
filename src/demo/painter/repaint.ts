import type { Pixels } from '../../images/codecs/codecs.ts';
import { Canvas, type Box } from '../drawing/canvas.ts';
import { drawDemoBand } from '../drawing/demoBand.ts';
import { paintScene } from './painter.ts';
import { resize } from '../drawing/scalePixels.ts';

/** One picture to be edited. */
export interface Repainting {
  prompt: string;
  /** Which of several results of the same edit this is, from 0. */
  variant: number;
  /** The picture that is edited, and further ones that are to appear in it. */
  inputs: readonly [Pixels, ...Pixels[]];
  /** As large as the first input; the edit goes where it is transparent. Without it, everywhere. */
  mask?: Pixels;
}

/** How much of the new picture shows through the old one where no mask protects it. */
const VEIL = 0.5;

/**
 * Paints the prompt into a picture: where the mask is transparent the new picture replaces the old one, where
 * it is opaque every byte stays as it was, between them they mix. Without a mask the new picture lies over all
 * of the old one as a veil, so that both can be made out.
 */
export function repaint({ prompt, variant, inputs: [base, ...others], mask }: Repainting): Pixels {
  const { width, height } = base;
  const rgba = Uint8Array.from(base.rgba);
  const area = mask === undefined ? { left: 0, top: 0, right: width, bottom: height } : transparentArea(mask);
  const canvas = new Canvas(area.right - area.left, area.bottom - area.top);
  paintScene(canvas, { prompt, variant });
  const scene = Uint8Array.from(canvas.rgba);
  for (const [index, other] of others.entries()) {
    inset(canvas, other, index, others.length);
  }
  drawDemoBand(canvas, prompt);

  for (let row = area.top; row < area.bottom; row++) {
    for (let column = area.left; column < area.right; column++) {
      const to = (row * width + column) * 4;
      const from = ((row - area.top) * canvas.width + column - area.left) * 4;
      // What was drawn onto the scene, the band for one, is never veiled.
      const plain =
        scene[from] === canvas.rgba[from] &&
        scene[from + 1] === canvas.rgba[from + 1] &&
        scene[from + 2] === canvas.rgba[from + 2];
      const amount = mask === undefined ? (plain ? VEIL : 1) : 1 - (mask.rgba[to + 3] ?? 255) / 255;
      if (amount > 0) {
        mixPixel(rgba, to, canvas.rgba, from, amount);
      }
    }
  }
  return { width, height, rgba };
}

function mixPixel(onto: Uint8Array, to: number, source: Uint8Array, from: number, amount: number): void {
  for (let channel = 0; channel < 4; channel++) {
    const old = onto[to + channel] ?? 0;
    onto[to + channel] = Math.round(old + ((source[from + channel] ?? 0) - old) * amount);
  }
}

/** The smallest box around all that is not fully opaque; there is at least one such pixel. */
function transparentArea({ width, height, rgba }: Pixels): Box {
  const area = { left: width, top: height, right: 0, bottom: 0 };
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      if ((rgba[(row * width + column) * 4 + 3] ?? 255) < 255) {
        area.left = Math.min(area.left, column);
        area.right = Math.max(area.right, column + 1);
        area.top = Math.min(area.top, row);
        area.bottom = Math.max(area.bottom, row + 1);
      }
    }
  }
  return area;
}

/** Hangs a further input into the picture, as a small frame in a row with the others. */
function inset(canvas: Canvas, picture: Pixels, index: number, count: number): void {
  const side = Math.floor(Math.min(canvas.width / (count + 1), canvas.height / 2.5));
  const scale = Math.min(side / picture.width, side / picture.height);
  const width = Math.max(1, Math.round(picture.width * scale));
  const height = Math.max(1, Math.round(picture.height * scale));
  const small = resize(picture, width, height);
  const left = Math.round((canvas.width * (index + 1)) / (count + 1) - width / 2);
  const top = Math.round(canvas.height * 0.12);
  const border = Math.max(1, Math.round(side / 40));
  canvas.rectangle(
    { left: left - border, top: top - border, right: left + width + border, bottom: top + height + border },
    [250, 248, 240],
  );
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      const [x, y] = [left + column, top + row];
      if (x >= 0 && x < canvas.width && y < canvas.height) {
        const from = (row * width + column) * 4;
        mixPixel(canvas.rgba, (y * canvas.width + x) * 4, small.rgba, from, 1);
      }
    }
  }
}
