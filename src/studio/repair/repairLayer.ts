import { repairPixel } from '../../common/requestValues.ts';
import type { Size, Zoom } from '../components/zoom.ts';
import type { SurfaceLayer } from '../mask/overlayLayer.ts';
import { type Area, touched, union } from '../maskPixels/area.ts';
import type { Rgba } from '../maskPixels/decodeMask.ts';
import { copyRow, type MaskPixels } from '../maskPixels/maskPixels.ts';

/** The pixels of a file, and of what it was cut out of if that is known. */
export interface RepairPixels {
  file: Rgba;
  source: Rgba | undefined;
}

/** Opacity of what was removed. */
const faint = 0.2;
/** Rows that are drawn at once. */
const band = 128;

/** Draws the repaired image, with what was removed showing faintly, once per animation frame. */
export class RepairLayer implements SurfaceLayer {
  readonly #canvas: HTMLCanvasElement;
  readonly #context: CanvasRenderingContext2D;
  readonly #pixels: RepairPixels;
  #mask: MaskPixels;
  #showsRemoved: boolean;
  #dirty: Area | undefined;

  constructor(canvas: HTMLCanvasElement, pixels: RepairPixels, mask: MaskPixels, showsRemoved: boolean) {
    const context = canvas.getContext('2d');
    if (!context) {
      throw new Error('There is no canvas.');
    }
    this.#canvas = canvas;
    this.#context = context;
    this.#pixels = pixels;
    this.#mask = mask;
    this.#showsRemoved = showsRemoved;
    canvas.width = mask.width;
    canvas.height = mask.height;
    this.#redrawAll();
  }

  show(mask: MaskPixels, changed: Area | undefined): void {
    this.#mask = mask;
    if (changed) {
      this.#redraw(changed);
    }
  }

  place(_: Size, { scale, x, y }: Zoom): void {
    const { style } = this.#canvas;
    style.transform = `translate(${x}px, ${y}px) scale(${scale})`;
    style.imageRendering = scale >= 2 ? 'pixelated' : 'auto';
  }

  paintIn(): void {}

  showRemoved(isShown: boolean): void {
    if (this.#showsRemoved !== isShown) {
      this.#showsRemoved = isShown;
      this.#redrawAll();
    }
  }

  #redrawAll(): void {
    this.#redraw({ left: 0, top: 0, right: this.#mask.width, bottom: this.#mask.height });
  }

  #redraw(area: Area): void {
    const before = this.#dirty;
    this.#dirty = union(before, touched(area, this.#mask));
    if (!before) {
      requestAnimationFrame(() => this.#draw());
    }
  }

  #draw(): void {
    const area = this.#dirty;
    this.#dirty = undefined;
    if (!area) {
      return;
    }
    for (let { top } = area; top < area.bottom; top += band) {
      const part = { ...area, top, bottom: Math.min(area.bottom, top + band) };
      const pixels = repairedPixels(this.#pixels, this.#mask, part, this.#showsRemoved);
      this.#context.putImageData(new ImageData(pixels, part.right - part.left), part.left, part.top);
    }
  }
}

/** Returns the repaired pixels of an area. @param showsRemoved whether what was removed shows faintly */
export function repairedPixels(
  { file, source }: RepairPixels,
  mask: MaskPixels,
  { left, top, right, bottom }: Area,
  showsRemoved: boolean,
): Uint8ClampedArray<ArrayBuffer> {
  const length = 4 * (right - left);
  const pixels = new Uint8ClampedArray(length * (bottom - top));
  const alphas = new Uint8Array(mask.width);
  for (let y = top; y < bottom; y++) {
    const start = 4 * (y * mask.width + left);
    const row = pixels.subarray((y - top) * length, (y - top + 1) * length);
    row.set(file.data.subarray(start, start + length));
    const colors = source ? source.data.subarray(start, start + length) : row;
    copyRow(mask, y, alphas);
    for (let x = left, at = 0; x < right; x++, at += 4) {
      repairPixel(row, colors, at, alphas[x] ?? 0);
      if (showsRemoved && colors !== row) {
        layOn(row, colors, at);
      }
    }
  }
  return pixels;
}

/** Lays a pixel on a faint one. */
function layOn(pixels: Uint8ClampedArray, below: Uint8ClampedArray, at: number): void {
  const over = pixels[at + 3] ?? 0;
  const under = (255 - over) * ((below[at + 3] ?? 0) / 255) * faint;
  const both = over + under;
  if (under > 0) {
    for (let channel = at; channel < at + 3; channel++) {
      pixels[channel] = ((pixels[channel] ?? 0) * over + (below[channel] ?? 0) * under) / both;
    }
    pixels[at + 3] = both;
  }
}
