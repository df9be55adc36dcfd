import { boxAround, clampUnit } from '../../../../src/demo/painter/canvas.ts';
import { hsl, mix, type Color } from '../../../../src/demo/painter/color.ts';
import { fractal, valueNoise } from '../../../../src/demo/painter/noise.ts';
import { drawText, GLYPH_ROWS, textWidth } from '../../../../src/demo/painter/pixelFont.ts';
import type { Random } from '../../../../src/demo/http/random.ts';
import type { Brush } from './layer.ts';
import { disc, ease, polygon, ring, starPoints, stroke, type Point } from './shapes.ts';
import type { Subject } from './subjects.ts';

/** Subjects of other kinds than `subjects`, on which nothing was tuned. */
export const heldOutSubjects = {
  letters: (brush, random, keyHue) => {
    const text = random.pick(['SALE', 'HI!', 'LIMNER', '42%', 'B & O']);
    const scale = Math.max(1, Math.floor((brush.width * 0.8) / textWidth(text, 1)));
    const [left, top] = [
      Math.round((brush.width - textWidth(text, scale)) / 2),
      Math.round((brush.height - GLYPH_ROWS * scale) / 2),
    ];
    drawText(brush, text, { left, top }, scale, far(random, keyHue));
  },

  gear: (brush, random, keyHue) => {
    const centre = centreOf(brush);
    const teeth = random.integer(8, 16);
    const outer = brush.unit * 0.38;
    const radii = Array.from({ length: teeth * 4 }, (_, index) => (index % 4 < 2 ? outer : outer * 0.8));
    const metal = hsl(random.between(0, 360), 0.06, random.between(0.35, 0.7));
    const points = starPoints(centre, radii, random.next());
    // The even-odd rule leaves the hub open, where the outline comes back to its start.
    polygon(brush, [...points, ...openHub(points, centre, outer * 0.35)], metal);
    ring(brush, centre, [outer * 0.42, outer * 0.5], far(random, keyHue));
  },

  feather: (brush, random, keyHue) => {
    const [x, y] = centreOf(brush);
    const length = brush.unit * 0.42;
    const [dark, light] = [far(random, keyHue), far(random, keyHue)];
    stroke(
      brush,
      [
        [x, y + length],
        [x + length * 0.08, y],
        [x, y - length],
      ],
      [brush.unit * 0.014, 0.6],
      dark,
    );
    for (let barb = 0; barb < 60; barb++) {
      const along = barb / 60;
      const rootY = y + length * (0.6 - 1.55 * along);
      const reach = length * 0.38 * Math.sin(Math.PI * (0.15 + 0.8 * along)) * random.between(0.8, 1.1);
      for (const side of [-1, 1]) {
        stroke(
          brush,
          [
            [x + length * 0.03, rootY],
            [x + side * reach * 0.6, rootY - reach * 0.35],
            [x + side * reach, rootY - reach * 0.8],
          ],
          [brush.unit * 0.009, 0.3],
          mix(dark, light, random.next()),
          0.9,
        );
      }
    }
  },

  spiral: (brush, random, keyHue) => {
    const [x, y] = centreOf(brush);
    const turns = random.between(2, 4);
    const points = Array.from({ length: 90 }, (_, index): Point => {
      const along = index / 89;
      const angle = along * turns * 2 * Math.PI;
      const radius = brush.unit * (0.04 + 0.36 * along);
      return [x + radius * Math.cos(angle), y + radius * Math.sin(angle)];
    });
    stroke(brush, points, [brush.unit * 0.05, 1.2], far(random, keyHue));
  },

  bubbles: (brush, random) => {
    for (let bubble = 0; bubble < 12; bubble++) {
      const [x, y] = anywhere(brush, random, 0.3);
      const radius = brush.unit * random.between(0.04, 0.12);
      const rim = mix([240, 245, 250], hsl(random.between(0, 360), 0.6, 0.75), 0.3);
      brush.cover(boxAround(x, y, radius + 1), rim, (px, py) => {
        const place = Math.hypot(px - x, py - y) / radius;
        return clampUnit(radius * (1 - place) + 0.5) * (0.06 + 0.7 * place ** 8);
      });
      disc(brush, [x - radius * 0.4, y - radius * 0.4], radius * 0.15, [255, 255, 255], { softness: 2 });
    }
  },

  flame: (brush, random) => {
    const [x, y] = centreOf(brush);
    const noise = fractal(valueNoise(random.integer(0, 1e9)), 3);
    const height = brush.unit * 0.4;
    const body = (px: number, py: number): number => {
      const up = (y + height * 0.8 - py) / (2 * height);
      const sway = (noise(up * 5, 3) - 0.5) * height * 0.8 * up;
      const width = height * 0.55 * Math.sin(Math.PI * Math.min(1, Math.max(0.02, up + 0.15) ** 0.7));
      return up < 0 || up > 0.95 ? 0 : ease((1.1 - Math.abs(px - x - sway) / Math.max(1, width)) * 1.6);
    };
    const box = boxAround(x, y, height * 1.2);
    brush.cover(box, [230, 60, 20], body);
    brush.cover(box, [255, 170, 40], (px, py) => body(x + (px - x) * 1.5, py + height * 0.05) * 0.9);
    brush.cover(box, [255, 245, 190], (px, py) => body(x + (px - x) * 2.4, py + height * 0.12) * 0.9);
  },

  lace: (brush, random) => {
    const [x, y] = centreOf(brush);
    const size = brush.unit * 0.36;
    const pitch = size / random.integer(4, 7);
    const thread = random.between(200, 250);
    brush.cover(boxAround(x, y, size), [thread, thread - 4, thread - 12], (px, py) => {
      const edge = clampUnit(size - Math.hypot(px - x, py - y));
      const [u, v] = [(((px / pitch) % 1) + 1) % 1, (((py / pitch) % 1) + 1) % 1];
      const hole = Math.hypot(u - 0.5, v - 0.5) * pitch;
      return edge * clampUnit(hole - pitch * 0.36 + 0.5);
    });
  },

  jellyfish: (brush, random) => {
    const [x, y] = [brush.width / 2, brush.height * 0.42];
    const radius = brush.unit * random.between(0.2, 0.28);
    const skin = mix([245, 235, 240], hsl(random.between(0, 360), 0.6, 0.7), 0.3);
    for (let arm = 0; arm < 9; arm++) {
      const aside = (arm / 4 - 1) * radius * 0.8;
      const points = Array.from({ length: 8 }, (_, index): Point => [
        x + aside + Math.sin(index + arm) * radius * 0.12,
        y + (index / 7) * radius * random.between(1.4, 1.6),
      ]);
      stroke(brush, points, [brush.unit * 0.012, 0.8], skin, 0.6);
    }
    brush.cover(
      { left: x - radius, top: y - radius, right: x + radius, bottom: y + radius * 0.25 },
      skin,
      (px, py) => {
        const place = Math.hypot(px - x, (py - y) * 1.15) / radius;
        return (
          ease((1 - place) * radius * 0.5) * ease((y + radius * 0.22 - py) / 3) * (0.25 + 0.5 * place ** 3)
        );
      },
    );
  },

  beast: (brush, random, keyHue) => {
    const [x, y] = centreOf(brush);
    const noise = valueNoise(random.integer(0, 1e9));
    const base = far(random, keyHue);
    const outline = Array.from({ length: 80 }, (_, index): Point => {
      const angle = (index / 80) * 2 * Math.PI;
      const radius = brush.unit * (0.2 + 0.12 * noise(3 + 2 * Math.cos(angle), 3 + 2 * Math.sin(angle)));
      return [x + radius * 1.2 * Math.cos(angle), y + radius * Math.sin(angle)];
    });
    for (const [px, py] of outline) {
      for (let tuft = 0; tuft < 3; tuft++) {
        const length = random.between(1.08, 1.3);
        const turn = random.between(-0.1, 0.1);
        const [dx, dy] = [px - x, py - y];
        stroke(
          brush,
          [
            [x + dx * 0.9, y + dy * 0.9],
            [x + dx * length - dy * turn, y + dy * length + dx * turn],
          ],
          [brush.unit * 0.012, 0.5],
          mix(base, [20, 15, 12], random.between(0, 0.6)),
        );
      }
    }
    polygon(brush, outline, base);
    for (const side of [-1, 1]) {
      disc(brush, [x + side * brush.unit * 0.07, y - brush.unit * 0.03], brush.unit * 0.03, [250, 250, 250]);
      disc(brush, [x + side * brush.unit * 0.07, y - brush.unit * 0.03], brush.unit * 0.015, [15, 15, 20]);
    }
  },

  motion: (brush, random, keyHue) => {
    const [x, y] = centreOf(brush);
    const [half, trail] = [brush.unit * 0.14, brush.unit * random.between(0.1, 0.25)];
    brush.cover(boxAround(x, y, half + trail, half), far(random, keyHue), (px, py) => {
      return clampUnit(half - Math.abs(py - y)) * ease((half + trail - Math.abs(px - x)) / trail);
    });
  },

  confetti: (brush, random, keyHue) => {
    for (let piece = 0; piece < 60; piece++) {
      const [x, y] = anywhere(brush, random, 0.42);
      const size = brush.unit * random.between(0.008, 0.03);
      polygon(
        brush,
        starPoints([x, y], [size, size * 0.5, size, size * 0.5], random.next() * 6),
        far(random, keyHue),
      );
    }
  },

  veil: (brush, random) => {
    const [x, y] = centreOf(brush);
    const noise = valueNoise(random.integer(0, 1e9));
    const [half, light] = [brush.unit * 0.36, random.between(190, 255)];
    brush.cover(boxAround(x, y, half), [light, light, light], (px, py) => {
      const fold = 0.5 + 0.5 * Math.sin(px / (brush.unit * 0.03) + 4 * noise(px / 40, py / 40));
      const edge = Math.min(half - Math.abs(px - x), half - Math.abs(py - y) + 6 * fold - 6);
      return clampUnit(edge) * (0.25 + 0.5 * fold * noise(px / 60, py / 60));
    });
  },
} satisfies Record<string, Subject>;

function far(random: Random, keyHue: number): Color {
  return hsl(keyHue + random.between(80, 280), random.between(0.1, 0.9), random.between(0.12, 0.88));
}

function centreOf({ width, height }: Brush): Point {
  return [width / 2, height / 2];
}

function anywhere(brush: Brush, random: Random, reach: number): Point {
  const [x, y] = centreOf(brush);
  return [x + brush.width * random.between(-reach, reach), y + brush.height * random.between(-reach, reach)];
}

function openHub(points: readonly Point[], [x, y]: Point, radius: number): Point[] {
  const [first] = points;
  const start = first ? Math.atan2(first[1] - y, first[0] - x) : 0;
  const hub = Array.from({ length: 41 }, (_, index): Point => {
    const angle = start - (index / 40) * 2 * Math.PI;
    return [x + radius * Math.cos(angle), y + radius * Math.sin(angle)];
  });
  return first ? [first, ...hub] : hub;
}
