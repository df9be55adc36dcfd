import { boxAround, clampUnit } from '../drawing/canvas.ts';
import { mix } from '../drawing/colour.ts';
import type { Draw } from './sceneContext.ts';

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
