import type { Random } from '../http/random.ts';

/** Red, green and blue, each from 0 to 255. */
export type Color = readonly [red: number, green: number, blue: number];

export function mix(first: Color, second: Color, amount: number): Color {
  return [
    first[0] + (second[0] - first[0]) * amount,
    first[1] + (second[1] - first[1]) * amount,
    first[2] + (second[2] - first[2]) * amount,
  ];
}

/** Converts `hue` in degrees, `saturation` and `lightness` from 0 to 1. */
export function hsl(hue: number, saturation: number, lightness: number): Color {
  const reach = saturation * Math.min(lightness, 1 - lightness);
  const channel = (offset: number): number => {
    const position = (((offset + hue / 30) % 12) + 12) % 12;
    return 255 * (lightness - reach * Math.max(-1, Math.min(position - 3, 9 - position, 1)));
  };
  return [channel(0), channel(8), channel(4)];
}

/** The hue (degrees) and saturation (0 to 1) of each color word. */
const COLOR_WORDS: ReadonlyMap<string, { hue: number; saturation: number }> = new Map(
  (
    [
      ['red', 4, 0.8],
      ['crimson', 348, 0.8],
      ['scarlet', 8, 0.85],
      ['ruby', 345, 0.75],
      ['coral', 14, 0.75],
      ['rust', 18, 0.65],
      ['orange', 28, 0.85],
      ['amber', 40, 0.85],
      ['copper', 24, 0.6],
      ['gold', 45, 0.8],
      ['golden', 45, 0.8],
      ['yellow', 52, 0.85],
      ['brown', 25, 0.4],
      ['olive', 62, 0.4],
      ['lime', 82, 0.75],
      ['green', 130, 0.5],
      ['emerald', 152, 0.6],
      ['mint', 160, 0.45],
      ['teal', 178, 0.6],
      ['turquoise', 174, 0.6],
      ['cyan', 186, 0.75],
      ['aqua', 186, 0.7],
      ['blue', 214, 0.7],
      ['azure', 208, 0.75],
      ['navy', 222, 0.65],
      ['indigo', 244, 0.55],
      ['violet', 268, 0.55],
      ['purple', 280, 0.55],
      ['lavender', 262, 0.4],
      ['magenta', 310, 0.7],
      ['pink', 335, 0.65],
      ['rose', 340, 0.6],
      ['grey', 215, 0.06],
      ['gray', 215, 0.06],
      ['silver', 212, 0.1],
      ['white', 210, 0.15],
      ['black', 230, 0.15],
    ] as const
  ).map(([word, hue, saturation]) => [word, { hue, saturation }]),
);

/** Returns the colors named in a prompt, in order. */
export function namedColors(words: readonly string[]): { hue: number; saturation: number }[] {
  return words.flatMap((word) => COLOR_WORDS.get(word) ?? []);
}

export type Hour = 'day' | 'sunset' | 'night';

export interface Palette {
  hour: Hour;
  /** From the top of the sky to the horizon. */
  sky: readonly [Color, Color, Color];
  /** The sun or moon, and its light. */
  light: Color;
  /** Land in the distance and in the foreground. */
  far: Color;
  near: Color;
  /** The accents: roofs, sails, flowers, windows. */
  accents: readonly [Color, Color, Color];
}

const NIGHT_WORDS = ['night', 'midnight', 'moon', 'moonlight', 'star', 'stars', 'starry', 'dark', 'aurora'];
const SUNSET_WORDS = ['sunset', 'sunrise', 'dusk', 'dawn', 'evening', 'twilight', 'golden', 'warm', 'autumn'];
const DAY_WORDS = ['day', 'noon', 'morning', 'summer', 'spring', 'bright', 'winter', 'snow', 'snowy'];

/** Chooses the colors named in the prompt, or random ones if it names none. */
export function choosePalette(words: readonly string[], random: Random): Palette {
  const named = namedColors(words);
  const hour = chooseHour(words, random);
  const base = named[0] ?? { hue: random.between(0, 360), saturation: random.between(0.4, 0.65) };
  const second = named[1] ?? { hue: base.hue + random.pick([28, -32, 150]), saturation: base.saturation };
  const third = named[2] ?? { hue: base.hue + 180 + random.between(-25, 25), saturation: base.saturation };
  const accents = [
    hsl(base.hue, base.saturation, 0.56),
    hsl(second.hue, second.saturation, 0.6),
    hsl(third.hue, Math.min(0.8, third.saturation + 0.15), 0.62),
  ] as const;

  // A named color tints the whole image, a random one only its accents.
  const tint = named.length > 0 ? 0.5 : 0.18;
  const tone = (color: Color, lightness: number): Color =>
    mix(color, hsl(base.hue, base.saturation, lightness), tint);
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
