import type { Color } from '../../../../src/demo/painter/color.ts';
import type { Random } from '../../../../src/demo/http/random.ts';

/** Keys as they are asked for, with their hues in degrees. */
export const keys = {
  green: { hue: 120, color: [0, 255, 0] },
  magenta: { hue: 300, color: [255, 0, 255] },
  blue: { hue: 240, color: [0, 0, 255] },
} as const satisfies Record<string, { hue: number; color: Color }>;

/** How a painted ground differs from the color that was asked for. */
export const groundKinds = ['exact', 'other', 'gradient', 'vignette', 'noisy'] as const;

/** Returns a painted ground. `x` and `y` are pixels' centers. */
export function paintedGround(
  kind: (typeof groundKinds)[number],
  asked: Color,
  { width, height }: { width: number; height: number },
  random: Random,
): (x: number, y: number) => Color {
  if (kind === 'exact') {
    return () => asked;
  }
  const painted = asked.map((level) =>
    level > 127 ? level - random.between(0, 50) : level + random.between(0, 60),
  );
  const [red = 0, green = 0, blue = 0] = painted;
  const tilt = random.between(0, 2 * Math.PI);
  const strength = random.between(0.05, 0.14);
  return (x, y) => {
    const [across, down] = [(2 * x) / width - 1, (2 * y) / height - 1];
    const light =
      kind === 'gradient'
        ? 1 + strength * (across * Math.cos(tilt) + down * Math.sin(tilt))
        : kind === 'vignette'
          ? 1 - (strength * (across * across + down * down)) / 2
          : 1;
    const grain = kind === 'noisy' ? random.between(-4, 4) : 0;
    return [red * light + grain, green * light + grain, blue * light + grain];
  };
}
