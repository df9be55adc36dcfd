import { boxAround, clampUnit, type Canvas } from './canvas.ts';
import { mix, type Color, type Palette } from './color.ts';
import { fractal, valueNoise } from './noise.ts';
import type { SceneContext } from './sceneContext.ts';
import type { Random } from '../http/random.ts';

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
    const base = skyColor(palette, depth);
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

function skyColor(palette: Palette, depth: number): Color {
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

/** Returns the height of a ridge line at a column, in pixels from the top. */
export type Edge = (x: number) => number;

/** Paints layers of hills or mountains from the horizon to the lower edge. Returns the ridge line of the nearest. */
export function paintRidges(
  { canvas, palette, random }: SceneContext,
  { from, layers, rough, snow }: { from: number; layers: number; rough: number; snow: boolean },
): Edge {
  let nearest: Edge = () => from;
  for (let layer = 0; layer < layers; layer++) {
    const depth = layers === 1 ? 1 : layer / (layers - 1);
    const noise = fractal(valueNoise(random.integer(1, 1e6)), 6);
    const scale = (2.4 - depth) / canvas.unit;
    const base = from + (canvas.height - from) * (0.08 + 0.62 * depth);
    const rise = canvas.unit * rough * (0.42 - 0.2 * depth);
    const edge: Edge = (x) => base - rise * (noise(x * scale + layer * 40, 3.7) * 2 - 0.75);
    const color = mix(palette.far, palette.near, depth ** 0.9);
    const haze = mix(color, palette.sky[2], 0.45 * (1 - depth) + 0.12);
    const fade = canvas.unit * 0.34;
    const cap: Color = mix([250, 252, 255], palette.sky[1], 0.25);
    const capLine = base - rise * 0.42;
    canvas.below(edge, canvas.height, (x, y, top) => {
      const below = clampUnit((y - top) / fade);
      const background = mix(color, haze, below);
      if (!snow || depth > 0.7 || y > capLine) {
        return background;
      }
      const ragged = noise(x * scale * 9, y * scale * 5) * 0.6 + 0.4;
      return mix(background, cap, clampUnit(((capLine - y) / rise) * 5 * ragged));
    });
    nearest = edge;
  }
  return nearest;
}

export function paintDunes({ canvas, palette, random }: SceneContext, from: number): Edge {
  const sand: Color = mix([236, 184, 122], palette.accents[0], 0.25);
  const shadow = mix(sand, palette.near, 0.62);
  let nearest: Edge = () => from;
  for (let layer = 0; layer < 4; layer++) {
    const depth = layer / 3;
    const noise = valueNoise(random.integer(1, 1e6));
    const scale = (2 - 1.1 * depth) / canvas.unit;
    const base = from + (canvas.height - from) * (0.05 + 0.66 * depth);
    const rise = canvas.unit * 0.2;
    const edge: Edge = (x) => base - rise * (noise(x * scale + layer * 9, 1.5) * 1.6 - 0.6);
    const air = mix(sand, palette.sky[2], 0.6 * (1 - depth));
    const slopes = Float32Array.from({ length: canvas.width }, (_, x) => (edge(x + 2.5) - edge(x - 1.5)) / 4);
    canvas.below(edge, canvas.height, (x, y, top) => {
      const slope = slopes[Math.floor(x)] ?? 0;
      const drift = noise(x * scale * 4, y * scale * 4) * 9;
      const ripple = Math.sin((y - top * 0.6) * (70 / canvas.unit) + drift);
      const shade = 0.3 + slope * 1.1 + 0.05 * ripple + ((y - top) / canvas.height) * 0.5;
      return mix(air, shadow, clampUnit(shade));
    });
    nearest = edge;
  }
  return nearest;
}

/** Paints water from a height to the lower edge, mirroring the scene above it. */
export function paintWater({ canvas, palette, random }: SceneContext, from: number, light: Light): void {
  const noise = valueNoise(random.integer(1, 1e6));
  const top = Math.round(from);
  const above = canvas.rgba.slice(0, top * canvas.width * 4);
  const deep = mix(palette.near, palette.sky[0], 0.45);
  canvas.below(
    () => top,
    canvas.height,
    (x, y) => {
      const depth = (y - top) / (canvas.height - top);
      // Waves grow toward the viewer and shift the reflection.
      const wave = noise((x / canvas.unit) * (14 - 9 * depth), ((y - top) / canvas.unit) * (90 - 60 * depth));
      const sourceX = Math.round(x + (wave - 0.5) * canvas.unit * 0.05 * (0.3 + depth));
      const sourceY = Math.round(top - 1 - (y - top) * 0.85 - wave * canvas.unit * 0.015);
      const column = Math.min(canvas.width - 1, Math.max(0, sourceX));
      const row = Math.min(top - 1, Math.max(0, sourceY));
      const offset = (row * canvas.width + column) * 4;
      const mirrored: Color = [above[offset] ?? 0, above[offset + 1] ?? 0, above[offset + 2] ?? 0];
      const water = mix(mirrored, deep, 0.22 + 0.42 * depth);
      const trail = clampUnit(1 - Math.abs(x - light.x) / (light.radius * (1.1 + 3 * depth)));
      return mix(water, palette.light, clampUnit((wave - 0.56) * 3) * (0.12 + 0.75 * trail));
    },
  );
}

/** Paints fir trees along an edge. `size` is their height in pixels. */
export function paintFirs(canvas: Canvas, color: Color, random: Random, edge: Edge, size: number): void {
  const count = Math.round((canvas.width / size) * 2.6);
  for (let tree = 0; tree < count; tree++) {
    const x = random.between(-0.02, 1.02) * canvas.width;
    const height = size * random.between(0.55, 1.15);
    const foot = edge(x) + size * 0.12;
    const tiers = 4;
    for (let tier = 0; tier < tiers; tier++) {
      const top = foot - height + (height * 0.78 * tier) / tiers;
      const half = height * (0.1 + 0.05 * tier);
      canvas.polygon(
        [
          [x, top],
          [x + half, top + height * 0.36],
          [x - half, top + height * 0.36],
        ],
        color,
      );
    }
    canvas.rectangle(
      { left: x - height * 0.03, top: foot - height * 0.15, right: x + height * 0.03, bottom: foot },
      color,
    );
  }
}
