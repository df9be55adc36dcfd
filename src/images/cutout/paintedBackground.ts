import type { Pixels } from '../codecs/pixels.ts';
import { type Rgb, type Sample, Surface } from './surface.ts';

/** A painted background as found at the border: one color that may change smoothly over the image. */
export interface PaintedBackground {
  readonly color: Rgb;
  /** The share of the border that shows it, from 0 to 1. */
  readonly share: number;
  /** The standard deviation of its pixels from its smooth color, in levels. */
  readonly noise: number;
  readonly surface: Surface;
}

/** Minimum share of the border for a background: a subject may stand on the lower edge or reach a side. */
const leastShare = 0.35;
/** The same for a strong color, and how much more a pixel of one counts: a landscape may fill most of the border. */
const [leastStrongShare, strongWeight] = [0.18, 3];
/** Minimum share of the border with nearly one strong color, for these. */
const leastVotes = 0.06;
/** Maximum noise of such a color, in levels. */
const mostFlat = 8;
/** Maximum level of a weak channel, and minimum of a strong one, in a strong color as it is asked for. */
const [weak, strong] = [72, 183];
/** Width of the band along the border, as a share of the shorter side. */
const bandShare = 0.012;
const borderSamples = 6000;
const innerSamples = 10_000;
/** Maximum distance from the background's color in each fit, in levels. The first fit assumes a single color. */
const reaches = [72, 40, 24] as const;

/** Measures the background at the border of an image and over similar pixels. Returns undefined if there is none. */
export function measureBackground(pixels: Pixels): PaintedBackground | undefined {
  const border = borderOf(pixels);
  const surface = new Surface(pixels, commonColor(pixels, border));
  for (const reach of reaches) {
    surface.fit(pixels, surface.near(pixels, border, reach));
  }
  const close = surface.near(pixels, border, reaches[2]);
  const noise = surface.noise(pixels, close);
  const found = surface.near(pixels, border, backgroundReach(noise));
  const share = found.length / border.length;
  const isFlat = noise < mostFlat && isStrong(surface.at(found[0] ?? 0));
  if (share < (isFlat ? leastStrongShare : leastShare)) {
    return undefined;
  }
  const inner = innerOf(pixels);
  const everywhere = [...found, ...inner];
  for (let round = 0; round < 2; round++) {
    surface.fit(pixels, surface.near(pixels, everywhere, backgroundReach(surface.noise(pixels, found))));
  }
  return { color: meanColor(surface, inner), share, noise: surface.noise(pixels, found), surface };
}

/** Returns the maximum distance of a background pixel from its smooth color, in levels. */
function backgroundReach(noise: number): number {
  return 4 + 4 * noise;
}

/** Returns pixels from a band along the four sides. */
function borderOf({ width, height }: Pixels): Sample {
  const depth = Math.max(1, Math.round(Math.min(width, height) * bandShare));
  const count = 2 * depth * (width + height);
  const step = Math.max(1, Math.floor(count / borderSamples));
  const sample: number[] = [];
  for (let index = 0; index < count; index += step) {
    const [along, inward] = [Math.floor(index / depth), index % depth];
    if (along < 2 * width) {
      const y = along < width ? inward : height - 1 - inward;
      sample.push(y * width + (along % width));
    } else {
      const down = along - 2 * width;
      const x = down < height ? inward : width - 1 - inward;
      sample.push((down % height) * width + x);
    }
  }
  return sample;
}

/** Returns pixels from all over the image. */
function innerOf({ width, height }: Pixels): Sample {
  const step = Math.max(1, Math.sqrt((width * height) / innerSamples));
  const sample: number[] = [];
  for (let y = step / 2; y < height; y += step) {
    for (let x = step / 2; x < width; x += step) {
      sample.push(Math.floor(y) * width + Math.floor(x));
    }
  }
  return sample;
}

function commonColor({ rgba }: Pixels, sample: Sample): Rgb {
  const votes = new Uint32Array(16 ** 3);
  for (const pixel of sample) {
    const at = pixel * 4;
    const cell = ((rgba[at] ?? 0) >> 4) * 256 + ((rgba[at + 1] ?? 0) >> 4) * 16 + ((rgba[at + 2] ?? 0) >> 4);
    votes[cell] = (votes[cell] ?? 0) + 1;
  }
  // In noise, no cell has a share to speak of.
  const weigh = (count: number, cell: number): number =>
    count >= leastVotes * sample.length && isStrong(colorOf(cell)) ? strongWeight * count : count;
  const weighed = votes.map(weigh);
  return colorOf(weighed.indexOf(weighed.reduce((one, other) => Math.max(one, other), 0)));
}

function colorOf(cell: number): Rgb {
  return [(cell >> 8) * 16 + 8, ((cell >> 4) & 15) * 16 + 8, (cell & 15) * 16 + 8];
}

function isStrong(color: ArrayLike<number>): boolean {
  const levels = Array.from(color);
  return (
    levels.every((level) => level <= weak || level >= strong) &&
    Math.max(...levels) >= strong &&
    Math.min(...levels) <= weak
  );
}

function meanColor(surface: Surface, sample: Sample): Rgb {
  const sums: [number, number, number] = [0, 0, 0];
  for (const pixel of sample) {
    for (const [channel, level] of surface.at(pixel).entries()) {
      sums[channel] = (sums[channel] ?? 0) + level / sample.length;
    }
  }
  return sums;
}
