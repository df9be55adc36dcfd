import type { Zoom } from '../components/zoom.ts';
import { type Area, touched, union } from '../maskPixels/area.ts';
import type { MaskPixels } from '../maskPixels/maskPixels.ts';
import { overlayStyle, type OverlayStyle, overlayPixels } from './overlay.ts';
import type { Tint } from './tools.ts';

/** Draws over the image of a view. */
export interface SurfaceLayer {
  show(mask: MaskPixels, changed: Area | undefined): void;
  /** Adapts to the size of the frame and to the zoom. */
  place(frame: { width: number; height: number }, zoom: Zoom): void;
  paintIn(tint: Tint): void;
}

/** Most pixels of the overlay, which is coarser than the image on a large, dense screen. */
const maxPixels = 2_000_000;

/** Draws the changed parts of the mask on a canvas, once per animation frame. */
export class OverlayLayer implements SurfaceLayer {
  readonly #canvas: HTMLCanvasElement;
  readonly #context: CanvasRenderingContext2D;
  #mask: MaskPixels;
  #zoom: Zoom = { scale: 1, x: 0, y: 0 };
  /** Canvas pixels per pixel of the frame. */
  #density = 1;
  #style: OverlayStyle = overlayStyle([0, 0, 0], [0, 0]);
  #dirty: Area | undefined;

  constructor(canvas: HTMLCanvasElement, mask: MaskPixels) {
    const context = canvas.getContext('2d');
    if (!context) {
      throw new Error('There is no canvas.');
    }
    this.#canvas = canvas;
    this.#context = context;
    this.#mask = mask;
  }

  show(mask: MaskPixels, changed: Area | undefined): void {
    this.#mask = mask;
    if (!changed) {
      return;
    }
    const { scale, x, y } = this.#onCanvas;
    // One more pixel on every side, whose edge or samples may have changed too.
    this.#redraw({
      left: changed.left * scale + x - 1,
      top: changed.top * scale + y - 1,
      right: changed.right * scale + x + 1,
      bottom: changed.bottom * scale + y + 1,
    });
  }

  place({ width, height }: { width: number; height: number }, zoom: Zoom): void {
    this.#zoom = zoom;
    this.#density = Math.min(window.devicePixelRatio, Math.sqrt(maxPixels / Math.max(1, width * height)));
    const [across, down] = [Math.ceil(width * this.#density), Math.ceil(height * this.#density)];
    if (this.#canvas.width !== across || this.#canvas.height !== down) {
      this.#canvas.width = across;
      this.#canvas.height = down;
      this.#canvas.style.width = `${across / this.#density}px`;
      this.#canvas.style.height = `${down / this.#density}px`;
    }
    this.#redrawAll();
  }

  paintIn(tint: Tint): void {
    const color = getComputedStyle(this.#canvas).getPropertyValue(`--vscode-charts-${tint}`);
    const isHighContrast = document.body.matches('.vscode-high-contrast, .vscode-high-contrast-light');
    this.#style = overlayStyle(channelsOf(color), isHighContrast ? [0.75, 0.5] : [0.6, 0.4]);
    this.#redrawAll();
  }

  get #onCanvas(): Zoom {
    const { scale, x, y } = this.#zoom;
    return { scale: scale * this.#density, x: x * this.#density, y: y * this.#density };
  }

  #redrawAll(): void {
    this.#redraw({ left: 0, top: 0, right: this.#canvas.width, bottom: this.#canvas.height });
  }

  #redraw(area: Area): void {
    const before = this.#dirty;
    this.#dirty = union(before, touched(area, this.#canvas));
    if (!before) {
      requestAnimationFrame(() => this.#draw());
    }
  }

  #draw(): void {
    // The canvas may have shrunk since.
    const area = this.#dirty && touched(this.#dirty, this.#canvas);
    this.#dirty = undefined;
    if (area) {
      const pixels = overlayPixels(this.#mask, this.#onCanvas, area, this.#style);
      this.#context.putImageData(new ImageData(pixels, area.right - area.left), area.left, area.top);
    }
  }
}

/** Returns red, green, and blue of any CSS color. */
function channelsOf(color: string): readonly [number, number, number] {
  const context = new OffscreenCanvas(1, 1).getContext('2d');
  if (!context) {
    throw new Error('There is no canvas.');
  }
  context.fillStyle = color.trim();
  context.fillRect(0, 0, 1, 1);
  const [red = 0, green = 0, blue = 0] = context.getImageData(0, 0, 1, 1).data;
  return [red, green, blue];
}
