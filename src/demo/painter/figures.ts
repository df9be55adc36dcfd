import { boxAround, clampUnit } from './canvas.ts';
import { mix, type Color } from './color.ts';
import { type Draw, firstNamed, type Figure } from './sceneContext.ts';

export const house: Draw = ({ canvas, palette }, x, foot, size) => {
  const wall = mix([236, 226, 208], palette.near, palette.hour === 'night' ? 0.6 : 0.15);
  const roof = mix(palette.accents[0], palette.near, 0.3);
  const half = size * 0.52;
  canvas.rectangle({ left: x - half, top: foot - size * 0.55, right: x + half, bottom: foot }, wall);
  canvas.rectangle({ left: x, top: foot - size * 0.55, right: x + half, bottom: foot }, palette.near, 0.18);
  canvas.rectangle(
    { left: x + half * 0.4, top: foot - size, right: x + half * 0.62, bottom: foot - size * 0.6 },
    roof,
  );
  canvas.polygon(
    [
      [x - half * 1.2, foot - size * 0.53],
      [x, foot - size],
      [x + half * 1.2, foot - size * 0.53],
    ],
    roof,
  );
  const lamp: Color = palette.hour === 'day' ? mix(palette.sky[0], palette.near, 0.4) : [255, 214, 120];
  for (const side of [-0.55, 0.3]) {
    const left = x + side * half;
    canvas.rectangle(
      { left, top: foot - size * 0.42, right: left + half * 0.28, bottom: foot - size * 0.24 },
      lamp,
    );
  }
  canvas.rectangle(
    { left: x - half * 0.14, top: foot - size * 0.3, right: x + half * 0.14, bottom: foot },
    roof,
  );
};

export const lighthouse: Draw = ({ canvas, palette }, x, foot, size) => {
  const band = palette.accents[0];
  const white: Color = mix([250, 246, 238], palette.near, palette.hour === 'night' ? 0.35 : 0.05);
  const half = (height: number): number => size * (0.14 - 0.06 * height);
  for (let stripe = 0; stripe < 6; stripe++) {
    const low = stripe * 0.13;
    const high = low + 0.13;
    canvas.polygon(
      [
        [x - half(low), foot - size * low],
        [x + half(low), foot - size * low],
        [x + half(high), foot - size * high],
        [x - half(high), foot - size * high],
      ],
      stripe % 2 === 0 ? white : band,
    );
  }
  const lamp = foot - size * 0.84;
  canvas.rectangle(
    { left: x - size * 0.12, top: foot - size * 0.8, right: x + size * 0.12, bottom: foot - size * 0.77 },
    palette.near,
  );
  canvas.rectangle(
    { left: x - size * 0.06, top: foot - size * 0.9, right: x + size * 0.06, bottom: foot - size * 0.8 },
    [255, 232, 150],
  );
  canvas.polygon(
    [
      [x - size * 0.09, foot - size * 0.9],
      [x, foot - size],
      [x + size * 0.09, foot - size * 0.9],
    ],
    band,
  );
  const reach = size * 1.8;
  canvas.light(boxAround(x, lamp, reach), [255, 236, 170], (px, py) => {
    const dx = Math.abs(px - x);
    const beam = clampUnit(1 - Math.abs(py - lamp) / (size * 0.02 + dx * 0.16));
    const glow = clampUnit(1 - Math.hypot(dx, py - lamp) / (size * 0.35));
    return (palette.hour === 'day' ? 0.25 : 0.8) * Math.max(glow * glow, beam * clampUnit(1 - dx / reach));
  });
};

export const cat: Draw = ({ canvas, palette }, x, foot, size) => {
  const ink = mix(palette.near, [12, 10, 18], 0.5);
  const at = (dx: number, dy: number): readonly [number, number] => [x + dx * size, foot - dy * size];
  for (let step = 0; step <= 24; step++) {
    const turn = step / 24;
    const [px, py] = at(0.26 + 0.24 * Math.sin(turn * 3), 0.04 + 0.42 * turn);
    canvas.disc(px, py, size * (0.05 - 0.015 * turn), ink);
  }
  canvas.ellipse(...at(0, 0.28), size * 0.27, size * 0.3, ink);
  canvas.ellipse(...at(-0.02, 0.5), size * 0.17, size * 0.24, ink);
  canvas.ellipse(...at(-0.02, 0.76), size * 0.2, size * 0.17, ink);
  canvas.polygon([at(-0.21, 0.8), at(-0.19, 1.02), at(-0.04, 0.9)], ink);
  canvas.polygon([at(0.17, 0.8), at(0.15, 1.02), at(0, 0.9)], ink);
  for (const side of [-0.1, 0.06]) {
    canvas.ellipse(...at(side, 0.77), size * 0.04, size * 0.05, palette.accents[2]);
    canvas.ellipse(...at(side, 0.77), size * 0.012, size * 0.045, [10, 10, 14]);
  }
};

export const bird: Draw = ({ canvas, palette, random }, x, foot, size) => {
  for (let each = 0; each < 6; each++) {
    const px = x + size * random.between(-1.6, 1.6);
    const py = foot - size * random.between(0.15, 1.15);
    const span = size * random.between(0.12, 0.28);
    for (const side of [-1, 1]) {
      canvas.polygon(
        [
          [px, py],
          [px + side * span * 0.45, py - span * 0.32],
          [px + side * span, py - span * 0.05],
          [px + side * span * 0.45, py - span * 0.2],
        ],
        mix(palette.near, [20, 20, 26], 0.5),
      );
    }
  }
};

export const tree: Draw = ({ canvas, palette, random }, x, foot, size) => {
  const bark = mix([74, 50, 38], palette.near, 0.4);
  const leaf = mix([70, 128, 62], palette.accents[0], 0.45);
  canvas.polygon(
    [
      [x - size * 0.06, foot],
      [x - size * 0.03, foot - size * 0.5],
      [x + size * 0.03, foot - size * 0.5],
      [x + size * 0.06, foot],
    ],
    bark,
  );
  for (let clump = 0; clump < 42; clump++) {
    const turn = random.between(0, 2 * Math.PI);
    const reach = Math.sqrt(random.next());
    const shade = mix(mix(leaf, palette.near, 0.45), mix(leaf, palette.light, 0.25), clump / 42);
    const py = foot - size * 0.66 + Math.sin(turn) * reach * size * 0.26 - (clump / 42) * size * 0.06;
    canvas.disc(x + Math.cos(turn) * reach * size * 0.33, py, size * random.between(0.07, 0.12), shade);
  }
};

export const flower: Draw = ({ canvas, palette, random }, x, foot, size) => {
  const stem = mix([64, 120, 70], palette.near, 0.25);
  for (let bloom = 0; bloom < 13; bloom++) {
    const height = size * random.between(0.3, 0.75);
    const top = foot - height;
    const px = x + size * random.between(-0.95, 0.95);
    canvas.polygon(
      [
        [px - size * 0.012, top],
        [px + size * 0.012, top],
        [px + size * 0.02, foot],
        [px - size * 0.02, foot],
      ],
      stem,
    );
    canvas.ellipse(px + size * 0.07, foot - height * 0.35, size * 0.07, size * 0.025, stem);
    const petal = random.pick(palette.accents);
    const radius = size * random.between(0.045, 0.085);
    const start = random.between(0, 1);
    for (let leaf = 0; leaf < 8; leaf++) {
      const turn = start + (leaf * Math.PI) / 4;
      canvas.disc(
        px + Math.cos(turn) * radius,
        top + Math.sin(turn) * radius,
        radius * 0.52,
        mix(petal, [255, 255, 255], leaf % 2 === 0 ? 0.1 : 0.25),
      );
    }
    canvas.disc(px, top, radius * 0.55, mix([250, 204, 80], petal, 0.15));
  }
};

export const boat: Draw = ({ canvas, palette }, x, foot, size) => {
  const hull = mix(palette.near, palette.accents[0], 0.35);
  const sail = mix([255, 250, 240], palette.accents[1], 0.2);
  canvas.rectangle(
    { left: x - size * 0.012, top: foot - size, right: x + size * 0.012, bottom: foot - size * 0.1 },
    hull,
  );
  canvas.polygon(
    [
      [x + size * 0.03, foot - size * 0.97],
      [x + size * 0.42, foot - size * 0.2],
      [x + size * 0.03, foot - size * 0.2],
    ],
    sail,
  );
  canvas.polygon(
    [
      [x - size * 0.03, foot - size * 0.85],
      [x - size * 0.3, foot - size * 0.2],
      [x - size * 0.03, foot - size * 0.2],
    ],
    mix(sail, palette.near, 0.15),
  );
  canvas.polygon(
    [
      [x - size * 0.42, foot - size * 0.15],
      [x + size * 0.5, foot - size * 0.15],
      [x + size * 0.34, foot],
      [x - size * 0.3, foot],
    ],
    hull,
  );
};

export const balloon: Draw = ({ canvas, palette }, x, foot, size) => {
  const middle = foot - size * 0.95;
  const radius = size * 0.32;
  const box = { ...boxAround(x, middle, radius, radius * 1.1), bottom: middle + radius * 1.5 };
  canvas.cover(box, palette.accents[0], envelope);
  canvas.cover(box, palette.accents[2], (px, py) => {
    const across = (px - x) / Math.max(1, halfWidth(py));
    return Math.abs(Math.asin(Math.max(-1, Math.min(1, across)))) % 0.8 < 0.4 ? envelope(px, py) : 0;
  });
  canvas.light(
    boxAround(x, middle, radius),
    [255, 255, 255],
    (px, py) =>
      0.35 *
      clampUnit(1 - Math.hypot(px - x + radius * 0.4, py - middle + radius * 0.4) / radius) *
      envelope(px, py),
  );
  const basket = middle + radius * 1.75;
  canvas.rectangle(
    { left: x - size * 0.05, top: basket, right: x + size * 0.05, bottom: basket + size * 0.08 },
    mix([120, 78, 48], palette.near, 0.3),
  );
  for (const side of [-1, 1]) {
    canvas.polygon(
      [
        [x + side * radius * 0.3, middle + radius * 1.3],
        [x + side * size * 0.05, basket],
        [x + side * size * 0.04, basket],
      ],
      palette.near,
    );
  }

  function halfWidth(py: number): number {
    const dy = (py - middle) / radius;
    return dy < 0 ? radius * Math.sqrt(Math.max(0, 1 - dy * dy)) : radius * clampUnit(Math.cos(dy * 0.95));
  }
  function envelope(px: number, py: number): number {
    return py > middle + radius * 1.35 ? 0 : clampUnit(halfWidth(py) - Math.abs(px - x) + 0.5);
  }
};

export const BOAT: Figure = { draw: boat, element: 'water' };

const onLand = (draw: Draw): Figure => ({ draw, element: 'land' });
const inAir = (draw: Draw): Figure => ({ draw, element: 'air' });

const FIGURES = [
  [onLand(cat), 'cat kitten'],
  [onLand(house), 'house cottage home cabin'],
  [BOAT, 'boat ship sailboat'],
  [onLand(lighthouse), 'lighthouse tower'],
  [onLand(tree), 'tree oak'],
  [onLand(flower), 'flower garden tulip meadow'],
  [inAir(bird), 'bird gull'],
  [inAir(balloon), 'balloon'],
] as const;

export function figureFor(words: readonly string[]): Figure | undefined {
  return firstNamed<Figure>(words, FIGURES);
}
