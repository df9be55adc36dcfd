import { opaqueWord, type Pixels, wordsOf } from '../pixels.ts';
import { fillPinholes, removeSpecks } from './cleanAlpha.ts';
import { DistanceRows } from './distanceRows.ts';
import { type Ground, measureGround } from './ground.ts';
import { KeyAxes } from './keyAxes.ts';
import { SubjectColours } from './subjectColours.ts';
import { type Rgb, SurfaceRows } from './surface.ts';

export type KeyOutcome =
  | {
      removed: true;
      /** The ground's mean colour, as it was measured. */
      key: Rgb;
      /** The share of the border that shows the ground, from 0 to 1. */
      ground: number;
      /**
       * The share of the subject whose alpha one image does not tell: its colours lie between the key and another, so
       * that it may be opaque and of this colour, or a glass of that colour. From 0 to 1.
       */
      uncertain: number;
      /** Whether the ground has no strong colour, so that its hue does not tell it from the subject. */
      isGrey: boolean;
    }
  /** The border does not show one flat colour. The pixels are as they were. */
  | { removed: false; why: 'no_ground' };

/** Pixels that are looked at to find the subject's colours. */
const samples = 1_500_000;
/** Opaque colours up to this distance are tinged by the key, if they are not seen through glass. */
const tinged = 0.97;
/** The share of the way to the opaque colour that noise may take. */
const noiseShare = 0.04;

/**
 * Removes a flat ground from an opaque image, in place: sets alpha, and takes the ground's colour out of what is half
 * transparent. The ground's colour is measured at the border, and may change smoothly over the image.
 */
export function removeKey(pixels: Pixels): KeyOutcome {
  const ground = measureGround(pixels);
  if (!ground) {
    return { removed: false, why: 'no_ground' };
  }
  const matte = new KeyMatte(pixels, ground);
  const uncertain = matte.writeAlpha();
  removeSpecks(pixels);
  fillPinholes(pixels);
  matte.takeOutKey();
  return { removed: true, key: ground.colour, ground: ground.share, uncertain, isGrey: matte.isGrey };
}

/** An image with the key that is to be removed from it. */
class KeyMatte {
  readonly #pixels: Pixels;
  readonly #ground: Ground;
  readonly #axes: KeyAxes;
  /** The distance up to which a pixel is only the ground's noise. */
  readonly #haze: number;
  readonly #colours: SubjectColours;

  constructor(pixels: Pixels, ground: Ground) {
    this.#pixels = pixels;
    this.#ground = ground;
    this.#axes = new KeyAxes(ground.colour);
    this.#haze = Math.min(0.12, (2 + 4 * ground.noise) / this.#axes.levels);
    this.#colours = new SubjectColours(this.#axes, pixels);
    this.#gatherColours();
  }

  get isGrey(): boolean {
    return this.#axes.isGrey;
  }

  #gatherColours(): void {
    const { width, height, rgba } = this.#pixels;
    const step = Math.max(1, Math.ceil(Math.sqrt((width * height) / samples)));
    const ground = this.#groundRows();
    for (let y = step >> 1; y < height; y += step) {
      ground.goTo(y);
      for (let x = step >> 1; x < width; x += step) {
        const at = (y * width + x) * 4;
        const distance = this.#axes.distance(rgba, at, ground.levels, x * 3);
        if (distance > 2 * this.#haze) {
          this.#colours.add(x, y, this.#axes.direction(rgba, at, ground.levels, x * 3), distance);
        }
      }
    }
    this.#colours.conclude();
  }

  /** Writes alpha and returns the share of the subject that is uncertain. */
  writeAlpha(): number {
    const rows = new DistanceRows(this.#pixels, this.#ground.surface, this.#axes, this.#haze);
    const ground = this.#groundRows();
    const counts = { subject: 0, uncertain: 0 };
    for (let y = 0; y < this.#pixels.height; y++) {
      ground.goTo(y);
      this.#colours.startRow(y);
      this.#writeAlphaOf(y, rows, ground.levels, counts);
    }
    return counts.subject === 0 ? 0 : counts.uncertain / counts.subject;
  }

  /** Writes the alpha of a row, and adds up its pixels. */
  #writeAlphaOf(
    y: number,
    rows: DistanceRows,
    under: Float32Array,
    counts: { subject: number; uncertain: number },
  ): void {
    const { width, rgba } = this.#pixels;
    const [axes, colours, haze] = [this.#axes, this.#colours, this.#haze];
    const certain = axes.isGrey ? axes.solid : tinged;
    const { distances: row, directions } = rows.around(y);
    let [subject, uncertain] = [0, 0];
    for (let x = 0, at = y * width * 4; x < width; x++, at += 4) {
      const distance = row[x] ?? 0;
      if (distance <= haze) {
        rgba[at] = rgba[at + 1] = rgba[at + 2] = rgba[at + 3] = 0;
        continue;
      }
      subject++;
      const direction = directions[x] ?? 0;
      const opaque = colours.opaque(x, direction);
      let alpha = distance / opaque;
      if (
        distance >= colours.solid(direction) &&
        (alpha >= 0.95 || !rows.isFading(x, y, noiseShare * opaque))
      ) {
        uncertain += alpha < 0.8 || distance < certain ? 1 : 0;
        alpha = 1;
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
      if (distance < 1 && !axes.isGrey && colours.solid(direction) >= axes.solid) {
        // Opaque, and yet tinged by the key.
        takeOut(rgba, at, under, x * 3, 1 / Math.max(0.8, distance));
      }
    }
    counts.subject += subject;
    counts.uncertain += uncertain;
  }

  /** Takes the ground's colour out of all that is half-transparent. */
  takeOutKey(): void {
    const { width, height, rgba } = this.#pixels;
    const ground = this.#groundRows();
    const words = wordsOf(rgba);
    for (let y = 0, pixel = 0; y < height; y++) {
      ground.goTo(y);
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
          takeOut(rgba, at, ground.levels, x * 3, 255 / alpha);
        }
      }
    }
  }

  #groundRows(): SurfaceRows {
    return new SurfaceRows(this.#ground.surface, this.#pixels.width);
  }
}

/** Moves a colour away from the key's. @param scale by what their difference grows */
function takeOut(rgba: Uint8Array, at: number, ground: Float32Array, under: number, scale: number): void {
  for (let channel = 0; channel < 3; channel++) {
    const key = ground[under + channel] ?? 0;
    const level = key + ((rgba[at + channel] ?? 0) - key) * scale;
    rgba[at + channel] = level <= 0 ? 0 : level >= 255 ? 255 : level + 0.5;
  }
}
