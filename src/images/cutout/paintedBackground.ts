import type { Pixels } from '../codecs/pixels.ts';
import type { Dimensions } from '../formats/dimensions.ts';
import { type Ground, type Rgb, type Sample, Surface } from './surface.ts';

/** A painted background as found at the border: one color that may change smoothly over the image, or a wall and a floor. */
export interface PaintedBackground {
  readonly color: Rgb;
  /** The share of the border that shows it, from 0 to 1. */
  readonly share: number;
  /** The standard deviation of its pixels from its smooth color, in levels. */
  readonly noise: number;
  readonly surface: Ground;
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
  const inner = innerOf(pixels);
  const color = commonColor(pixels, border);
  const room = measureRoom(pixels, color, border, inner);
  if (room) {
    return room;
  }
  const { surface, found, noise } = fitted(pixels, color, border, inner);
  const share = found.length / border.length;
  const isFlat = noise < mostFlat && isStrong(surface.at(found[0] ?? 0));
  return share < (isFlat ? leastStrongShare : leastShare)
    ? undefined
    : { color: meanColor(surface, inner), share, noise, surface };
}

/** A surface, the pixels at the border that show it, and their noise. */
interface Fit {
  surface: Surface;
  found: Sample;
  noise: number;
}

/** Fits a surface to pixels at the border that are near a color, and then to those inside as well. */
function fitted(pixels: Pixels, color: Rgb, border: Sample, inner: Sample): Fit {
  const surface = new Surface(pixels, color);
  for (const reach of reaches) {
    surface.fit(pixels, surface.near(pixels, border, reach));
  }
  const close = surface.near(pixels, border, reaches[2]);
  const found = surface.near(pixels, border, backgroundReach(surface.noise(pixels, close)));
  const everywhere = [...found, ...inner];
  for (let round = 0; round < 2; round++) {
    surface.fit(pixels, surface.near(pixels, everywhere, backgroundReach(surface.noise(pixels, found))));
  }
  return { surface, found, noise: surface.noise(pixels, found) };
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

function meanColor(surface: Ground, sample: Sample): Rgb {
  const sums: [number, number, number] = [0, 0, 0];
  for (const pixel of sample) {
    for (const [channel, level] of surface.at(pixel).entries()) {
      sums[channel] = (sums[channel] ?? 0) + level / sample.length;
    }
  }
  return sums;
}

/** Maximum difference of a channel between two shades of a strong color, in levels, apart from their lightness. */
const shadeReach = 30;
/** Lightness of a shade, as a share of the color's. */
const shades = [0.3, 1.6] as const;
/** Minimum saturation of a color whose shades can be told from a subject, in levels. */
const leastSaturation = 60;
/** Height of the bands compared above and below an edge, and the least height of a floor, as shares of the height. */
const [bandHeight, floorHeight] = [0.025, 0.04];
/** Maximum height of a soft edge, of its slope over the image, and of its curve, as shares of the height. */
const [softEdge, mostSlope, edgeCurve] = [0.05, 0.15, 0.004];
/** Minimum difference between wall and floor, in levels, and how many times that between other rows. */
const [leastStep, steepStep] = [9, 5];
/** Minimum share of the border, and of the shades on either side of the edge, that the two surfaces explain. */
const [leastBorder, leastInside] = [0.35, 0.6];

/** Measures a background in two shades of a strong color, a wall above a floor, if that is what the border shows. */
function measureRoom(
  pixels: Pixels,
  color: Rgb,
  border: Sample,
  inner: Sample,
): PaintedBackground | undefined {
  const { width, height } = pixels;
  if (Math.max(...color) - Math.min(...color) < leastSaturation || Math.min(width, height) < 64) {
    return undefined;
  }
  const shade = new Shade(pixels, color);
  const [left, right] = [floorEdge(shade.side(0), height), floorEdge(shade.side(1), height)];
  if (!left || !right || Math.abs(left.row - right.row) > mostSlope * height) {
    return undefined;
  }
  if (left.floor > left.wall !== right.floor > right.wall) {
    return undefined;
  }
  const edge = new FloorEdge([left, right], width, height);
  const parts = [-1, 1].map((side) => {
    const isBeside = (pixel: number): boolean => edge.beyond(pixel) * side > softEdge * height;
    const own = border.filter(isBeside);
    const level = (side < 0 ? left.wall + right.wall : left.floor + right.floor) / 2;
    return { own, fit: fitted(pixels, shade.of(level), own, inner.filter(isBeside)) };
  });
  const [wall, floor] = parts.map(({ fit }) => fit);
  if (!wall || !floor || parts.some(({ own, fit }) => fit.found.length < leastBorder * own.length)) {
    return undefined;
  }
  const surface = new Room(pixels, wall.surface, floor.surface, edge);
  const noise = Math.max(wall.noise, floor.noise);
  let [explained, lighter] = [0, 0];
  for (const pixel of inner) {
    const own = shade.at(pixel);
    const rows = Math.abs(edge.beyond(pixel));
    if (own === undefined || rows < 0.01 * height || rows > 4 * bandHeight * height) {
      continue;
    }
    // Something darker may be a shadow.
    const more = own - (shade.lightnessOf(surface.at(pixel)) ?? own);
    explained += Math.abs(more) <= backgroundReach(noise) ? 1 : 0;
    lighter += more > backgroundReach(noise) ? 1 : 0;
  }
  const share = (wall.found.length + floor.found.length) / border.length;
  return explained < leastInside * (explained + lighter)
    ? undefined
    : { color: meanColor(surface, inner), share, noise, surface };
}

/** Tells how light the pixels are that have a shade of a color. */
class Shade {
  readonly #pixels: Pixels;
  readonly #color: Rgb;
  readonly #square: number;

  constructor(pixels: Pixels, color: Rgb) {
    this.#pixels = pixels;
    this.#color = color;
    this.#square = color.reduce((sum, level) => sum + level * level, 0);
  }

  /** Returns the lightness of a pixel, in levels. */
  at(pixel: number): number | undefined {
    const { rgba } = this.#pixels;
    const at = pixel * 4;
    return this.lightnessOf([rgba[at] ?? 0, rgba[at + 1] ?? 0, rgba[at + 2] ?? 0]);
  }

  lightnessOf([ownRed, ownGreen, ownBlue]: Rgb): number | undefined {
    const [red, green, blue] = this.#color;
    const share = (ownRed * red + ownGreen * green + ownBlue * blue) / this.#square;
    const isShade =
      share >= shades[0] &&
      share <= shades[1] &&
      Math.abs(ownRed - share * red) <= shadeReach &&
      Math.abs(ownGreen - share * green) <= shadeReach &&
      Math.abs(ownBlue - share * blue) <= shadeReach;
    return isShade ? share * Math.sqrt(this.#square) : undefined;
  }

  of(lightness: number): Rgb {
    const share = lightness / Math.sqrt(this.#square);
    const [red, green, blue] = this.#color;
    return [share * red, share * green, share * blue];
  }

  /** Returns the mean lightness in each row at the left (0) or right (1) border; NaN where it is of another color. */
  side(right: 0 | 1): Float64Array {
    const { width, height } = this.#pixels;
    const depth = Math.max(2, Math.round(Math.min(width, height) * bandShare));
    return Float64Array.from({ length: height }, (_, y) => {
      let [sum, count] = [0, 0];
      for (let x = 0; x < depth; x++) {
        const lightness = this.at(y * width + (right ? width - 1 - x : x));
        sum += lightness ?? 0;
        count += lightness === undefined ? 0 : 1;
      }
      return count * 2 > depth ? sum / count : Number.NaN;
    });
  }
}

/** The share of a floor's lightness that is only noise. */
const flatShare = 0.08;

/** Where a wall becomes a floor along one side of an image. */
interface SideEdge {
  row: number;
  /** The lightness of both near the edge, in levels. */
  wall: number;
  floor: number;
  /** The share of the floor's lightness in each row from `softEdge` above the edge to as much below it. */
  shares: readonly number[];
}

function floorEdge(lightness: Float64Array, height: number): SideEdge | undefined {
  const band = Math.max(3, Math.round(bandHeight * height));
  const soft = Math.round(softEdge * height);
  const mean = (from: number, to: number): number => {
    const known = lightness.subarray(Math.max(0, from), Math.min(height, to)).filter((level) => level >= 0);
    return known.length * 2 < to - from
      ? Number.NaN
      : known.reduce((sum, level) => sum + level, 0) / known.length;
  };
  const stepAt = (row: number): number => Math.abs(mean(row, row + band) - mean(row - band, row)) || 0;
  const margin = Math.ceil(floorHeight * height);
  const rows = Array.from({ length: Math.max(0, height - 2 * margin) }, (_, index) => index + margin);
  const steps = rows.map(stepAt);
  const row = rows[steps.indexOf(Math.max(...steps))] ?? 0;
  const usual = steps.toSorted((one, other) => one - other)[steps.length >> 1] ?? 0;
  const reach = Math.min(soft, row - 1, height - row - 2);
  const wall = mean(row - reach - band, row - Math.floor(reach / 2));
  const floor = mean(row + Math.ceil(reach / 2), row + reach + band);
  const step = Math.abs(floor - wall);
  if (!(step >= leastStep) || step < steepStep * usual) {
    return undefined;
  }
  const shares = Array.from({ length: 2 * soft + 1 }, (_, index) => {
    const share = ((lightness[row + index - soft] ?? Number.NaN) - wall) / (floor - wall);
    const isFloor = Number.isNaN(share) ? index >= soft : share > 1 - flatShare;
    return isFloor ? 1 : share > flatShare ? share : 0;
  });
  return { row, wall, floor, shares };
}

/** The straight line between a wall and a floor, which may be soft. */
class FloorEdge {
  readonly #size: Dimensions;
  readonly #rows: readonly [left: number, right: number];
  readonly #shares: readonly number[];

  constructor(sides: readonly [left: SideEdge, right: SideEdge], width: number, height: number) {
    const [left, right] = sides;
    this.#size = { width, height };
    this.#rows = [left.row, right.row];
    this.#shares = left.shares.map((share, index) => (share + (right.shares[index] ?? share)) / 2);
  }

  /** Returns how many rows a pixel is below the edge; less than 0 above it. */
  beyond(pixel: number): number {
    const { width } = this.#size;
    return this.rowsBeyond(pixel % width, Math.floor(pixel / width));
  }

  rowsBeyond(x: number, y: number): number {
    const [left, right] = this.#rows;
    return y - left - ((right - left) * x) / (this.#size.width - 1);
  }

  /** Returns the floor's share in the background so many rows below the edge. */
  share(rows: number): number {
    const at = rows + (this.#shares.length >> 1);
    const [upper, lower] = [Math.floor(at), Math.ceil(at)];
    const share = (index: number): number => (index < 0 ? 0 : (this.#shares[index] ?? 1));
    return share(upper) + (share(lower) - share(upper)) * (at - upper);
  }
}

/** A wall above a floor. */
class Room implements Ground {
  /** Neighboring rows may differ. */
  readonly steepness = Infinity;
  readonly #pixels: Pixels;
  readonly #wall: Surface;
  readonly #floor: Surface;
  readonly #edge: FloorEdge;
  readonly #floorRow: Float32Array;

  constructor(pixels: Pixels, wall: Surface, floor: Surface, edge: FloorEdge) {
    [this.#pixels, this.#wall, this.#floor, this.#edge] = [pixels, wall, floor, edge];
    this.#floorRow = new Float32Array(pixels.width * 3);
  }

  at(pixel: number): Rgb {
    const share = this.#edge.share(this.#edge.beyond(pixel));
    const [wall, floor] = [this.#wall.at(pixel), this.#floor.at(pixel)];
    const mixed = (channel: 0 | 1 | 2): number => wall[channel] + (floor[channel] - wall[channel]) * share;
    return [mixed(0), mixed(1), mixed(2)];
  }

  readRow(row: number, to: Float32Array): void {
    const { width, height, rgba } = this.#pixels;
    const edge = this.#edge;
    const ends = [edge.rowsBeyond(0, row), edge.rowsBeyond(width - 1, row)];
    const reach = softEdge * height + edgeCurve * height + 2;
    if (Math.max(...ends) < -reach) {
      this.#wall.readRow(row, to);
      return;
    }
    this.#floor.readRow(row, to);
    if (Math.min(...ends) > reach) {
      return;
    }
    const floor = this.#floorRow;
    floor.set(to);
    this.#wall.readRow(row, to);
    // The line isn't quite straight: a pixel tells where it is.
    const bend = Math.max(2, edgeCurve * height);
    for (let x = 0, at = 0; x < width; x++, at += 3) {
      const beyond = edge.rowsBeyond(x, row);
      const own = shareOfFloor(rgba, (row * width + x) * 4, to, floor, at);
      const [least, most] = [edge.share(beyond - bend), edge.share(beyond + bend)];
      const share = own === undefined ? edge.share(beyond) : Math.min(most, Math.max(least, own));
      for (let channel = at; channel < at + 3; channel++) {
        to[channel] = (to[channel] ?? 0) + ((floor[channel] ?? 0) - (to[channel] ?? 0)) * share;
      }
    }
  }
}

/** Maximum difference of a pixel from the line between a wall's and a floor's color, in levels. */
const mixReach = 12;

/** Returns the share of a floor's color in a pixel that may be mixed from it and a wall's. */
function shareOfFloor(
  rgba: Uint8Array,
  at: number,
  wall: Float32Array,
  floor: Float32Array,
  under: number,
): number | undefined {
  let [product, square] = [0, 0];
  for (let channel = 0; channel < 3; channel++) {
    const step = (floor[under + channel] ?? 0) - (wall[under + channel] ?? 0);
    product += ((rgba[at + channel] ?? 0) - (wall[under + channel] ?? 0)) * step;
    square += step * step;
  }
  const share = product / square;
  for (let channel = 0; channel < 3; channel++) {
    const level = wall[under + channel] ?? 0;
    const mixed = level + ((floor[under + channel] ?? 0) - level) * share;
    if (Math.abs((rgba[at + channel] ?? 0) - mixed) > mixReach) {
      return undefined;
    }
  }
  return share;
}
