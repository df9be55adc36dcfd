import { boxAround, clampUnit } from './canvas.ts';
import { mix, type Color } from './color.ts';
import { fractal, valueNoise } from './noise.ts';
import type { SceneContext, Figure } from './sceneContext.ts';
import { paintStars, paintDunes, paintFirs, paintRidges, paintWater, type Edge, paintSky } from './sky.ts';
import { BOAT, figureFor } from './figures.ts';

/** Paints a ringed planet in front of a nebula. */
export function space(context: SceneContext): void {
  const { canvas, palette, random } = context;
  const cloud = fractal(valueNoise(random.integer(1, 1e6)), 5);
  const veil = fractal(valueNoise(random.integer(1, 1e6)), 4);
  const dark: Color = [7, 8, 20];
  canvas.shade((x, y) => {
    const u = (x / canvas.unit) * 2.6;
    const v = (y / canvas.unit) * 2.6;
    const bend = veil(u * 0.6, v * 0.6);
    const nebula = clampUnit((cloud(u + bend * 2, v - bend * 2) - 0.42) * 2.6);
    return mix(
      mix(dark, palette.accents[0], nebula * 0.75),
      palette.accents[1],
      clampUnit(bend - 0.4) * nebula,
    );
  });
  paintStars(context, canvas.height);
  planet(context);
}

function planet({ canvas, palette, random }: SceneContext): void {
  const x = canvas.width * random.between(0.35, 0.65);
  const y = canvas.height * random.between(0.38, 0.55);
  const radius = canvas.unit * random.between(0.19, 0.27);
  const disc = boxAround(x, y, radius);
  const surface = fractal(valueNoise(random.integer(1, 1e6)), 5);
  const [first, second] = [palette.accents[2], palette.accents[0]];
  const ring = (front: boolean): void =>
    canvas.cover(boxAround(x, y, radius * 2.2, radius * 1.2), mix(palette.light, first, 0.35), (px, py) => {
      const across = (px - x) / radius;
      const down = (py - y) / radius + across * 0.22;
      const distance = Math.hypot(across, down * 3.4);
      const shown = front ? down > 0 : down <= 0;
      return shown && distance > 1.35 && distance < 2.05 ? 0.25 + 0.45 * surface(distance * 24, 2) : 0;
    });
  ring(false);
  for (const [color, share] of [
    [first, false],
    [second, true],
  ] as const) {
    canvas.cover(disc, color, (px, py) => {
      const edge = clampUnit(radius - Math.hypot(px - x, py - y) + 0.5);
      return share ? edge * clampUnit(surface((px / radius) * 1.2, (py / radius) * 3.4) * 2.4 - 0.7) : edge;
    });
  }
  canvas.cover(disc, [4, 5, 14], (px, py) => {
    const away = Math.hypot(px - x + radius * 0.55, py - y + radius * 0.5) / radius;
    return clampUnit(radius - Math.hypot(px - x, py - y) + 0.5) * clampUnit((away - 0.55) * 0.95);
  });
  ring(true);
}

const LAKE_WORDS = new Set(['lake', 'river', 'water', 'fjord']);

export function mountains(context: SceneContext): void {
  const { canvas, palette, random, words } = context;
  const horizon = canvas.height * random.between(0.5, 0.62);
  const figure = figureFor(words);
  const lake = words.some((word) => LAKE_WORDS.has(word)) || (figure === undefined && random.chance(0.3));
  const light = paintSky(context, horizon * 1.1);
  const edge = paintRidges(context, {
    from: horizon - canvas.unit * 0.06,
    layers: random.integer(4, 5),
    rough: random.between(0.75, 1.15),
    snow: palette.hour !== 'sunset' || words.includes('snow'),
  });
  if (lake) {
    const shore = canvas.height * 0.74;
    paintWater(context, shore, light);
    placeAtWater(context, figure, shore);
    return;
  }
  const dark = mix(palette.near, [0, 0, 0], 0.25);
  paintFirs(canvas, dark, random, (x) => edge(x) + canvas.unit * 0.05, canvas.unit * 0.12);
  placeOnLand(context, figure, edge);
}

export function sea(context: SceneContext): void {
  const { canvas, random, words } = context;
  const horizon = canvas.height * random.between(0.48, 0.58);
  const light = paintSky(context, horizon);
  paintRidges(context, {
    from: horizon - canvas.unit * 0.1,
    layers: 1,
    rough: 0.3,
    snow: false,
  });
  paintWater(context, horizon, light);
  placeAtWater(context, figureFor(words) ?? BOAT, horizon);
}

export function dunes(context: SceneContext): void {
  const { canvas, random, words } = context;
  const horizon = canvas.height * random.between(0.46, 0.56);
  paintSky(context, horizon);
  const edge = paintDunes(context, horizon);
  placeOnLand(context, figureFor(words), edge);
}

export function forest(context: SceneContext): void {
  const { canvas, palette, random, words } = context;
  const horizon = canvas.height * 0.62;
  paintSky(context, horizon);
  const rows = 4;
  for (let row = 0; row < rows; row++) {
    const depth = row / (rows - 1);
    const noise = fractal(valueNoise(random.integer(1, 1e6)), 4);
    const base = horizon + (canvas.height - horizon) * (0.75 * depth - 0.05);
    const edge = (x: number): number =>
      base - canvas.unit * 0.12 * (noise((x / canvas.unit) * 2, row * 5) - 0.4);
    const color = mix(mix(palette.far, palette.sky[2], 0.3), mix(palette.near, [10, 30, 22], 0.3), depth);
    canvas.below(edge, canvas.height, (_x, y, top) =>
      mix(color, palette.sky[2], 0.35 * clampUnit((y - top) / (canvas.unit * 0.3)) * (1 - depth)),
    );
    paintFirs(canvas, color, random, edge, canvas.unit * (0.16 + 0.2 * depth));
  }
  placeOnLand(context, figureFor(words), () => canvas.height * 0.82);
}

function placeOnLand(context: SceneContext, figure: Figure | undefined, edge: Edge): void {
  const { canvas, random } = context;
  const x = canvas.width * random.between(0.3, 0.7);
  const foot =
    figure?.element === 'air'
      ? canvas.height * 0.62
      : Math.min(canvas.height * 0.9, edge(x) + canvas.unit * 0.08);
  figure?.draw(context, x, foot, canvas.unit * 0.4);
}

/** Places a figure on or above the water, or on a rock in it. */
function placeAtWater(context: SceneContext, figure: Figure | undefined, shore: number): void {
  const { canvas, random } = context;
  const x = canvas.width * random.pick([0.32, 0.64]);
  const middle = shore + (canvas.height - shore) * 0.45;
  if (figure?.element === 'land') {
    paintRock(context, x, middle);
  }
  const foot = figure?.element === 'air' ? canvas.height * 0.6 : middle + canvas.unit * 0.02;
  figure?.draw(context, x, foot, canvas.unit * 0.36);
}

function paintRock({ canvas, palette, random }: SceneContext, x: number, top: number): void {
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
