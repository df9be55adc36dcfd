/** Red, green and blue, each from 0 to 255. */
export type Colour = readonly [red: number, green: number, blue: number];

/** Mixes two colours. `amount` 0 returns the first, 1 the second. */
export function mix(first: Colour, second: Colour, amount: number): Colour {
  return [
    first[0] + (second[0] - first[0]) * amount,
    first[1] + (second[1] - first[1]) * amount,
    first[2] + (second[2] - first[2]) * amount,
  ];
}

/** Converts `hue` in degrees, `saturation` and `lightness` from 0 to 1. */
export function hsl(hue: number, saturation: number, lightness: number): Colour {
  const reach = saturation * Math.min(lightness, 1 - lightness);
  const channel = (offset: number): number => {
    const position = (((offset + hue / 30) % 12) + 12) % 12;
    return 255 * (lightness - reach * Math.max(-1, Math.min(position - 3, 9 - position, 1)));
  };
  return [channel(0), channel(8), channel(4)];
}

/** The hue (degrees) and saturation (0 to 1) of each colour word. */
const COLOUR_WORDS: ReadonlyMap<string, { hue: number; saturation: number }> = new Map(
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

/** Returns the colours that the words of a prompt name, in order. */
export function namedColours(words: readonly string[]): { hue: number; saturation: number }[] {
  return words.flatMap((word) => COLOUR_WORDS.get(word) ?? []);
}
