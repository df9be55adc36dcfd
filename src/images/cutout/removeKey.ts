import { opaqueWord, type Pixels, asPixelWords } from '../codecs/pixels.ts';
import { fillPinholes, keepEnclosed, removeLooseSpecks, removeSpecks } from './cleanAlpha.ts';
import { DistanceRows } from './distanceRows.ts';
import { type PaintedBackground, measureBackground } from './paintedBackground.ts';
import { KeyAxes } from './keyAxes.ts';
import { fillSolidParts } from './solidParts.ts';
import { SubjectColors } from './subjectColors.ts';
import { type Rgb, SurfaceRows } from './surface.ts';

export type KeyOutcome =
  | {
      removed: true;
      /** The background's mean color, as measured. */
      key: Rgb;
      background: number;
      /**
       * The share of the subject with ambiguous alpha, from 0 to 1: its colors lie between the key and another color,
       * so that it may be opaque, or glass of that color.
       */
      uncertain: number;
      /** Whether the background has no strong color, so that its hue doesn't distinguish it from the subject. */
      isGray: boolean;
      /** The number of pixels of half-transparent areas that were made opaque, since nothing is seen through them. */
      solid: number;
      /** Whether all that touches the border has other colors than the background, far from its hue. */
      isCutSurely: boolean;
    }
  /** The border does not show one flat color. The pixels are unchanged. */
  | { removed: false; why: 'no_ground' };

/** Number of pixels to sample for the subject's colors. */
const samples = 1_500_000;
/** Maximum distance of opaque colors that the key tinges, unless they are seen through glass. */
const tinged = 0.97;
/** The least haze around the edges of images whose colors came in half the resolution. */
const coarseHaze = 0.05;
/** The share of the way to the opaque color that noise may take. */
const noiseShare = 0.04;

/**
 * Removes a flat background from an opaque image, in place: sets alpha, and removes the background's color from
 * half-transparent pixels. The color is measured at the border, and may change smoothly over the image.
 *
 * @param options `solidInside` makes all half-transparent areas with a sharp outline opaque; `isCoarse` says that the
 *   image came with its colors in half the resolution, so that there are specks and haze around its edges
 */
export function removeKey(pixels: Pixels, { solidInside = false, isCoarse = false } = {}): KeyOutcome {
  const background = measureBackground(pixels);
  if (!background) {
    return { removed: false, why: 'no_ground' };
  }
  const matte = new KeyMatte(pixels, background, isCoarse);
  const uncertain = matte.writeAlpha();
  const isCutSurely = matte.isBorderSure();
  if (matte.isGray) {
    keepEnclosed(pixels);
  }
  removeSpecks(pixels);
  if (isCoarse) {
    removeLooseSpecks(pixels);
  }
  fillPinholes(pixels);
  const solid = fillSolidParts(pixels, { isEven: !solidInside, key: background.color });
  matte.takeOutKey();
  return {
    removed: true,
    key: background.color,
    background: background.share,
    uncertain,
    isGray: matte.isGray,
    solid,
    isCutSurely,
  };
}

/** Minimum and maximum distance of the surface beside an edge, as shares of the opaque distance around it. */
const [leastRise, mostRise] = [0.8, 1.6];
/** Maximum distance, as a share of what is opaque by default, of an edge that seems to be opaque. */
const farRise = 1.3;
/** How far from a pixel on a slope the distances differ, and by how much at least. */
const [slopeReach, slope] = [2, 0.1];

function isSlope(one: number, other: number): boolean {
  return Math.min(one, other) < -slope && Math.max(one, other) > slope;
}

function clamp(index: number, count: number): number {
  return Math.max(0, Math.min(count - 1, index));
}

/** An image with the key to remove from it. */
class KeyMatte {
  readonly #pixels: Pixels;
  readonly #background: PaintedBackground;
  readonly #axes: KeyAxes;
  /** The distance up to which a pixel is only the background's noise. */
  readonly #haze: number;
  readonly #colors: SubjectColors;
  readonly #isCoarse: boolean;

  constructor(pixels: Pixels, background: PaintedBackground, isCoarse: boolean) {
    this.#pixels = pixels;
    this.#isCoarse = isCoarse;
    this.#background = background;
    this.#axes = new KeyAxes(background.color);
    const haze = Math.min(0.12, (2 + 4 * background.noise) / this.#axes.levels);
    this.#haze = isCoarse && !this.#axes.isGray ? Math.max(coarseHaze, haze) : haze;
    this.#colors = new SubjectColors(this.#axes, pixels);
    this.#gatherColors();
  }

  get isGray(): boolean {
    return this.#axes.isGray;
  }

  #gatherColors(): void {
    const { width, height, rgba } = this.#pixels;
    const step = Math.max(1, Math.ceil(Math.sqrt((width * height) / samples)));
    const background = this.#backgroundRows();
    for (let y = step >> 1; y < height; y += step) {
      background.goTo(y);
      for (let x = step >> 1; x < width; x += step) {
        const at = (y * width + x) * 4;
        const distance = this.#axes.distance(rgba, at, background.levels, x * 3);
        if (distance > 2 * this.#haze) {
          const direction = this.#axes.direction(rgba, at, background.levels, x * 3);
          const isEdge =
            this.#colors.isAmbiguous(distance) && this.#isOnSlope(x, y, distance, background.levels);
          this.#colors.add(x, y, direction, distance, isEdge);
        }
      }
    }
    this.#colors.conclude();
  }

  /** Whether the distance falls to one side of a pixel and rises to the other one. */
  #isOnSlope(x: number, y: number, distance: number, under: Float32Array): boolean {
    const { width, height, rgba } = this.#pixels;
    const rise = (column: number, row: number): number =>
      this.#axes.distance(rgba, (row * width + column) * 4, under, column * 3) - distance;
    const [left, right] = [clamp(x - slopeReach, width), clamp(x + slopeReach, width)];
    const [above, below] = [clamp(y - slopeReach, height), clamp(y + slopeReach, height)];
    return isSlope(rise(left, y), rise(right, y)) || isSlope(rise(x, above), rise(x, below));
  }

  /** Writes alpha, and returns the uncertain share of the subject. */
  writeAlpha(): number {
    const rows = new DistanceRows(this.#pixels, this.#background.surface, this.#axes, this.#haze);
    const background = this.#backgroundRows();
    const counts = { subject: 0, uncertain: 0 };
    for (let y = 0; y < this.#pixels.height; y++) {
      background.goTo(y);
      this.#colors.startRow(y);
      this.#writeAlphaOf(y, rows, background.levels, counts);
    }
    return counts.subject === 0 ? 0 : counts.uncertain / counts.subject;
  }

  #writeAlphaOf(
    y: number,
    rows: DistanceRows,
    under: Float32Array,
    counts: { subject: number; uncertain: number },
  ): void {
    const { width, rgba } = this.#pixels;
    const [axes, colors, haze] = [this.#axes, this.#colors, this.#haze];
    const certain = axes.isGray ? axes.solid : tinged;
    const { distances: row, directions } = rows.around(y);
    let [subject, uncertain] = [0, 0];
    for (let x = 0, at = y * width * 4; x < width; x++, at += 4) {
      const distance = row[x] ?? 0;
      if (distance <= haze) {
        rgba[at + 3] = 0;
        if (!axes.isGray) {
          rgba[at] = rgba[at + 1] = rgba[at + 2] = 0;
        }
        continue;
      }
      subject++;
      const direction = directions[x] ?? 0;
      const opaque = colors.opaque(x, direction);
      let alpha = distance / opaque;
      if (
        distance >= colors.solid(direction) &&
        (alpha >= 0.95 || !rows.isFading(x, y, noiseShare * opaque))
      ) {
        uncertain += alpha < 0.8 || distance < certain ? 1 : 0;
        alpha = 1;
      }
      if (alpha < 1 || distance < farRise * axes.solid) {
        alpha = this.#alphaOnRise(distance, opaque, rows.riseFrom(x, y, noiseShare * opaque)) ?? alpha;
      }
      if (distance < 2 * haze) {
        // Fades in from the noise, without a step.
        alpha *= (distance - haze) / haze;
      }
      if (alpha < 0.98) {
        rgba[at + 3] = alpha * 255 + 0.5;
        continue;
      }
      rgba[at + 3] = 255;
      if (distance < 1 && !axes.isGray && colors.solid(direction) >= axes.solid) {
        // Opaque, and yet tinged by the key.
        takeOut(rgba, at, under, x * 3, 1 / Math.max(0.8, distance));
      }
    }
    counts.subject += subject;
    counts.uncertain += uncertain;
  }

  /** Returns the alpha of a pixel on an edge, by the distance of the surface beside it, if that is opaque. */
  #alphaOnRise(distance: number, opaque: number, top: number | undefined): number | undefined {
    const isSurface =
      top !== undefined && top >= this.#axes.solid && top > leastRise * opaque && top < mostRise * opaque;
    // Edges of coarse colors overshoot.
    return isSurface ? distance / (this.#isCoarse ? Math.min(top, opaque) : top) : undefined;
  }

  /** Whether the pixels at the border that stay have colors that are far from the key's. */
  isBorderSure(): boolean {
    const { width, height, rgba } = this.#pixels;
    const background = this.#backgroundRows();
    let [sure, count] = [0, 0];
    for (let y = 0; y < height; y++) {
      background.goTo(y);
      const step = y === 0 || y === height - 1 ? 1 : width - 1;
      for (let x = 0; x < width; x += Math.max(1, step)) {
        const at = (y * width + x) * 4;
        if ((rgba[at + 3] ?? 0) > 12) {
          count++;
          sure += this.#axes.distance(rgba, at, background.levels, x * 3) >= this.#axes.solid ? 1 : 0;
        }
      }
    }
    return !this.#axes.isGray && sure >= 0.9 * count;
  }

  /** Removes the background's color from all half-transparent pixels. */
  takeOutKey(): void {
    const { width, height, rgba } = this.#pixels;
    const background = this.#backgroundRows();
    const words = asPixelWords(rgba);
    for (let y = 0, pixel = 0; y < height; y++) {
      background.goTo(y);
      for (let x = 0; x < width; x++, pixel++) {
        const word = words[pixel] ?? 0;
        if (word === 0 || word >= opaqueWord) {
          continue;
        }
        const at = pixel * 4;
        const alpha = rgba[at + 3] ?? 0;
        if (alpha === 0) {
          rgba[at] = rgba[at + 1] = rgba[at + 2] = 0;
        } else {
          takeOut(rgba, at, background.levels, x * 3, 255 / alpha);
        }
      }
    }
  }

  #backgroundRows(): SurfaceRows {
    return new SurfaceRows(this.#background.surface, this.#pixels.width);
  }
}

/** Moves a color away from the key's. @param scale of their difference */
function takeOut(rgba: Uint8Array, at: number, background: Float32Array, under: number, scale: number): void {
  for (let channel = 0; channel < 3; channel++) {
    const key = background[under + channel] ?? 0;
    const level = key + ((rgba[at + channel] ?? 0) - key) * scale;
    rgba[at + channel] = level <= 0 ? 0 : level >= 255 ? 255 : level + 0.5;
  }
}
