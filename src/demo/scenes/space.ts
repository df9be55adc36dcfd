import { boxAround, clampUnit } from '../drawing/canvas.ts';
import { mix, type Colour } from '../drawing/colour.ts';
import { fractal, valueNoise } from '../drawing/noise.ts';
import type { SceneContext } from './sceneContext.ts';
import { paintStars } from './sky.ts';

/** Paints a ringed planet in front of a nebula. */
export function space(context: SceneContext): void {
  const { canvas, palette, random } = context;
  const cloud = fractal(valueNoise(random.integer(1, 1e6)), 5);
  const veil = fractal(valueNoise(random.integer(1, 1e6)), 4);
  const dark: Colour = [7, 8, 20];
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
  for (const [colour, share] of [
    [first, false],
    [second, true],
  ] as const) {
    canvas.cover(disc, colour, (px, py) => {
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
