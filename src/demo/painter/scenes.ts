import { clampUnit } from './canvas.ts';
import { mix, type Color } from './color.ts';
import { fractal, valueNoise } from './noise.ts';
import { type SceneContext, firstNamed } from './sceneContext.ts';
import { paintWater, paintSky } from './sky.ts';
import { dunes, forest, mountains, sea, space } from './landscapes.ts';
import type { Random } from '../http/random.ts';

/** Paints plain overlapping shapes, for icons, logos and posters. */
export function shapes({ canvas, palette, random }: SceneContext): void {
  const grain = fractal(valueNoise(random.integer(1, 1e6)), 3);
  const background = mix(palette.sky[2], [252, 248, 240], 0.55);
  canvas.shade((x, y) =>
    mix(background, palette.sky[1], 0.4 * grain((x / canvas.unit) * 2, (y / canvas.unit) * 2)),
  );
  const count = random.integer(9, 14);
  for (let shape = 0; shape < count; shape++) {
    const color = mix(
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
      canvas.disc(x, y, size, color, opacity);
      if (random.chance(0.5)) {
        canvas.disc(x, y, size * 0.55, background, opacity);
      }
    } else {
      const points = Array.from({ length: corners }, (_, corner): readonly [number, number] => {
        const angle = turn + (corner * 2 * Math.PI) / corners;
        return [x + Math.cos(angle) * size, y + Math.sin(angle) * size];
      });
      canvas.polygon(points, color, opacity);
    }
  }
}

/** Paints marbled bands of the palette's colors, for textures and backgrounds. */
export function marble({ canvas, palette, random }: SceneContext): void {
  const warp = fractal(valueNoise(random.integer(1, 1e6)), 4);
  const colors = [...palette.accents, palette.sky[2], palette.near];
  const bands = random.between(5, 9);
  canvas.shade((x, y) => {
    const u = (x / canvas.unit) * 2;
    const v = (y / canvas.unit) * 2;
    const first = warp(u, v);
    const position = warp(u + first * 2.4, v + first * 1.7) * bands + first;
    const index = Math.floor(position);
    const from = colors[index % colors.length] ?? palette.near;
    const to = colors[(index + 1) % colors.length] ?? palette.near;
    const within = position - index;
    return mix(
      mix(from, to, within * within * (3 - 2 * within)),
      [255, 255, 255],
      clampUnit(first - 0.55) * 0.6,
    );
  });
}

export function city(context: SceneContext): void {
  const { canvas, palette, random, words } = context;
  const background = canvas.height * 0.86;
  const light = paintSky(context, background);
  for (let row = 0; row < 3; row++) {
    const depth = row / 2;
    const color = mix(mix(palette.far, palette.sky[1], 0.35), palette.near, depth);
    let left = -canvas.unit * random.between(0, 0.06);
    while (left < canvas.width) {
      const width = canvas.unit * random.between(0.06, 0.15);
      const top = background - canvas.unit * (random.between(0.18, 0.62) * (1.05 - 0.4 * depth));
      canvas.rectangle({ left, top, right: left + width, bottom: canvas.height }, color);
      if (random.chance(0.3)) {
        canvas.rectangle(
          {
            left: left + width * 0.48,
            top: top - canvas.unit * 0.06,
            right: left + width * 0.52,
            bottom: top,
          },
          color,
        );
      }
      if (row > 0) {
        windows(context, { left, top, width, bottom: background }, depth);
      }
      left += width * random.between(0.95, 1.25);
    }
  }
  if (words.some((word) => ['river', 'water', 'harbour', 'harbor', 'reflection'].includes(word))) {
    paintWater(context, background, light);
  }
}

function windows(
  { canvas, palette, random }: SceneContext,
  building: { left: number; top: number; width: number; bottom: number },
  depth: number,
): void {
  const step = canvas.unit * 0.02;
  const lit = palette.hour === 'day' ? 0.2 : 0.45;
  for (let y = building.top + step; y < building.bottom - step; y += step) {
    for (let x = building.left + step * 0.7; x < building.left + building.width - step; x += step) {
      if (random.chance(lit)) {
        const lamp: Color = mix([255, 214, 130], random.pick(palette.accents), random.between(0, 0.35));
        canvas.rectangle(
          { left: x, top: y, right: x + step * 0.5, bottom: y + step * 0.6 },
          lamp,
          0.45 + 0.5 * depth,
        );
      }
    }
  }
}

type Scene = (context: SceneContext) => void;

const SCENES = [
  [mountains, 'mountain alp hill valley lake fjord landscape'],
  [sea, 'sea ocean beach coast harbour harbor boat ship sailboat lighthouse wave island'],
  [dunes, 'desert dune sand'],
  [forest, 'forest wood jungle'],
  [city, 'city cities skyline town street building skyscraper'],
  [space, 'space planet galaxy nebula cosmos universe'],
  [shapes, 'icon logo abstract geometric pattern poster'],
  [marble, 'texture marble background wallpaper gradient fluid'],
] as const;

export function chooseScene(words: readonly string[], random: Random): Scene {
  const byChance = random.pick<Scene>([mountains, mountains, sea, dunes, forest]);
  return firstNamed<Scene>(words, SCENES) ?? byChance;
}
