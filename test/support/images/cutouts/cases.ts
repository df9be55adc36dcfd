import type { Codecs, Pixels } from '../../../../src/images/finish/codecs.ts';
import { seededRandom, type Random } from '../../../../src/demo/http/random.ts';
import { groundKinds, keys, paintedGround } from './grounds.ts';
import { Layer } from './layer.ts';
import type { Subject } from './subjects.ts';

/** A drawn subject, whose alpha is known, on a ground. */
export interface KeyedCase {
  /** Says how it was drawn, with its seed. */
  title: string;
  kind: string;
  /** Whether the picture has its colors in half the resolution, as most JPEG and WebP files. */
  isCoarse: boolean;
  layer: Layer;
  picture: Pixels;
}

/** A drawn subject on two grounds, of which the second picture may lie beside the first. */
export interface TwoGroundsCase {
  title: string;
  kind: string;
  layer: Layer;
  onWhite: Pixels;
  onBlack: Pixels;
}

type Pair = readonly [across: number, down: number];

const sizes: readonly [Pair, ...Pair[]] = [
  [256, 256],
  [320, 200],
  [180, 300],
  [512, 384],
  [131, 97],
];

/** Qualities of JPEG; 0 leaves the pixels as they were drawn. Below 90, the encoder halves the colors' resolution. */
const qualities = [0, 0, 95, 90, 85] as const;

/** By how much the second picture is shifted, in pixels. */
const shifts: readonly [Pair, ...Pair[]] = [
  [0, 0],
  [0, 0],
  [1, 0],
  [-1, 2],
  [0.5, 0.25],
  [0.3, -0.6],
];

/** Draws every subject several times: on keys, sizes, grounds and with noise as the seed says. */
export async function* keyedCases(
  codecs: Codecs,
  subjects: Readonly<Record<string, Subject>>,
  { each, seed }: { each: number; seed: number },
): AsyncGenerator<KeyedCase> {
  for (const [kind, draw, own] of drawings(subjects, each, seed)) {
    const random = seededRandom(own);
    const layer = new Layer(...random.pick(sizes));
    const keyName = random.pick(['green', 'magenta', 'blue']);
    const ground = random.pick(groundKinds);
    const quality = random.pick(qualities);
    draw(layer, random, keys[keyName].hue);
    const drawn = layer.on(paintedGround(ground, keys[keyName].color, layer, random));
    yield {
      title: `${kind} on ${ground} ${keyName}, ${layer.width} × ${layer.height}, JPEG ${quality}, seed ${own}`,
      kind,
      isCoarse: quality > 0 && quality < 90,
      layer,
      picture: await compressed(codecs, drawn, quality),
    };
  }
}

/** Draws every subject several times on white and on black, which are not quite so. */
export async function* twoGroundsCases(
  codecs: Codecs,
  subjects: Readonly<Record<string, Subject>>,
  { each, seed }: { each: number; seed: number },
): AsyncGenerator<TwoGroundsCase> {
  for (const [kind, draw, own] of drawings(subjects, each, seed)) {
    const random = seededRandom(own);
    const layer = new Layer(...random.pick(sizes));
    const shift = random.pick(shifts);
    const quality = random.pick(qualities);
    const off = random.pick([0, 0, 6, 14]);
    draw(layer, random, random.between(0, 360));
    const onBlack = shifted(
      layer.on(() => [off, off * 0.8, off]),
      ...shift,
    );
    yield {
      title: `${kind}, ${layer.width} × ${layer.height}, shift ${shift.join()}, off by ${off}, JPEG ${quality}, seed ${own}`,
      kind,
      layer,
      onWhite: await compressed(codecs, layer.on(vignette(255 - off, layer, random)), quality),
      onBlack: await compressed(codecs, onBlack, quality),
    };
  }
}

/** Returns a picture that is shifted, by parts of pixels too; its edges are repeated. */
export function shifted({ width, height, rgba }: Pixels, byX: number, byY: number): Pixels {
  const moved = new Uint8Array(rgba.length).fill(255);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const fromX = Math.max(0, Math.min(width - 1.001, x - byX));
      const fromY = Math.max(0, Math.min(height - 1.001, y - byY));
      const [left, top] = [Math.floor(fromX), Math.floor(fromY)];
      const [across, down] = [fromX - left, fromY - top];
      for (let channel = 0; channel < 3; channel++) {
        const at = (atX: number, atY: number): number => rgba[(atY * width + atX) * 4 + channel] ?? 0;
        const upper = at(left, top) * (1 - across) + at(left + 1, top) * across;
        const lower = at(left, top + 1) * (1 - across) + at(left + 1, top + 1) * across;
        moved[(y * width + x) * 4 + channel] = Math.round(upper * (1 - down) + lower * down);
      }
    }
  }
  return { width, height, rgba: moved };
}

/** Returns the mean error of an alpha channel, from 0 to 1. */
export function alphaError({ rgba }: Pixels, { alpha }: Layer): number {
  let sum = 0;
  for (const [pixel, wanted] of alpha.entries()) {
    sum += Math.abs((rgba[pixel * 4 + 3] ?? 0) / 255 - wanted);
  }
  return sum / alpha.length;
}

/** Returns the mean error of the colors that a cut-out adds to any ground, from 0 to 1. */
export function colorError({ rgba }: Pixels, layer: Layer): number {
  const wanted = layer.cutOut().rgba;
  let sum = 0;
  for (let at = 0; at < wanted.length; at++) {
    if (at % 4 < 3) {
      const alpha = at - (at % 4) + 3;
      sum += Math.abs((rgba[at] ?? 0) * (rgba[alpha] ?? 0) - (wanted[at] ?? 0) * (wanted[alpha] ?? 0));
    }
  }
  return sum / (255 * 255 * 0.75 * wanted.length);
}

/** The errors of many cases, from 0 to 1. */
export class Errors {
  readonly #found: { title: string; kind: string; error: number }[] = [];

  add({ title, kind }: { title: string; kind: string }, error: number): void {
    this.#found.push({ title, kind, error });
  }

  get count(): number {
    return this.#found.length;
  }

  get mean(): number {
    return this.#found.reduce((sum, { error }) => sum + error, 0) / this.#found.length;
  }

  get worst(): number {
    return Math.max(...this.#found.map(({ error }) => error));
  }

  /** Says the means and the worst, with what they were. */
  toString(): string {
    const kinds = Map.groupBy(this.#found, ({ kind }) => kind);
    const lines = [...kinds].map(([kind, found]) => {
      const mean = found.reduce((sum, { error }) => sum + error, 0) / found.length;
      return `${kind} ${percent(mean)} (worst ${percent(Math.max(...found.map(({ error }) => error)))})`;
    });
    const worst = this.#found.toSorted((one, other) => other.error - one.error)[0];
    return [
      `${this.count} subjects: mean ${percent(this.mean)}`,
      `worst ${percent(this.worst)}: ${worst?.title ?? ''}`,
      ...lines,
    ].join('\n');
  }
}

function percent(share: number): string {
  return `${(share * 100).toFixed(2)} %`;
}

function drawings(
  subjects: Readonly<Record<string, Subject>>,
  each: number,
  seed: number,
): [kind: string, draw: Subject, seed: number][] {
  return Object.entries(subjects).flatMap(([kind, draw], index) =>
    Array.from({ length: each }, (_, turn): [string, Subject, number] => [
      kind,
      draw,
      seed + index * 100 + turn,
    ]),
  );
}

function vignette(
  level: number,
  { width, height }: Layer,
  random: Random,
): (x: number, y: number) => [number, number, number] {
  const strength = random.pick([0, 0.025]);
  return (x, y) => {
    const light = level * (1 - strength * (((2 * x) / width - 1) ** 2 + ((2 * y) / height - 1) ** 2));
    return [light, light, light * 0.99];
  };
}

async function compressed(codecs: Codecs, pixels: Pixels, quality: number): Promise<Pixels> {
  return quality === 0 ? pixels : codecs.decode(await codecs.encode(pixels, { format: 'jpeg', quality }));
}
