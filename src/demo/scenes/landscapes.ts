import { clampUnit, type Canvas } from '../drawing/canvas.ts';
import { mix } from '../drawing/colour.ts';
import type { Figure } from './figure.ts';
import { BOAT, figureFor } from './figures.ts';
import { paintDunes, paintFirs, paintRidges, paintWater, type Edge } from './terrain.ts';
import { fractal, valueNoise } from '../drawing/noise.ts';
import type { Palette } from '../drawing/palette.ts';
import type { Random } from '../random.ts';
import type { SceneContext } from './sceneContext.ts';
import { paintSky } from './sky.ts';

const LAKE_WORDS = new Set(['lake', 'river', 'water', 'fjord']);

export function mountains({ canvas, palette, random, words }: SceneContext): void {
  const horizon = canvas.height * random.between(0.5, 0.62);
  const figure = figureFor(words);
  const lake = words.some((word) => LAKE_WORDS.has(word)) || (figure === undefined && random.chance(0.3));
  const light = paintSky(canvas, palette, random, horizon * 1.1);
  const edge = paintRidges(canvas, palette, random, {
    from: horizon - canvas.unit * 0.06,
    layers: random.integer(4, 5),
    rough: random.between(0.75, 1.15),
    snow: palette.hour !== 'sunset' || words.includes('snow'),
  });
  if (lake) {
    const shore = canvas.height * 0.74;
    paintWater(canvas, palette, random, shore, light);
    placeAtWater({ canvas, palette, random, words }, figure, shore);
    return;
  }
  const dark = mix(palette.near, [0, 0, 0], 0.25);
  paintFirs(canvas, dark, random, (x) => edge(x) + canvas.unit * 0.05, canvas.unit * 0.12);
  placeOnLand({ canvas, palette, random, words }, figure, edge);
}

export function sea({ canvas, palette, random, words }: SceneContext): void {
  const horizon = canvas.height * random.between(0.48, 0.58);
  const light = paintSky(canvas, palette, random, horizon);
  paintRidges(canvas, palette, random, {
    from: horizon - canvas.unit * 0.1,
    layers: 1,
    rough: 0.3,
    snow: false,
  });
  paintWater(canvas, palette, random, horizon, light);
  placeAtWater({ canvas, palette, random, words }, figureFor(words) ?? BOAT, horizon);
}

export function dunes({ canvas, palette, random, words }: SceneContext): void {
  const horizon = canvas.height * random.between(0.46, 0.56);
  paintSky(canvas, palette, random, horizon);
  const edge = paintDunes(canvas, palette, random, horizon);
  placeOnLand({ canvas, palette, random, words }, figureFor(words), edge);
}

export function forest({ canvas, palette, random, words }: SceneContext): void {
  const horizon = canvas.height * 0.62;
  paintSky(canvas, palette, random, horizon);
  const rows = 4;
  for (let row = 0; row < rows; row++) {
    const depth = row / (rows - 1);
    const noise = fractal(valueNoise(random.integer(1, 1e6)), 4);
    const base = horizon + (canvas.height - horizon) * (0.75 * depth - 0.05);
    const edge = (x: number): number =>
      base - canvas.unit * 0.12 * (noise((x / canvas.unit) * 2, row * 5) - 0.4);
    const colour = mix(mix(palette.far, palette.sky[2], 0.3), mix(palette.near, [10, 30, 22], 0.3), depth);
    canvas.below(edge, canvas.height, (_x, y, top) =>
      mix(colour, palette.sky[2], 0.35 * clampUnit((y - top) / (canvas.unit * 0.3)) * (1 - depth)),
    );
    paintFirs(canvas, colour, random, edge, canvas.unit * (0.16 + 0.2 * depth));
  }
  placeOnLand({ canvas, palette, random, words }, figureFor(words), () => canvas.height * 0.82);
}

/** Places a figure on or above the land. */
function placeOnLand(
  { canvas, palette, random }: SceneContext,
  figure: Figure | undefined,
  edge: Edge,
): void {
  const x = canvas.width * random.between(0.3, 0.7);
  const foot =
    figure?.element === 'air'
      ? canvas.height * 0.62
      : Math.min(canvas.height * 0.9, edge(x) + canvas.unit * 0.08);
  figure?.draw(canvas, x, foot, canvas.unit * 0.4, palette, random);
}

/** Places a figure on or above the water, or on a rock in it. */
function placeAtWater(
  { canvas, palette, random }: SceneContext,
  figure: Figure | undefined,
  shore: number,
): void {
  const x = canvas.width * random.pick([0.32, 0.64]);
  const middle = shore + (canvas.height - shore) * 0.45;
  if (figure?.element === 'land') {
    paintRock(canvas, palette, random, x, middle);
  }
  const foot = figure?.element === 'air' ? canvas.height * 0.6 : middle + canvas.unit * 0.02;
  figure?.draw(canvas, x, foot, canvas.unit * 0.36, palette, random);
}

function paintRock(canvas: Canvas, palette: Palette, random: Random, x: number, top: number): void {
  const rock = mix(palette.near, [20, 18, 22], 0.4);
  const noise = fractal(valueNoise(random.integer(1, 1e6)), 5);
  canvas.below(
    (px) =>
      top +
      (Math.abs(px - x) / canvas.unit) ** 2 * canvas.unit * 1.4 -
      noise((px / canvas.unit) * 6, 0) * canvas.unit * 0.08,
    canvas.height,
    (px, py) => mix(rock, palette.far, 0.35 * noise((px / canvas.unit) * 12, (py / canvas.unit) * 12)),
  );
}
