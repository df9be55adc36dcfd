import type { Pixels } from '../../images/finish/codecs.ts';
import { Canvas, type Box, resize } from './canvas.ts';
import { drawDemoBand } from './pixelFont.ts';
import { cutOutMiddle, flatBackgroundOf, replaceBackground } from './flatBackground.ts';
import { paintScene } from './painter.ts';

export interface Repainting {
  prompt: string;
  /** The index among the results of the same edit. */
  variant: number;
  /** The image to edit, and further ones to show in it. */
  inputs: readonly [Pixels, ...Pixels[]];
  /** Transparent where to edit, and as large as the first input. Without it, the edit applies everywhere. */
  mask?: Pixels;
}

const VEIL = 0.5;

/**
 * Paints the prompt into an image. Where the mask is transparent, the new image replaces the old one; where it is
 * opaque, every byte stays unchanged; between, the images are mixed. Without a mask, the new image veils all of the
 * old one, so that both can be seen; or, if the prompt requests a flat background, the middle of the old one is put on
 * it, or it replaces a white one.
 */
export function repaint({ prompt, variant, inputs: [base, ...others], mask }: Repainting): Pixels {
  const background = mask ? undefined : flatBackgroundOf(prompt);
  if (background?.isReplacement) {
    return replaceBackground(base, background, variant);
  }
  if (background) {
    return cutOutMiddle(base, background);
  }
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
      // The band and other additions to the scene are never veiled.
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

/** Returns the smallest box around all pixels that are not opaque; at least one must exist. */
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

/** Draws a further input into the image as a small frame in a row with the others. */
function inset(canvas: Canvas, input: Pixels, index: number, count: number): void {
  const side = Math.floor(Math.min(canvas.width / (count + 1), canvas.height / 2.5));
  const scale = Math.min(side / input.width, side / input.height);
  const width = Math.max(1, Math.round(input.width * scale));
  const height = Math.max(1, Math.round(input.height * scale));
  const small = resize(input, width, height);
  const left = Math.round((canvas.width * (index + 1)) / (count + 1) - width / 2);
  const top = Math.round(canvas.height * 0.12);
  const border = Math.max(1, Math.round(side / 40));
  canvas.rectangle(
    { left: left - border, top: top - border, right: left + width + border, bottom: top + height + border },
    [250, 248, 240],
  );
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      const to = ((top + row) * canvas.width + left + column) * 4;
      mixPixel(canvas.rgba, to, small.rgba, (row * width + column) * 4, 1);
    }
  }
}
