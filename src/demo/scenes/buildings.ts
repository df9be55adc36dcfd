import { boxAround, clampUnit } from '../drawing/canvas.ts';
import { mix, type Colour } from '../drawing/colour.ts';
import type { Draw } from './sceneContext.ts';

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
  const lamp: Colour = palette.hour === 'day' ? mix(palette.sky[0], palette.near, 0.4) : [255, 214, 120];
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
  const white: Colour = mix([250, 246, 238], palette.near, palette.hour === 'night' ? 0.35 : 0.05);
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
