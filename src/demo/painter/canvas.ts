import type { Pixels } from '../../images/finish/codecs.ts';
import type { Color } from './color.ts';

/** Scales an image. Each new pixel is mixed from the four nearest old ones. */
export function resize(pixels: Pixels, width: number, height: number): Pixels {
  const rgba = new Uint8Array(width * height * 4);
  const last = { x: pixels.width - 1, y: pixels.height - 1 };
  for (let row = 0; row < height; row++) {
    const y = Math.min(last.y, Math.max(0, ((row + 0.5) * pixels.height) / height - 0.5));
    const top = Math.floor(y);
    const bottom = Math.min(last.y, top + 1);
    for (let column = 0; column < width; column++) {
      const x = Math.min(last.x, Math.max(0, ((column + 0.5) * pixels.width) / width - 0.5));
      const left = Math.floor(x);
      const right = Math.min(last.x, left + 1);
      for (let channel = 0; channel < 4; channel++) {
        const at = (fromX: number, fromY: number): number =>
          pixels.rgba[(fromY * pixels.width + fromX) * 4 + channel] ?? 0;
        const upper = at(left, top) + (at(right, top) - at(left, top)) * (x - left);
        const lower = at(left, bottom) + (at(right, bottom) - at(left, bottom)) * (x - left);
        rgba[(row * width + column) * 4 + channel] = upper + (lower - upper) * (y - top) + 0.5;
      }
    }
  }
  return { width, height, rgba };
}

/** Returns how strongly a shape covers a pixel, from 0 to 1, at the pixel's center. */
export type Coverage = (x: number, y: number) => number;

/** A part of the canvas in pixels, which may extend beyond its border. */
export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

export function boxAround(x: number, y: number, across: number, up = across): Box {
  return { left: x - across, top: y - up, right: x + across, bottom: y + up };
}

export class Canvas implements Pixels {
  readonly width: number;
  readonly height: number;
  readonly rgba: Uint8Array;
  /** The shorter side, the unit of strokes and glyphs. */
  readonly unit: number;

  constructor(width: number, height: number) {
    this.width = width;
    this.height = height;
    this.unit = Math.min(width, height);
    this.rgba = new Uint8Array(width * height * 4).fill(255);
  }

  /** Sets every pixel. `x` and `y` are the pixels' centers. */
  shade(colorAt: (x: number, y: number) => Color): void {
    let offset = 0;
    for (let row = 0; row < this.height; row++) {
      for (let column = 0; column < this.width; column++) {
        const color = colorAt(column + 0.5, row + 0.5);
        this.rgba[offset] = clampByte(color[0]);
        this.rgba[offset + 1] = clampByte(color[1]);
        this.rgba[offset + 2] = clampByte(color[2]);
        offset += 4;
      }
    }
  }

  /** Lays a color over the pixels of a box, each as strongly as `coverage` returns. */
  cover(box: Box, color: Color, coverage: Coverage): void {
    this.#eachCovered(box, coverage, (offset, amount) => {
      this.#blend(offset, color, amount);
    });
  }

  light(box: Box, color: Color, coverage: Coverage): void {
    this.#eachCovered(box, coverage, (offset, amount) => {
      for (let channel = 0; channel < 3; channel++) {
        const old = this.rgba[offset + channel] ?? 0;
        // Screen blending instead of addition keeps the color of highlights.
        this.rgba[offset + channel] = clampByte(old + ((255 - old) * (color[channel] ?? 0) * amount) / 255);
      }
    });
  }

  disc(x: number, y: number, radius: number, color: Color, opacity = 1): void {
    this.cover(
      boxAround(x, y, radius + 1),
      color,
      (px, py) => opacity * clampUnit(radius + 0.5 - Math.hypot(px - x, py - y)),
    );
  }

  ellipse(x: number, y: number, across: number, up: number, color: Color): void {
    this.cover(boxAround(x, y, across + 1, up + 1), color, (px, py) =>
      clampUnit((1 - Math.hypot((px - x) / across, (py - y) / up)) * Math.min(across, up) + 0.5),
    );
  }

  /** Paints a rectangle with sharp edges. Fractional pixels are covered in part. */
  rectangle(box: Box, color: Color, opacity = 1): void {
    this.cover(
      box,
      color,
      (x, y) =>
        opacity *
        clampUnit(Math.min(x - box.left, box.right - x) + 0.5) *
        clampUnit(Math.min(y - box.top, box.bottom - y) + 0.5),
    );
  }

  /** Paints a polygon, filled by the even-odd rule, whose points are pairs of pixels. */
  polygon(points: readonly (readonly [number, number])[], color: Color, opacity = 1): void {
    const xs = points.map(([x]) => x);
    const ys = points.map(([, y]) => y);
    const box = {
      left: Math.min(...xs) - 1,
      top: Math.min(...ys) - 1,
      right: Math.max(...xs) + 1,
      bottom: Math.max(...ys) + 1,
    };
    this.cover(box, color, (x, y) => {
      let inside = false;
      let distance = Infinity;
      let [fromX, fromY] = points.at(-1) ?? [0, 0];
      for (const [toX, toY] of points) {
        if (fromY > y !== toY > y && x < ((toX - fromX) * (y - fromY)) / (toY - fromY) + fromX) {
          inside = !inside;
        }
        distance = Math.min(distance, distanceToEdge(x - fromX, y - fromY, toX - fromX, toY - fromY));
        [fromX, fromY] = [toX, toY];
      }
      return opacity * clampUnit(0.5 + (inside ? distance : -distance));
    });
  }

  /**
   * Fills each column from the height that `edge` returns, in pixels from the top, to `bottom`. The color depends on
   * the column's upper end.
   */
  below(
    edge: (x: number) => number,
    bottom: number,
    colorAt: (x: number, y: number, top: number) => Color,
  ): void {
    const last = Math.min(this.height, Math.ceil(bottom));
    for (let column = 0; column < this.width; column++) {
      const start = edge(column + 0.5);
      for (let row = Math.max(0, Math.floor(start)); row < last; row++) {
        const amount = clampUnit(row + 1 - start);
        this.#blend((row * this.width + column) * 4, colorAt(column + 0.5, row + 0.5, start), amount);
      }
    }
  }

  /** Passes the offset and coverage of each covered pixel of a box. */
  #eachCovered(box: Box, coverage: Coverage, paint: (offset: number, amount: number) => void): void {
    const left = Math.max(0, Math.floor(box.left));
    const right = Math.min(this.width, Math.ceil(box.right));
    const top = Math.max(0, Math.floor(box.top));
    const bottom = Math.min(this.height, Math.ceil(box.bottom));
    for (let row = top; row < bottom; row++) {
      for (let column = left; column < right; column++) {
        const amount = coverage(column + 0.5, row + 0.5);
        if (amount > 0) {
          paint((row * this.width + column) * 4, amount);
        }
      }
    }
  }

  #blend(offset: number, color: Color, amount: number): void {
    for (let channel = 0; channel < 3; channel++) {
      const old = this.rgba[offset + channel] ?? 0;
      this.rgba[offset + channel] = clampByte(old + ((color[channel] ?? 0) - old) * amount);
    }
  }
}

export function clampUnit(value: number): number {
  return value < 0 ? 0 : value > 1 ? 1 : value;
}

function clampByte(value: number): number {
  return value < 0 ? 0 : value > 255 ? 255 : value + 0.5;
}

/** Returns the distance of a point from an edge, both relative to the start of the edge. */
function distanceToEdge(x: number, y: number, alongX: number, alongY: number): number {
  const length = alongX * alongX + alongY * alongY;
  const position = length === 0 ? 0 : clampUnit((x * alongX + y * alongY) / length);
  return Math.hypot(x - position * alongX, y - position * alongY);
}
