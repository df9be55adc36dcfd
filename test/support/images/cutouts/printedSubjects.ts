import sharp, { type Sharp } from 'sharp';
import { seededRandom, type Random } from '../../../../src/demo/http/random.ts';
import type { Color } from '../../../../src/demo/painter/color.ts';
import type { Pixels } from '../../../../src/images/codecs/pixels.ts';
import { heldOutSubjects } from './heldOutSubjects.ts';
import { type Brush, Layer } from './layer.ts';
import { disc, polygon, ring, starPoints, stroke, type Point } from './shapes.ts';
import { subjects, type Subject } from './subjects.ts';

const green = 120;

/** Draws a rectangle with round corners, in shares of the unit around the middle. */
export function tile(brush: Brush, half: number, color: Color, { radius = 0.08, opacity = 1 } = {}): void {
  const [x, y, unit] = [brush.width / 2, brush.height / 2, brush.unit];
  const [side, round] = [half * unit, radius * unit];
  brush.cover(
    { left: x - side - 1, top: y - side - 1, right: x + side + 1, bottom: y + side + 1 },
    color,
    (px, py) => {
      const across = Math.max(0, Math.abs(px - x) - side + round);
      const down = Math.max(0, Math.abs(py - y) - side + round);
      return opacity * (round - Math.hypot(across, down) + 0.5);
    },
  );
}

function at({ width, height, unit }: Brush, across: number, down: number): Point {
  return [width / 2 + across * unit, height / 2 + down * unit];
}

/** Strokes of letters: N, A, Z, M, L, V, E, without crossbars. */
const letters: readonly (readonly Point[])[] = [
  [
    [0, 1],
    [0, 0],
    [1, 1],
    [1, 0],
  ],
  [
    [0, 1],
    [0.5, 0],
    [1, 1],
  ],
  [
    [0, 0],
    [1, 0],
    [0, 1],
    [1, 1],
  ],
  [
    [0, 1],
    [0.1, 0],
    [0.5, 0.7],
    [0.9, 0],
    [1, 1],
  ],
  [
    [0, 0],
    [0, 1],
    [0.9, 1],
  ],
  [
    [0, 0],
    [0.5, 1],
    [1, 0],
  ],
  [
    [0.9, 0],
    [0, 0],
    [0, 0.5],
    [0.7, 0.5],
    [0, 0.5],
    [0, 1],
    [0.9, 1],
  ],
];

/** Fifteen subjects that people cut out of what models send, on green. */
export const printedSubjects: Readonly<Record<string, Subject>> = {
  icon: (brush) => {
    tile(brush, 0.34, [226, 62, 48]);
    disc(brush, at(brush, -0.08, -0.06), brush.unit * 0.14, [255, 240, 220]);
    polygon(
      brush,
      starPoints(
        at(brush, 0.12, 0.14),
        [0.13, 0.05, 0.13, 0.05, 0.13, 0.05].map((r) => r * brush.unit),
        0.4,
      ),
      [60, 30, 140],
    );
  },
  ring: (brush) => {
    ring(brush, at(brush, 0, 0), [brush.unit * 0.3, brush.unit * 0.33], [200, 60, 140]);
    for (let spoke = 0; spoke < 12; spoke++) {
      const [sin, cos] = [Math.sin(spoke * 0.52), Math.cos(spoke * 0.52)];
      const ends = [at(brush, 0.05 * cos, 0.05 * sin), at(brush, 0.4 * cos, 0.4 * sin)];
      stroke(brush, ends, [2, 1.5], [70, 60, 160]);
    }
    ring(brush, at(brush, 0, 0), [brush.unit * 0.398, brush.unit * 0.401], [40, 40, 60]);
  },
  'white tile': (brush) => {
    tile(brush, 0.33, [252, 252, 250]);
    tile(brush, 0.1, [60, 120, 220], { radius: 0.02 });
  },
  'small text': (brush) => {
    const colors: Color[] = [
      [30, 30, 40],
      [200, 40, 60],
      [245, 245, 250],
      [60, 50, 170],
    ];
    for (const [line, color] of colors.entries()) {
      const size = 0.018 + 0.008 * line;
      for (let letter = 0; letter < 16 - 2 * line; letter++) {
        const points = letters[letter % letters.length] ?? [];
        const [left, top] = [-0.42 + 1.5 * size * letter, -0.3 + 0.17 * line];
        stroke(
          brush,
          points.map(([x, y]) => at(brush, left + x * size, top + y * 1.6 * size)),
          [1.6 + line, 1.6 + line],
          color,
        );
      }
    }
  },
  hair: (brush, random) => {
    for (let strand = 0; strand < 900; strand++) {
      const angle = random.between(0, 2 * Math.PI);
      const bend = angle + random.between(-0.4, 0.4);
      const reach = random.between(0.26, 0.42);
      const shade = random.between(0.3, 1);
      stroke(
        brush,
        [
          at(brush, 0.17 * Math.cos(angle), 0.17 * Math.sin(angle)),
          at(brush, 0.25 * Math.cos(angle), 0.25 * Math.sin(angle)),
          at(brush, reach * Math.cos(bend), reach * Math.sin(bend)),
        ],
        [2.2, 0.6],
        [150 * shade, 90 * shade, 50 * shade],
      );
    }
    disc(brush, at(brush, 0, 0), brush.unit * 0.2, [224, 172, 140]);
  },
  wires: (brush, random) => {
    for (let wire = 0; wire < 30; wire++) {
      const points = [-0.4, -0.15, 0.1, 0.4].map((across) => at(brush, across, random.between(-0.35, 0.35)));
      const width = random.between(1, 3);
      const colors: [Color, ...Color[]] = [
        [40, 40, 50],
        [220, 60, 40],
        [240, 240, 240],
        [60, 70, 200],
      ];
      stroke(brush, points, [width, width], random.pick(colors));
    }
  },
  glass: (brush, random) => subjects.glass(brush, random, green),
  shadow: (brush, random) => subjects.shadow(brush, random, green),
  leaf: (brush) => {
    const edge = Array.from({ length: 60 }, (_, index) => {
      const along = (index % 30) / 30;
      const [side, place] = index < 30 ? [1, along] : [-1, 1 - along];
      return at(brush, side * 0.22 * Math.sin(Math.PI * place), 0.38 - 0.76 * place);
    });
    polygon(brush, edge, [150, 160, 20]);
    for (let vein = 0; vein < 7; vein++) {
      for (const side of [-1, 1]) {
        const y = 0.28 - 0.08 * vein;
        stroke(brush, [at(brush, 0, y), at(brush, side * 0.11, y - 0.08)], [3, 1.5], [205, 190, 70]);
      }
    }
  },
  bust: (brush) => {
    disc(brush, at(brush, 0, -0.12), brush.unit * 0.17, [226, 176, 146]);
    brush.cover({ left: 0, top: 0, right: brush.width, bottom: brush.height }, [60, 60, 120], (x, y) => {
      const [across, down] = [x / brush.unit - 0.5, y / brush.unit - 0.5];
      return 0.5 + brush.unit * (0.3 - Math.hypot(across, (down - 0.42) * 0.8));
    });
  },
  strip: (brush) => {
    brush.cover({ left: 0, top: 0, right: brush.width, bottom: brush.height }, [214, 70, 60], (x, y) => {
      const wave = brush.height * (0.5 + 0.05 * Math.sin((7 * x) / brush.width));
      return brush.unit * 0.16 - Math.abs(y - wave) + 0.5;
    });
    disc(brush, at(brush, 0.1, 0.02), brush.unit * 0.09, [250, 220, 90]);
  },
  star: (brush, random) => subjects.star(brush, random, green),
  net: (brush, random) => subjects.net(brush, random, green),
  gear: (brush, random) => heldOutSubjects.gear(brush, random, green),
  feather: (brush, random) => heldOutSubjects.feather(brush, random, green),
};

/** Ways in which services send images, by their encoders. */
export const prints = {
  PNG: async (image) => image.png({ compressionLevel: 1 }).toBuffer(),
  'JPEG 4:4:4, quality 90': async (image) =>
    image.jpeg({ quality: 90, chromaSubsampling: '4:4:4' }).toBuffer(),
  'JPEG 4:2:0, quality 70': async (image) =>
    image.jpeg({ quality: 70, chromaSubsampling: '4:2:0' }).toBuffer(),
  'WebP, quality 80': async (image) => image.webp({ quality: 80 }).toBuffer(),
} satisfies Record<string, (image: Sharp) => Promise<Buffer>>;

export type Print = keyof typeof prints;

/** A green key as models paint it: not pure, lighter on one side, darker in the corners, and with grain. */
export function paintedKey({ width, height }: { width: number; height: number }, random: Random) {
  return (x: number, y: number): Color => {
    const [across, down] = [(2 * x) / width - 1, (2 * y) / height - 1];
    const light = 1 + 0.03 * across - 0.04 * (across * across + down * down);
    const grain = 3 * (random.next() + random.next() - 1) * 1.4;
    return [18 * light + grain, 236 * light + grain, 30 * light + grain];
  };
}

/** Draws a subject on a painted key. */
export function printed(draw: Subject, side: number, seed = 7): { layer: Layer; picture: Pixels } {
  const layer = new Layer(side, side);
  draw(layer, seededRandom(seed), green);
  return { layer, picture: layer.on(paintedKey(layer, seededRandom(seed + 1))) };
}

export async function printedFile({ width, height, rgba }: Pixels, print: Print): Promise<Uint8Array> {
  const image = sharp(rgba, { raw: { width, height, channels: 4 } }).removeAlpha();
  return new Uint8Array(await prints[print](image));
}

/** Returns the mean error of alpha, from 0 to 255, where the subject is neither opaque nor clear. */
export function edgeError(rgba: Uint8Array, { alpha }: Layer): number {
  let [sum, count] = [0, 0];
  for (const [pixel, wanted] of alpha.entries()) {
    const level = Math.round(wanted * 255);
    if (level > 0 && level < 255) {
      sum += Math.abs((rgba[pixel * 4 + 3] ?? 0) - level);
      count++;
    }
  }
  return sum / count;
}
