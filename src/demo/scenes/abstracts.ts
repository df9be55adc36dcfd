import { clampUnit } from '../drawing/canvas.ts';
import { mix } from '../drawing/colour.ts';
import { fractal, valueNoise } from '../drawing/noise.ts';
import type { SceneContext } from './sceneContext.ts';

/** Paints plain overlapping shapes, for icons, logos and posters. */
export function shapes({ canvas, palette, random }: SceneContext): void {
  const grain = fractal(valueNoise(random.integer(1, 1e6)), 3);
  const ground = mix(palette.sky[2], [252, 248, 240], 0.55);
  canvas.shade((x, y) =>
    mix(ground, palette.sky[1], 0.4 * grain((x / canvas.unit) * 2, (y / canvas.unit) * 2)),
  );
  const count = random.integer(9, 14);
  for (let shape = 0; shape < count; shape++) {
    const colour = mix(
      random.pick([...palette.accents, palette.near]),
      [255, 255, 255],
      random.between(0, 0.2),
    );
    const x = canvas.width * random.between(0.1, 0.9);
    const y = canvas.height * random.between(0.1, 0.9);
    const size = canvas.unit * random.between(0.08, 0.3);
    const opacity = random.between(0.6, 0.95);
    const turn = random.between(0, Math.PI);
    const corners = random.pick([0, 0, 3, 4, 6]);
    if (corners === 0) {
      canvas.disc(x, y, size, colour, opacity);
      if (random.chance(0.5)) {
        canvas.disc(x, y, size * 0.55, ground, opacity);
      }
    } else {
      const points = Array.from({ length: corners }, (_, corner): readonly [number, number] => {
        const angle = turn + (corner * 2 * Math.PI) / corners;
        return [x + Math.cos(angle) * size, y + Math.sin(angle) * size];
      });
      canvas.polygon(points, colour, opacity);
    }
  }
}

/** Paints marbled bands of the palette's colours, for textures and backgrounds. */
export function marble({ canvas, palette, random }: SceneContext): void {
  const warp = fractal(valueNoise(random.integer(1, 1e6)), 4);
  const colours = [...palette.accents, palette.sky[2], palette.near];
  const bands = random.between(5, 9);
  canvas.shade((x, y) => {
    const u = (x / canvas.unit) * 2;
    const v = (y / canvas.unit) * 2;
    const first = warp(u, v);
    const position = warp(u + first * 2.4, v + first * 1.7) * bands + first;
    const index = Math.floor(position);
    const from = colours[index % colours.length] ?? palette.near;
    const to = colours[(index + 1) % colours.length] ?? palette.near;
    const within = position - index;
    return mix(
      mix(from, to, within * within * (3 - 2 * within)),
      [255, 255, 255],
      clampUnit(first - 0.55) * 0.6,
    );
  });
}
