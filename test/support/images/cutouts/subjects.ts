import { boxAround } from '../../../../src/demo/painter/canvas.ts';
import { hsl, mix, type Color } from '../../../../src/demo/painter/color.ts';
import { fractal, valueNoise } from '../../../../src/demo/painter/noise.ts';
import type { Random } from '../../../../src/demo/http/random.ts';
import type { Brush } from './layer.ts';
import { disc, ease, polygon, ring, starPoints, stroke, type Point } from './shapes.ts';

/** Draws a subject in the middle. `keyHue` is the hue of the ground in degrees, which the subject's colors avoid. */
export type Subject = (brush: Brush, random: Random, keyHue: number) => void;

/** Subjects of the kinds that people cut out, each drawn differently from each seed. */
export const subjects = {
  disc: (brush, random, keyHue) => {
    disc(brush, middle(brush, random), brush.unit * random.between(0.2, 0.4), color(random, keyHue));
  },

  ball: (brush, random, keyHue) => {
    const [x, y] = middle(brush, random);
    const radius = brush.unit * random.between(0.25, 0.38);
    shadedBall(brush, [x, y], radius, color(random, keyHue));
  },

  ring: (brush, random, keyHue) => {
    const outer = brush.unit * random.between(0.25, 0.42);
    ring(brush, middle(brush, random), [outer * random.between(0.4, 0.8), outer], color(random, keyHue));
  },

  chain: (brush, random, keyHue) => {
    const [x, y] = middle(brush, random);
    const size = brush.unit * 0.13;
    for (let link = -2; link <= 2; link++) {
      const place: Point = [x + link * size * 1.25, y + random.between(-0.4, 0.4) * size];
      ring(brush, place, [size * 0.62, size], color(random, keyHue));
    }
  },

  hair: (brush, random, keyHue) => {
    const [x, y] = middle(brush, random);
    const radius = brush.unit * 0.2;
    const [dark, light] = [
      hsl(random.between(15, 45), 0.5, 0.12),
      hsl(random.between(20, 50), 0.6, random.between(0.3, 0.6)),
    ];
    for (let strand = 0; strand < 70; strand++) {
      const angle = random.between(0, 2 * Math.PI);
      const bend = angle + random.between(-0.7, 0.7);
      const end = radius * random.between(1.2, 2.1);
      stroke(
        brush,
        [
          [x + radius * 0.7 * Math.cos(angle), y + radius * 0.7 * Math.sin(angle)],
          [x + radius * 1.2 * Math.cos(angle), y + radius * 1.2 * Math.sin(angle)],
          [x + end * Math.cos(bend), y + end * Math.sin(bend)],
        ],
        [brush.unit * 0.008, 0.4],
        mix(dark, light, random.next()),
      );
    }
    shadedBall(brush, [x, y], radius, notNear(hsl(25, 0.5, 0.6), keyHue, random));
  },

  smoke: (brush, random) => {
    const [x, y] = middle(brush, random);
    const noise = fractal(valueNoise(random.integer(0, 1e9)), 4);
    const reach = brush.unit * random.between(0.3, 0.42);
    const gray = random.between(40, 245);
    const thickness = random.between(0.5, 0.9);
    brush.cover(
      boxAround(x, y, reach),
      [gray, gray, gray],
      (px, py) =>
        thickness *
        ease(1.25 - 1.25 * (Math.hypot(px - x, py - y) / reach)) *
        ease(noise((px * 6) / brush.unit, (py * 6) / brush.unit) * 1.8 - 0.3),
    );
  },

  glass: (brush, random, keyHue) => {
    const [x, y] = middle(brush, random);
    const radius = brush.unit * random.between(0.22, 0.34);
    const tint = mix([235, 240, 245], hsl(random.between(0, 360), 0.5, 0.7), random.between(0, 0.25));
    const body = random.between(0.12, 0.4);
    brush.cover(
      boxAround(x, y, radius + 1),
      tint,
      (px, py) =>
        ease(radius - Math.hypot(px - x, py - y) + 0.5) *
        (body + (0.85 - body) * ease((Math.hypot(px - x, py - y) / radius - 0.8) * 5)),
    );
    disc(brush, [x - radius * 0.35, y - radius * 0.4], radius * 0.16, [255, 255, 255], {
      softness: radius * 0.12,
      opacity: 0.95,
    });
    polygon(
      brush,
      boxPoints(x - radius * 0.35, y - radius * 1.2, radius * 0.7, radius * 0.35),
      color(random, keyHue),
    );
  },

  shadow: (brush, random, keyHue) => {
    const [x, y] = middle(brush, random);
    const radius = brush.unit * random.between(0.16, 0.26);
    disc(brush, [x + radius * 0.25, y + radius * 0.45], radius * 1.05, [0, 0, 0], {
      softness: radius * random.between(0.5, 0.9),
      opacity: random.between(0.25, 0.6),
    });
    shadedBall(brush, [x, y], radius, color(random, keyHue));
  },

  blurred: (brush, random, keyHue) => {
    disc(brush, middle(brush, random), brush.unit * random.between(0.2, 0.3), color(random, keyHue), {
      softness: brush.unit * random.between(0.02, 0.12),
    });
  },

  star: (brush, random, keyHue) => {
    const [x, y] = middle(brush, random);
    for (let layer = 0; layer < 4; layer++) {
      const outer = brush.unit * (0.42 - layer * 0.09);
      const points = random.integer(5, 9) * 2;
      const radii = Array.from({ length: points }, (_, index) =>
        index % 2 === 0 ? outer : outer * random.between(0.4, 0.7),
      );
      polygon(brush, starPoints([x, y], radii, random.next()), color(random, keyHue));
    }
  },

  texture: (brush, random, keyHue) => {
    const [x, y] = middle(brush, random);
    const radius = brush.unit * random.between(0.25, 0.38);
    const noise = fractal(valueNoise(random.integer(0, 1e9)), 4);
    const [first, second] = [color(random, keyHue), color(random, keyHue)];
    disc(brush, [x, y], radius, first);
    brush.cover(
      boxAround(x, y, radius),
      second,
      (px, py) =>
        ease((radius - 1 - Math.hypot(px - x, py - y)) / 2) *
        ease(noise((px * 14) / brush.unit, (py * 14) / brush.unit) * 2 - 0.5),
    );
  },

  neighbour: (brush, random, keyHue) => {
    const [x, y] = middle(brush, random);
    const near = (): Color =>
      hsl(
        keyHue + random.pick([-1, 1]) * random.between(40, 60),
        random.between(0.35, 0.7),
        random.between(0.3, 0.6),
      );
    disc(brush, [x, y], brush.unit * 0.33, near());
    disc(brush, [x + brush.unit * 0.1, y], brush.unit * 0.12, near());
    disc(brush, [x - brush.unit * 0.12, y + brush.unit * 0.08], brush.unit * 0.1, color(random, keyHue));
  },

  net: (brush, random, keyHue) => {
    const [x, y] = middle(brush, random);
    const half = brush.unit * 0.36;
    const [warp, weft] = [color(random, keyHue), color(random, keyHue)];
    const width = random.between(1.2, 4);
    for (let line = -4; line <= 4; line++) {
      const aside = (line / 4) * half;
      stroke(
        brush,
        [
          [x + aside, y - half],
          [x + aside * random.between(0.8, 1.1), y + half],
        ],
        [width, width],
        warp,
      );
      stroke(
        brush,
        [
          [x - half, y + aside],
          [x + half, y + aside * random.between(0.8, 1.1)],
        ],
        [width, width],
        weft,
      );
    }
  },

  tinted: (brush, random, keyHue) => {
    const [x, y] = middle(brush, random);
    const radius = brush.unit * random.between(0.2, 0.32);
    const tint = color(random, keyHue);
    const body = random.between(0.2, 0.45);
    brush.cover(
      boxAround(x, y, radius + 1),
      tint,
      (px, py) =>
        ease(radius - Math.hypot(px - x, py - y) + 0.5) *
        (body + (1 - body) * ease((Math.hypot(px - x, py - y) / radius - 0.7) * 4)),
    );
  },
} satisfies Record<string, Subject>;

/** Returns a color that is far from the key's hue. */
export function color(random: Random, keyHue: number): Color {
  return hsl(keyHue + random.between(75, 285), random.between(0.2, 0.95), random.between(0.15, 0.85));
}

function notNear(wanted: Color, keyHue: number, random: Random): Color {
  return keyHue < 75 ? color(random, keyHue) : wanted;
}

function middle({ width, height, unit }: Brush, random: Random): Point {
  const shift = unit * 0.05;
  return [width / 2 + random.between(-shift, shift), height / 2 + random.between(-shift, shift)];
}

function shadedBall(brush: Brush, [x, y]: Point, radius: number, base: Color): void {
  disc(brush, [x, y], radius, base);
  brush.cover(
    boxAround(x, y, radius),
    mix(base, [0, 0, 0], 0.75),
    (px, py) =>
      ease((radius - 1 - Math.hypot(px - x, py - y)) / 2) *
      ease((px - x + (py - y)) / (2 * radius) + 0.35) *
      0.8,
  );
  disc(brush, [x - radius * 0.35, y - radius * 0.35], radius * 0.18, mix(base, [255, 255, 255], 0.85), {
    softness: radius * 0.3,
  });
}

function boxPoints(left: number, top: number, width: number, height: number): Point[] {
  return [
    [left, top],
    [left + width, top],
    [left + width, top + height],
    [left, top + height],
  ];
}
