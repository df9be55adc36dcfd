import type { MaskOperation } from '../protocol/maskOperations.ts';
import { centerOf, panned, placed, type Point, type Size, type Zoom, zoomedTo } from '../components/zoom.ts';
import { type Gesture, LassoGesture, RectangleGesture, StrokeGesture, type Touch } from './gesture.ts';
import { tileSide } from '../maskPixels/maskPixels.ts';
import type { Mode } from '../maskPixels/maskWriter.ts';
import { OverlayLayer, type SurfaceLayer } from './overlayLayer.ts';
import { difference, type Painting } from '../maskPixels/painting.ts';
import type { Tools } from './tools.ts';

export interface MaskElements {
  frame: HTMLElement;
  image: HTMLElement;
  overlay: HTMLCanvasElement;
  /** Drawn in two colors, so that it is visible on every image. */
  outline: SVGElement;
  cursor: HTMLElement;
  crosshair: HTMLElement;
}

export interface MaskListener {
  onOperation: (operation: MaskOperation) => void;
  /** The user has zoomed or moved the image. Undefined: the whole image is visible. */
  onZoom: (zoom: Zoom | undefined) => void;
  onScale: (scale: number) => void;
  /** The crosshair has moved to a pixel, which is edited by this amount, 0 to 255. */
  onCrosshair: (place: Point, amount: number) => void;
}

/** Smallest displayed diameter of the brush, in screen pixels. */
const minCursorSize = 5;
/** Smallest distance between points of a lasso, in screen pixels. */
const lassoSpacing = 2;

/** Shows the image with its mask, zooms and moves it, and applies the tools. */
export class MaskView {
  readonly #elements: MaskElements;
  readonly #painting: Painting;
  readonly #tools: Tools;
  readonly #listener: MaskListener;
  readonly #overlay: SurfaceLayer;
  readonly #imageSize: Size;
  readonly #resizes: ResizeObserver;
  readonly #themes: MutationObserver;
  readonly #stopListening: () => void;
  #frame: Size = { width: 0, height: 0 };
  /** Undefined: the whole image is visible. */
  #zoom: Zoom | undefined;
  #gesture: Gesture | undefined;
  #isInverse = false;
  /** The last position of brush or eraser. */
  #lastTouch: Touch | undefined;
  /** In image pixels, while keys move it. */
  #crosshair: Point | undefined;
  /** Position of the pointer, in pixels of the frame. */
  #pointer: Point | undefined;

  constructor(
    elements: MaskElements,
    painting: Painting,
    tools: Tools,
    zoom: Zoom | undefined,
    listener: MaskListener,
    layer: SurfaceLayer = new OverlayLayer(elements.overlay, painting.mask),
  ) {
    this.#elements = elements;
    this.#painting = painting;
    this.#tools = tools;
    this.#zoom = zoom;
    this.#listener = listener;
    const { width, height } = painting.mask;
    this.#imageSize = { width, height };
    this.#overlay = layer;
    this.#overlay.paintIn(tools.state.tint);
    this.#resizes = new ResizeObserver(() => this.#measure());
    this.#resizes.observe(elements.frame);
    // The first key may come before the observer reports a size.
    this.#measure();
    this.#themes = new MutationObserver(() => this.#overlay.paintIn(tools.state.tint));
    this.#themes.observe(document.body, { attributeFilter: ['class'] });
    this.#themes.observe(document.documentElement, { attributeFilter: ['style'] });
    let { tint } = tools.state;
    this.#stopListening = tools.onDidChange(() => {
      this.#showCursor();
      if (tint !== tools.state.tint) {
        ({ tint } = tools.state);
        this.#overlay.paintIn(tint);
      }
    });
  }

  dispose(): void {
    this.cancel();
    this.#resizes.disconnect();
    this.#themes.disconnect();
    this.#stopListening();
  }

  /** Draws the mask of these operations while this view is in the page. */
  async show(operations: readonly MaskOperation[]): Promise<void> {
    if (!this.#elements.frame.isConnected) {
      return;
    }
    const before = this.#painting.mask;
    await this.#painting.show(operations);
    this.#overlay.show(this.#painting.mask, difference(before, this.#painting.mask));
  }

  get zoom(): Zoom {
    return placed(this.#zoom, this.#imageSize, this.#frame);
  }

  /** Zooms to a scale around a point of the frame, by default its center. */
  zoomTo(scale: number, around = centerOf(this.#frame)): void {
    this.#setZoom(zoomedTo(this.zoom, scale, around, this.#imageSize, this.#frame));
  }

  fit(): void {
    this.#setZoom(undefined);
  }

  pan(x: number, y: number): void {
    this.#setZoom(panned(this.zoom, { x, y }, this.#imageSize, this.#frame));
  }

  placeAt({ x, y }: Point): Point {
    const { zoom } = this;
    return { x: (x - zoom.x) / zoom.scale, y: (y - zoom.y) / zoom.scale };
  }

  /**
   * Puts the tool down.
   *
   * @param inverse whether to add instead of subtract, and vice versa
   * @param isLine whether brush and eraser draw a straight line from their last position
   */
  begin(touch: Touch, inverse: boolean, isLine = false): void {
    if (this.#painting.isBusy || this.#gesture) {
      return;
    }
    this.#isInverse = inverse;
    const { tool, size, hardness } = this.#tools.state;
    const chosen = this.#mode;
    if (tool === 'rectangle') {
      this.#gesture = new RectangleGesture(chosen, touch);
    } else if (tool === 'lasso') {
      this.#gesture = new LassoGesture(chosen, touch, lassoSpacing / this.zoom.scale);
    } else {
      const start = (isLine && this.#lastTouch) || touch;
      const stroke = new StrokeGesture({ mode: chosen, size, hardness }, start);
      stroke.moveTo(touch);
      this.#lastTouch = touch;
      this.#gesture = stroke;
      this.#painting.begin(stroke.operation);
    }
    this.#showGesture();
  }

  /** Moves the tool over positions that may have arrived together. */
  moveTo(touches: readonly Touch[]): void {
    for (const touch of touches) {
      this.#gesture?.moveTo(touch);
    }
    if (this.#gesture instanceof StrokeGesture) {
      this.#lastTouch = touches.at(-1) ?? this.#lastTouch;
    }
    this.#showGesture();
  }

  end(): void {
    this.#gesture?.end?.();
    this.#showGesture();
    const operation = this.#gesture?.operation;
    this.#painting.finish();
    this.#gesture = undefined;
    this.#showGesture();
    if (operation) {
      this.#listener.onOperation(operation);
    }
  }

  /** Discards the unfinished drawing of the tool. @returns whether there was one */
  cancel(): boolean {
    const isCanceled = this.#gesture !== undefined;
    const before = this.#painting.mask;
    this.#painting.cancel();
    this.#overlay.show(this.#painting.mask, difference(before, this.#painting.mask));
    this.#gesture = undefined;
    this.#showGesture();
    return isCanceled;
  }

  get isDrawing(): boolean {
    return this.#gesture !== undefined;
  }

  /** Follows the pointer in the frame; undefined when it has left. */
  point(point: Point | undefined): void {
    this.#pointer = point;
    this.#crosshair = undefined;
    this.#showCursor();
  }

  /** Lets the tool subtract instead of add, and vice versa, unless it is down already. */
  invert(isInverse: boolean): void {
    if (!this.#gesture && this.#isInverse !== isInverse) {
      this.#isInverse = isInverse;
      this.#showCursor();
    }
  }

  get #mode(): Mode {
    const { tool, mode } = this.#tools.state;
    const usual = tool === 'brush' ? 'add' : tool === 'eraser' ? 'subtract' : mode;
    return this.#isInverse ? opposite(usual) : usual;
  }

  /** Moves the crosshair by image pixels, and the tool with it if it is down. */
  step(x: number, y: number): void {
    const { width, height } = this.#imageSize;
    const from = this.#whereToStart();
    this.#crosshair = {
      x: Math.min(width, Math.max(0, from.x + x)),
      y: Math.min(height, Math.max(0, from.y + y)),
    };
    this.#bringIntoView(this.#crosshair);
    this.moveTo([{ ...this.#crosshair, pressure: 1 }]);
    this.#showCursor();
    this.#listener.onCrosshair(this.#crosshair, this.#amountAt(this.#crosshair));
  }

  /** Puts the tool down at the crosshair, or lifts it. @returns whether it is down now */
  press(): boolean {
    if (this.#gesture) {
      this.end();
      return false;
    }
    this.#crosshair ??= this.#whereToStart();
    this.#bringIntoView(this.#crosshair);
    this.begin({ ...this.#crosshair, pressure: 1 }, false);
    this.#showCursor();
    return this.#gesture !== undefined;
  }

  #whereToStart(): Point {
    if (this.#crosshair) {
      return this.#crosshair;
    }
    const { x, y } = this.placeAt(this.#pointer ?? centerOf(this.#frame));
    return { x: Math.round(x), y: Math.round(y) };
  }

  #bringIntoView({ x, y }: Point): void {
    const { zoom } = this;
    const across = outside(zoom.x + x * zoom.scale, this.#frame.width);
    const down = outside(zoom.y + y * zoom.scale, this.#frame.height);
    if (across !== 0 || down !== 0) {
      this.pan(-across, -down);
    }
  }

  #amountAt({ x, y }: Point): number {
    const { columns, tiles, width, height } = this.#painting.mask;
    const [across, down] = [Math.min(width - 1, Math.floor(x)), Math.min(height - 1, Math.floor(y))];
    const tile = tiles[Math.floor(down / tileSide) * columns + Math.floor(across / tileSide)];
    return tile?.[(down % tileSide) * tileSide + (across % tileSide)] ?? 0;
  }

  #measure(): void {
    const { clientWidth: width, clientHeight: height } = this.#elements.frame;
    this.#frame = { width, height };
    this.#place();
  }

  #setZoom(zoom: Zoom | undefined): void {
    if (this.#frame.width === 0 || this.#frame.height === 0) {
      // Zooming makes no sense while the frame has no room, as below a tall terminal.
      return;
    }
    this.#zoom = zoom;
    this.#place();
    this.#listener.onZoom(zoom);
  }

  #place(): void {
    const { zoom } = this;
    const { style } = this.#elements.image;
    style.transform = `translate(${zoom.x}px, ${zoom.y}px) scale(${zoom.scale})`;
    style.setProperty('--scale', String(zoom.scale));
    style.imageRendering = zoom.scale >= 2 ? 'pixelated' : 'auto';
    this.#overlay.place(this.#frame, zoom);
    this.#showGesture();
    this.#showCursor();
    this.#listener.onScale(zoom.scale);
  }

  #showGesture(): void {
    const changed = this.#painting.extend();
    if (changed) {
      this.#overlay.show(this.#painting.mask, changed);
    }
    const { zoom } = this;
    const points = this.#gesture?.outline ?? [];
    const path = points.map(({ x, y }) => `${zoom.x + x * zoom.scale} ${zoom.y + y * zoom.scale}`);
    for (const line of this.#elements.outline.children) {
      line.setAttribute('d', path.length === 0 ? '' : `M ${path.join(' L ')} Z`);
    }
  }

  #showCursor(): void {
    const { tool, size } = this.#tools.state;
    const { cursor, crosshair, frame } = this.#elements;
    const { zoom } = this;
    const place = this.#crosshair && {
      x: zoom.x + this.#crosshair.x * zoom.scale,
      y: zoom.y + this.#crosshair.y * zoom.scale,
    };
    const at = place ?? this.#pointer;
    const isBrush = tool === 'brush' || tool === 'eraser';
    frame.dataset['tool'] = tool;
    cursor.hidden = !at;
    cursor.dataset['mode'] = this.#mode;
    crosshair.hidden = !place;
    const diameter = isBrush ? Math.max(minCursorSize, size * zoom.scale) : 0;
    cursor.style.width = `${diameter}px`;
    cursor.style.height = `${diameter}px`;
    cursor.style.transform = at ? `translate(${at.x - diameter / 2}px, ${at.y - diameter / 2}px)` : '';
    crosshair.style.transform = place ? `translate(${place.x}px, ${place.y}px)` : '';
  }
}

function opposite(mode: Mode): Mode {
  return mode === 'add' ? 'subtract' : 'add';
}

function outside(place: number, room: number): number {
  return place < 0 ? place : Math.max(0, place - room);
}
