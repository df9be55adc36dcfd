import { boxAround, clampUnit } from '../drawing/canvas.ts';
import { mix, type Colour } from '../drawing/colour.ts';
import { fractal, valueNoise } from '../drawing/noise.ts';
import type { Palette } from '../drawing/palette.ts';
import type { SceneContext } from './sceneContext.ts';

/** The position of the light, in pixels. */
export interface Light {
  x: number;
  y: number;
  radius: number;
}

/** Paints gradient, clouds, stars and sun or moon over the whole canvas. */
export function paintSky(context: SceneContext, horizon: number): Light {
  const { canvas, palette, random } = context;
  const { width, unit } = canvas;
  const clouds = fractal(valueNoise(random.integer(1, 1e6)), 4);
  const density = random.between(0.5, 0.62);
  const light = {
    x: width * random.between(0.2, 0.8),
    y: horizon * (palette.hour === 'sunset' ? random.between(0.6, 0.88) : random.between(0.22, 0.5)),
    radius: unit * random.between(0.05, 0.09),
  };
  const lit = mix(palette.sky[2], palette.light, 0.6);
  canvas.shade((x, y) => {
    const depth = clampUnit(y / horizon);
    const base = skyColour(palette, depth);
    // Distant clouds are flatter.
    const cloud = clouds((x / unit) * 3, (y / unit) * (5 + 7 * depth));
    const amount = clampUnit((cloud - density) * 3.2) * (palette.hour === 'night' ? 0.3 : 0.75);
    return amount > 0 ? mix(base, lit, amount) : base;
  });
  if (palette.hour === 'night') {
    paintStars(context, horizon);
  }
  paintLight(context, light);
  return light;
}

/** Scatters stars of varied size and brightness above a height in pixels. */
export function paintStars({ canvas, random }: SceneContext, lowest: number): void {
  const count = Math.round(140 + (canvas.width / canvas.unit) * 120);
  for (let star = 0; star < count; star++) {
    const brightness = random.between(0.15, 1) ** 2;
    const size = canvas.unit * random.between(0.0007, 0.0022);
    const x = random.between(0, canvas.width);
    canvas.disc(x, lowest * random.next() ** 1.3, size, [255, 252, 240], brightness);
  }
}

function skyColour(palette: Palette, depth: number): Colour {
  return depth < 0.55
    ? mix(palette.sky[0], palette.sky[1], depth / 0.55)
    : mix(palette.sky[1], palette.sky[2], (depth - 0.55) / 0.45);
}

function paintLight({ canvas, palette }: SceneContext, light: Light): void {
  const reach = light.radius * (palette.hour === 'sunset' ? 9 : 6);
  canvas.light(boxAround(light.x, light.y, reach), palette.light, (x, y) => {
    const distance = clampUnit(1 - Math.hypot(x - light.x, y - light.y) / reach);
    return 0.55 * distance * distance * distance;
  });
  canvas.disc(light.x, light.y, light.radius, palette.light);
}
