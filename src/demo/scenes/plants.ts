import { mix } from '../drawing/colour.ts';
import type { Draw } from './sceneContext.ts';

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
