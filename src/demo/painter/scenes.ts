import { clampUnit, type Canvas } from './canvas.ts';
import { mix, type Colour } from './colour.ts';
import { figureFor } from './figures.ts';
import { paintDunes, paintFirs, paintRidges, paintWater } from './land.ts';
import { fractal, valueNoise } from './noise.ts';
import type { Palette } from './palette.ts';
import type { Random } from './random.ts';
import { paintSky, paintStars } from './sky.ts';

/** What a scene is painted from. */
export interface Sitting {
  canvas: Canvas;
  palette: Palette;
  random: Random;
  /** The prompt's words in lower case. */
  words: readonly string[];
}

type Scene = (sitting: Sitting) => void;

/** The scene that the prompt's words ask for, or one drawn by chance. */
export function chooseScene(words: readonly string[], random: Random): Scene {
  const byChance = random.pick<Scene>([mountains, mountains, sea, dunes, forest]);
  for (const word of words) {
    const scene = SCENES.get(word) ?? SCENES.get(word.replace(/s$/u, ''));
    if (scene !== undefined) {
      return scene;
    }
  }
  return byChance;
}

function mountains({ canvas, palette, random, words }: Sitting): void {
  const horizon = canvas.height * random.between(0.5, 0.62);
  const light = paintSky(canvas, palette, random, horizon * 1.1);
  const lake = words.some((word) => ['lake', 'river', 'water', 'fjord'].includes(word)) || random.chance(0.3);
  const edge = paintRidges(canvas, palette, random, {
    from: horizon - canvas.unit * 0.06,
    layers: random.integer(4, 5),
    rough: random.between(0.75, 1.15),
    snow: palette.hour !== 'sunset' || words.includes('snow'),
  });
  if (lake) {
    paintWater(canvas, palette, random, canvas.height * 0.74, light);
    figureFor(words)?.(
      canvas,
      canvas.width * 0.42,
      canvas.height * 0.86,
      canvas.unit * 0.26,
      palette,
      random,
    );
    return;
  }
  paintFirs(
    canvas,
    mix(palette.near, [0, 0, 0], 0.25),
    random,
    (x) => edge(x) + canvas.unit * 0.05,
    canvas.unit * 0.12,
  );
  stand({ canvas, palette, random, words }, edge);
}

function sea({ canvas, palette, random, words }: Sitting): void {
  const horizon = canvas.height * random.between(0.48, 0.58);
  const light = paintSky(canvas, palette, random, horizon);
  paintRidges(canvas, palette, random, {
    from: horizon - canvas.unit * 0.1,
    layers: 1,
    rough: 0.3,
    snow: false,
  });
  paintWater(canvas, palette, random, horizon, light);
  const figure = figureFor(words) ?? figureFor(['boat']);
  const x = light.x > canvas.width / 2 ? canvas.width * 0.3 : canvas.width * 0.68;
  const foot = canvas.height * 0.72;
  if (words.some((word) => ['lighthouse', 'house', 'cottage', 'tower', 'cat', 'tree'].includes(word))) {
    const rock = mix(palette.near, [20, 18, 22], 0.4);
    const noise = fractal(valueNoise(random.integer(1, 1e6)), 5);
    canvas.below(
      (px) =>
        foot +
        (Math.abs(px - x) / canvas.unit) ** 2 * canvas.unit * 2.4 -
        noise((px / canvas.unit) * 6, 0) * canvas.unit * 0.08,
      canvas.height,
      (px, py) => mix(rock, palette.far, 0.35 * noise((px / canvas.unit) * 12, (py / canvas.unit) * 12)),
    );
  }
  figure?.(canvas, x, foot, canvas.unit * 0.36, palette, random);
}

function dunes({ canvas, palette, random, words }: Sitting): void {
  const horizon = canvas.height * random.between(0.46, 0.56);
  paintSky(canvas, palette, random, horizon);
  const edge = paintDunes(canvas, palette, random, horizon);
  stand({ canvas, palette, random, words }, edge);
}

function forest({ canvas, palette, random, words }: Sitting): void {
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
    canvas.below(edge, canvas.height, (x, y) =>
      mix(colour, palette.sky[2], 0.35 * clampUnit((y - edge(x)) / (canvas.unit * 0.3)) * (1 - depth)),
    );
    paintFirs(canvas, colour, random, edge, canvas.unit * (0.16 + 0.2 * depth));
  }
  stand({ canvas, palette, random, words }, () => canvas.height * 0.9);
}

function city({ canvas, palette, random, words }: Sitting): void {
  const ground = canvas.height * 0.86;
  const light = paintSky(canvas, palette, random, ground);
  for (let row = 0; row < 3; row++) {
    const depth = row / 2;
    const colour = mix(mix(palette.far, palette.sky[1], 0.35), palette.near, depth);
    let left = -canvas.unit * random.between(0, 0.06);
    while (left < canvas.width) {
      const width = canvas.unit * random.between(0.06, 0.15);
      const top = ground - canvas.unit * (random.between(0.18, 0.62) * (1.05 - 0.4 * depth));
      canvas.rectangle({ left, top, right: left + width, bottom: canvas.height }, colour);
      if (random.chance(0.3)) {
        canvas.rectangle(
          {
            left: left + width * 0.48,
            top: top - canvas.unit * 0.06,
            right: left + width * 0.52,
            bottom: top,
          },
          colour,
        );
      }
      if (row > 0) {
        windows(canvas, palette, random, { left, top, width, bottom: ground }, depth);
      }
      left += width * random.between(0.95, 1.25);
    }
  }
  if (words.some((word) => ['river', 'water', 'harbour', 'harbor', 'reflection'].includes(word))) {
    paintWater(canvas, palette, random, ground, light);
  }
}

function windows(
  canvas: Canvas,
  palette: Palette,
  random: Random,
  building: { left: number; top: number; width: number; bottom: number },
  depth: number,
): void {
  const step = canvas.unit * 0.02;
  const lit = palette.hour === 'day' ? 0.2 : 0.45;
  for (let y = building.top + step; y < building.bottom - step; y += step) {
    for (let x = building.left + step * 0.7; x < building.left + building.width - step; x += step) {
      if (random.chance(lit)) {
        const lamp: Colour = mix([255, 214, 130], random.pick(palette.accents), random.between(0, 0.35));
        canvas.rectangle(
          { left: x, top: y, right: x + step * 0.5, bottom: y + step * 0.6 },
          lamp,
          0.45 + 0.5 * depth,
        );
      }
    }
  }
}

function space({ canvas, palette, random }: Sitting): void {
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
  paintStars(canvas, random, canvas.height);
  planet(canvas, palette, random);
}

function planet(canvas: Canvas, palette: Palette, random: Random): void {
  const x = canvas.width * random.between(0.35, 0.65);
  const y = canvas.height * random.between(0.38, 0.55);
  const radius = canvas.unit * random.between(0.19, 0.27);
  const surface = fractal(valueNoise(random.integer(1, 1e6)), 5);
  const [first, second] = [palette.accents[2], palette.accents[0]];
  const ring = (front: boolean): void =>
    canvas.cover(
      { left: x - radius * 2.2, top: y - radius * 1.2, right: x + radius * 2.2, bottom: y + radius * 1.2 },
      mix(palette.light, first, 0.35),
      (px, py) => {
        const across = (px - x) / radius;
        const down = (py - y) / radius + across * 0.22;
        const distance = Math.hypot(across, down * 3.4);
        const shown = front ? down > 0 : down <= 0;
        return shown && distance > 1.35 && distance < 2.05 ? 0.25 + 0.45 * surface(distance * 24, 2) : 0;
      },
    );
  ring(false);
  for (const [colour, share] of [
    [first, false],
    [second, true],
  ] as const) {
    canvas.cover(
      { left: x - radius, top: y - radius, right: x + radius, bottom: y + radius },
      colour,
      (px, py) => {
        const edge = clampUnit(radius - Math.hypot(px - x, py - y) + 0.5);
        return share ? edge * clampUnit(surface((px / radius) * 1.2, (py / radius) * 3.4) * 2.4 - 0.7) : edge;
      },
    );
  }
  canvas.cover(
    { left: x - radius, top: y - radius, right: x + radius, bottom: y + radius },
    [4, 5, 14],
    (px, py) => {
      const away = Math.hypot(px - x + radius * 0.55, py - y + radius * 0.5) / radius;
      return clampUnit(radius - Math.hypot(px - x, py - y) + 0.5) * clampUnit((away - 0.55) * 0.95);
    },
  );
  ring(true);
}

function shapes({ canvas, palette, random }: Sitting): void {
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

/** Marbled bands of the picture's colours, for textures and backgrounds. */
function marble({ canvas, palette, random }: Sitting): void {
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

/** Puts the figure that the prompt names, if any, onto the land. */
function stand({ canvas, palette, random, words }: Sitting, edge: (x: number) => number): void {
  const x = canvas.width * random.between(0.3, 0.7);
  const foot = Math.min(canvas.height * 0.9, edge(x) + canvas.unit * 0.08);
  figureFor(words)?.(canvas, x, foot, canvas.unit * 0.4, palette, random);
}

const SCENES: ReadonlyMap<string, Scene> = new Map<string, Scene>([
  ['mountain', mountains],
  ['alp', mountains],
  ['hill', mountains],
  ['valley', mountains],
  ['lake', mountains],
  ['fjord', mountains],
  ['landscape', mountains],
  ['sea', sea],
  ['ocean', sea],
  ['beach', sea],
  ['coast', sea],
  ['harbour', sea],
  ['harbor', sea],
  ['boat', sea],
  ['ship', sea],
  ['sailboat', sea],
  ['lighthouse', sea],
  ['wave', sea],
  ['island', sea],
  ['desert', dunes],
  ['dune', dunes],
  ['sand', dunes],
  ['forest', forest],
  ['wood', forest],
  ['jungle', forest],
  ['city', city],
  ['cities', city],
  ['skyline', city],
  ['town', city],
  ['street', city],
  ['building', city],
  ['skyscraper', city],
  ['space', space],
  ['planet', space],
  ['galaxy', space],
  ['nebula', space],
  ['cosmos', space],
  ['universe', space],
  ['icon', shapes],
  ['logo', shapes],
  ['abstract', shapes],
  ['geometric', shapes],
  ['pattern', shapes],
  ['poster', shapes],
  ['texture', marble],
  ['marble', marble],
  ['background', marble],
  ['wallpaper', marble],
  ['gradient', marble],
  ['fluid', marble],
]);
