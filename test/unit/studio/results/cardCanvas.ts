import * as v from 'valibot';
import { cardSize } from '../../../../src/studio/results/cardLayout.ts';
import { type Color, parseColor } from '../../../../src/studio/results/contrast.ts';

type Stop = readonly [place: number, color: Color, alpha: number];

/** What is written on a card, and the pixels that its letters touch. */
export interface Written {
  text: string;
  font: string;
  color: string;
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** An image by the colors at its places, from 0 to 1; undefined where it is transparent. */
export class CardImage {
  readonly naturalWidth: number;
  readonly naturalHeight: number;
  readonly colorAt: (x: number, y: number) => Color | undefined;

  constructor(width: number, height: number, colorAt: CardImage['colorAt']) {
    this.naturalWidth = width;
    this.naturalHeight = height;
    this.colorAt = colorAt;
  }
}

/** A canvas of a card on which letters leave no pixels, so that those behind them can be seen. */
export class CardCanvas {
  readonly pixels = new Uint8ClampedArray(4 * cardSize.width * cardSize.height);
  readonly written: Written[] = [];
  /** In how many steps it covers by a gradient; undefined: exactly. */
  steps: number | undefined;
  /** Whether it hides its pixels, as browsers do against those who recognize people by them. */
  isSecret = false;
  fillStyle: string | { stops: Stop[] } = '#000000';
  imageSmoothingQuality = 'low';
  font = '';
  textAlign = 'left';
  direction = 'ltr';

  colorAt(x: number, y: number): Color {
    const [red = 0, green = 0, blue = 0] = this.pixels.subarray(4 * (y * cardSize.width + x));
    return [red, green, blue];
  }

  /** Letters are half as wide as high, and lean over by two pixels on each side. */
  measureText(text: string) {
    const size = Number(/ (\d+)px /.exec(this.font)?.[1]);
    const width = (text.length * size) / 2;
    const before = this.textAlign === 'left' ? 0 : this.textAlign === 'right' ? width : width / 2;
    return {
      width,
      actualBoundingBoxLeft: before + 2,
      actualBoundingBoxRight: width - before + 2,
      actualBoundingBoxAscent: 0.8 * size,
      actualBoundingBoxDescent: 0.25 * size,
    };
  }

  fillText(text: string, x: number, y: number): void {
    const ink = this.measureText(text);
    this.written.push({
      text,
      font: this.font,
      color: typeof this.fillStyle === 'string' ? this.fillStyle : '',
      left: x - ink.actualBoundingBoxLeft,
      right: x + ink.actualBoundingBoxRight,
      top: y - ink.actualBoundingBoxAscent,
      bottom: y + ink.actualBoundingBoxDescent,
    });
  }

  createLinearGradient(left: number, top: number, right: number, bottom: number) {
    if (left !== right || top !== 0 || bottom !== cardSize.height) {
      throw new RangeError('Only from the top to the bottom of the card.');
    }
    const stops: Stop[] = [];
    const addColorStop = (place: number, color: string): void => {
      if (place < 0 || place > 1) {
        throw new RangeError(`${place} is not on the card.`);
      }
      const [red = 0, green = 0, blue = 0, alpha = 1] = color.match(/[\d.e-]+/gu)?.map(Number) ?? [];
      stops.push([place, [red, green, blue], alpha]);
    };
    return { stops, addColorStop };
  }

  fillRect(left: number, top: number, width: number, height: number): void {
    for (let y = top; y < top + height; y++) {
      const [color, exact] =
        typeof this.fillStyle === 'string'
          ? ([parseColor(this.fillStyle), 1] as const)
          : gradientAt(this.fillStyle.stops, (y + 0.5) / cardSize.height);
      const alpha = this.steps === undefined ? exact : Math.floor(exact * this.steps) / this.steps;
      if (alpha === 0) {
        continue;
      }
      const [red, green, blue] = color.map((value) => value * alpha);
      for (let x = left; x < left + width; x++) {
        const at = 4 * (y * cardSize.width + x);
        this.pixels[at] = (this.pixels[at] ?? 0) * (1 - alpha) + (red ?? 0);
        this.pixels[at + 1] = (this.pixels[at + 1] ?? 0) * (1 - alpha) + (green ?? 0);
        this.pixels[at + 2] = (this.pixels[at + 2] ?? 0) * (1 - alpha) + (blue ?? 0);
        this.pixels[at + 3] = 255;
      }
    }
  }

  drawImage(image: CardImage, left: number, top: number, width: number, height: number): void {
    for (let y = Math.max(0, Math.floor(top)); y < Math.min(cardSize.height, top + height); y++) {
      for (let x = Math.max(0, Math.floor(left)); x < Math.min(cardSize.width, left + width); x++) {
        const color = image.colorAt((x + 0.5 - left) / width, (y + 0.5 - top) / height);
        if (color) {
          this.pixels.set(color, 4 * (y * cardSize.width + x));
        }
      }
    }
  }

  getImageData(left: number, top: number, width: number, height: number): { data: Uint8ClampedArray } {
    const data = new Uint8ClampedArray(4 * width * height).fill(255);
    for (let y = 0; y < height && !this.isSecret; y++) {
      const start = 4 * ((top + y) * cardSize.width + left);
      data.set(this.pixels.subarray(start, start + 4 * width), 4 * y * width);
    }
    return { data };
  }
}

function gradientAt(stops: readonly Stop[], place: number): readonly [color: Color, alpha: number] {
  const next = stops.findIndex(([at]) => at >= place);
  const [to, from] = [stops.at(next), stops[next - 1]];
  if (!to || !from) {
    const [, color, alpha] = to ?? [0, [0, 0, 0], 0];
    return [color, alpha];
  }
  const part = (place - from[0]) / (to[0] - from[0]);
  return [to[1], from[2] + (to[2] - from[2]) * part];
}

/** Stand-ins for parts of a browser, which have what is used of them. */
export const canvasContext = v.custom<CanvasRenderingContext2D>(() => true);
export const imageElement = v.custom<HTMLImageElement>(() => true);
