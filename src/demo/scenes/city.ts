import { mix, type Colour } from '../drawing/colour.ts';
import { paintWater } from './terrain.ts';
import type { SceneContext } from './sceneContext.ts';
import { paintSky } from './sky.ts';

/** Paints rows of towers with lit windows. */
export function city(context: SceneContext): void {
  const { canvas, palette, random, words } = context;
  const ground = canvas.height * 0.86;
  const light = paintSky(context, ground);
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
        windows(context, { left, top, width, bottom: ground }, depth);
      }
      left += width * random.between(0.95, 1.25);
    }
  }
  if (words.some((word) => ['river', 'water', 'harbour', 'harbor', 'reflection'].includes(word))) {
    paintWater(context, ground, light);
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
