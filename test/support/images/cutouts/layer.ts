import { type Box, type Canvas, clampUnit, type Coverage } from '../../../../src/demo/painter/canvas.ts';
import type { Color } from '../../../../src/demo/painter/color.ts';
import type { Pixels } from '../../../../src/images/codecs/pixels.ts';

/** What subjects are drawn with: a `Canvas`, on which the ground shows through, or a `Layer`, which keeps the alpha. */
export type Brush = Pick<Canvas, 'width' | 'height' | 'unit' | 'cover'>;

/** A drawing without a ground: colors weighted by alpha, and alpha, of each pixel. */
export class Layer implements Brush {
  readonly width: number;
  readonly height: number;
  /** The shorter side, by which strokes are measured. */
  readonly unit: number;
  /** The true alpha of each pixel, from 0 to 1. */
  readonly alpha: Float32Array;
  readonly #colors: Float32Array;

  constructor(width: number, height: number) {
    this.width = width;
    this.height = height;
    this.unit = Math.min(width, height);
    this.alpha = new Float32Array(width * height);
    this.#colors = new Float32Array(width * height * 3);
  }

  /** Lays a color over the pixels of a box, each as strongly as `coverage` returns. */
  cover(box: Box, color: Color, coverage: Coverage): void {
    const left = Math.max(0, Math.floor(box.left));
    const right = Math.min(this.width, Math.ceil(box.right));
    const bottom = Math.min(this.height, Math.ceil(box.bottom));
    for (let row = Math.max(0, Math.floor(box.top)); row < bottom; row++) {
      for (let column = left; column < right; column++) {
        const amount = clampUnit(coverage(column + 0.5, row + 0.5));
        const pixel = row * this.width + column;
        this.alpha[pixel] = amount + (this.alpha[pixel] ?? 0) * (1 - amount);
        for (let channel = 0; channel < 3; channel++) {
          const at = pixel * 3 + channel;
          this.#colors[at] = (color[channel] ?? 0) * amount + (this.#colors[at] ?? 0) * (1 - amount);
        }
      }
    }
  }

  /** Returns the drawing on an opaque ground. `x` and `y` are the pixels' centers. */
  on(groundAt: (x: number, y: number) => Color): Pixels {
    const { width, height } = this;
    const rgba = new Uint8Array(width * height * 4).fill(255);
    for (let pixel = 0; pixel < this.alpha.length; pixel++) {
      const ground = groundAt((pixel % width) + 0.5, Math.floor(pixel / width) + 0.5);
      const rest = 1 - (this.alpha[pixel] ?? 0);
      for (let channel = 0; channel < 3; channel++) {
        const level = (this.#colors[pixel * 3 + channel] ?? 0) + (ground[channel] ?? 0) * rest;
        rgba[pixel * 4 + channel] = Math.max(0, Math.min(255, Math.round(level)));
      }
    }
    return { width, height, rgba };
  }

  /** Returns the drawing cut out, as a perfect service would give it. */
  cutOut(): Pixels {
    const { width, height } = this;
    const rgba = new Uint8Array(width * height * 4);
    for (let pixel = 0; pixel < this.alpha.length; pixel++) {
      const alpha = this.alpha[pixel] ?? 0;
      for (let channel = 0; channel < 3; channel++) {
        const level = alpha > 0 ? (this.#colors[pixel * 3 + channel] ?? 0) / alpha : 0;
        rgba[pixel * 4 + channel] = Math.round(level);
      }
      rgba[pixel * 4 + 3] = Math.round(alpha * 255);
    }
    return { width, height, rgba };
  }
}
