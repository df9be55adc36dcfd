import { mix } from '../drawing/colour.ts';
import type { Draw } from './sceneContext.ts';

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
