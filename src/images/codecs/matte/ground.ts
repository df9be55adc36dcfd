import type { Pixels } from '../pixels.ts';
import { type Rgb, type Sample, Surface } from './surface.ts';

/** A painted ground as it was found at the border: one colour that may change smoothly over the image. */
export interface Ground {
  /** Its mean colour. */
  readonly colour: Rgb;
  /** The share of the border that shows it, from 0 to 1. */
  readonly share: number;
  /** The standard deviation of its pixels from its smooth colour, in levels. */
  readonly noise: number;
  readonly surface: Surface;
}

/** The least share of the border that a ground shows: a subject may stand on the lower edge or reach a side. */
const leastShare = 0.35;
/** The width of the band along the border, as a share of the shorter side. */
const bandShare = 0.012;
const borderSamples = 6000;
const innerSamples = 10_000;
/** How far pixels may be from the ground's colour in the fits, in levels: at first, the ground is of one colour. */
const reaches = [72, 40, 24] as const;

/** Measures the ground at the border of an image and over what looks like it. Returns undefined if there is none. */
export function measureGround(pixels: Pixels): Ground | undefined {
  const border = borderOf(pixels);
  const surface = new Surface(pixels, commonColour(pixels, border));
  for (const reach of reaches) {
    surface.fit(pixels, surface.near(pixels, border, reach));
  }
  const close = surface.near(pixels, border, reaches[2]);
  const found = surface.near(pixels, border, groundReach(surface.noise(pixels, close)));
  const share = found.length / border.length;
  if (share < leastShare) {
    return undefined;
  }
  const inner = innerOf(pixels);
  const everywhere = [...found, ...inner];
  for (let round = 0; round < 2; round++) {
    surface.fit(pixels, surface.near(pixels, everywhere, groundReach(surface.noise(pixels, found))));
  }
  return { colour: meanColour(surface, inner), share, noise: surface.noise(pixels, found), surface };
}

/** Returns how far a pixel of the ground may be from its smooth colour, in levels. */
function groundReach(noise: number): number {
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

/** Returns the colour that most pixels of a sample are near. */
function commonColour({ rgba }: Pixels, sample: Sample): Rgb {
  const votes = new Uint32Array(16 ** 3);
  for (const pixel of sample) {
    const at = pixel * 4;
    const cell = ((rgba[at] ?? 0) >> 4) * 256 + ((rgba[at + 1] ?? 0) >> 4) * 16 + ((rgba[at + 2] ?? 0) >> 4);
    votes[cell] = (votes[cell] ?? 0) + 1;
  }
  const most = votes.indexOf(votes.reduce((one, other) => Math.max(one, other), 0));
  return [(most >> 8) * 16 + 8, ((most >> 4) & 15) * 16 + 8, (most & 15) * 16 + 8];
}

function meanColour(surface: Surface, sample: Sample): Rgb {
  const sums: [number, number, number] = [0, 0, 0];
  for (const pixel of sample) {
    for (const [channel, level] of surface.at(pixel).entries()) {
      sums[channel] = (sums[channel] ?? 0) + level / sample.length;
    }
  }
  return sums;
}
