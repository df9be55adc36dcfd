import { hsl, mix, namedColours, type Colour } from './colour.ts';
import type { Random } from '../random.ts';

export type Hour = 'day' | 'sunset' | 'night';

/** The colours of an image. */
export interface Palette {
  hour: Hour;
  /** From the top of the sky to the horizon. */
  sky: readonly [Colour, Colour, Colour];
  /** The sun or moon, and its light. */
  light: Colour;
  /** Land in the distance and close by. */
  far: Colour;
  near: Colour;
  /** The accents: roofs, sails, flowers, windows. */
  accents: readonly [Colour, Colour, Colour];
}

const NIGHT_WORDS = ['night', 'midnight', 'moon', 'moonlight', 'star', 'stars', 'starry', 'dark', 'aurora'];
const SUNSET_WORDS = ['sunset', 'sunrise', 'dusk', 'dawn', 'evening', 'twilight', 'golden', 'warm', 'autumn'];
const DAY_WORDS = ['day', 'noon', 'morning', 'summer', 'spring', 'bright', 'winter', 'snow', 'snowy'];

/** Chooses the colours by the prompt's words, or at random if they name none. */
export function choosePalette(words: readonly string[], random: Random): Palette {
  const named = namedColours(words);
  const hour = chooseHour(words, random);
  const base = named[0] ?? { hue: random.between(0, 360), saturation: random.between(0.4, 0.65) };
  const second = named[1] ?? { hue: base.hue + random.pick([28, -32, 150]), saturation: base.saturation };
  const third = named[2] ?? { hue: base.hue + 180 + random.between(-25, 25), saturation: base.saturation };
  const accents = [
    hsl(base.hue, base.saturation, 0.56),
    hsl(second.hue, second.saturation, 0.6),
    hsl(third.hue, Math.min(0.8, third.saturation + 0.15), 0.62),
  ] as const;

  // A named colour tints the whole image, a random one only its accents.
  const tint = named.length > 0 ? 0.5 : 0.18;
  const tone = (colour: Colour, lightness: number): Colour =>
    mix(colour, hsl(base.hue, base.saturation, lightness), tint);
  switch (hour) {
    case 'day':
      return {
        hour,
        sky: [tone([66, 130, 206], 0.5), tone([134, 184, 228], 0.7), tone([236, 234, 220], 0.88)],
        light: [255, 246, 214],
        far: tone([142, 170, 190], 0.66),
        near: tone([38, 74, 66], 0.22),
        accents,
      };
    case 'sunset':
      return {
        hour,
        sky: [tone([52, 48, 104], 0.32), tone([206, 92, 110], 0.56), tone([255, 196, 122], 0.76)],
        light: [255, 232, 178],
        far: tone([170, 98, 118], 0.52),
        near: tone([40, 26, 50], 0.15),
        accents,
      };
    case 'night':
      return {
        hour,
        sky: [tone([8, 11, 32], 0.1), tone([22, 34, 78], 0.22), tone([62, 78, 128], 0.38)],
        light: [236, 240, 255],
        far: tone([44, 56, 98], 0.28),
        near: tone([6, 10, 22], 0.06),
        accents,
      };
  }
}

function chooseHour(words: readonly string[], random: Random): Hour {
  const byChance = random.pick<Hour>(['day', 'day', 'sunset', 'sunset', 'night']);
  const has = (list: readonly string[]): boolean => words.some((word) => list.includes(word));
  if (has(NIGHT_WORDS)) {
    return 'night';
  }
  if (has(SUNSET_WORDS)) {
    return 'sunset';
  }
  return has(DAY_WORDS) ? 'day' : byChance;
}
