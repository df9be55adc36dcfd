import type { MainColor, Rgb } from '../cutout/matte.ts';

/** A flat color behind a subject, to be removed afterwards. */
export interface KeyColor {
  name: string;
  color: Rgb;
  /** Asks for the background; to be added to the prompt. */
  sentence: string;
}

interface Key {
  name: string;
  color: Rgb;
  /** In degrees. */
  hue: number;
}

/** From the most to the least often suitable. */
const keys: readonly Key[] = [
  { name: 'green', color: [0, 255, 0], hue: 120 },
  { name: 'magenta', color: [255, 0, 255], hue: 300 },
  { name: 'blue', color: [0, 0, 255], hue: 240 },
  { name: 'cyan', color: [0, 255, 255], hue: 180 },
  { name: 'yellow', color: [255, 255, 0], hue: 60 },
  { name: 'red', color: [255, 0, 0], hue: 0 },
];

/** Words for colors and for things that usually have them, by hue in degrees. */
const wordsByHue: readonly (readonly [hue: number, words: string])[] = [
  [0, 'red crimson scarlet ruby tomato strawberry cherry blood lips rot rouge rojo roja rosso vermelho'],
  [18, 'rust copper brick terracotta skin face portrait man woman girl boy child hand'],
  [28, 'orange pumpkin carrot fox tiger amber wood wooden brown braun orangefarben naranja'],
  [50, 'yellow gold golden lemon banana honey sun sunflower straw lion gelb jaune amarillo giallo amarelo'],
  [82, 'lime chartreuse olive pear avocado moss mossy'],
  [
    125,
    'green grass leaf leaves foliage tree trees plant plants bush forest jungle frog cactus clover fern ivy palm vine' +
      ' broccoli cucumber lettuce turtle crocodile lizard dinosaur emerald grün grüner grüne grünes vert verte verde' +
      ' shamrock herb basil seedling sprout salad pea cabbage kiwi melon watermelon pineapple pepper corn snake' +
      ' dragon caterpillar cricket grasshopper alien zombie goblin dollar banknote money recycling garden meadow' +
      ' island earth globe planet pine christmas army',
  ],
  [165, 'mint jade teal turquoise aqua aquamarine peacock türkis'],
  [195, 'cyan ice glacier'],
  [
    225,
    'blue azure navy cobalt sapphire sky sea ocean water wave whale dolphin jeans denim blau blauer bleu bleue azul',
  ],
  [265, 'indigo violet lavender lila violett'],
  [290, 'purple grape plum amethyst eggplant aubergine orchid lilac morado'],
  [315, 'magenta fuchsia'],
  [335, 'pink rose roses flamingo pig piglet blossom peony rosa'],
];

/** Things that have leaves beside a color of their own. */
const leafy = 'rose flower bouquet tulip strawberry tomato carrot cherry cherries apple pumpkin';

/** Characters for colors in Chinese and Japanese, which have no spaces between words. */
const charactersByHue: readonly (readonly [hue: number, characters: string])[] = [
  [0, '红紅赤'],
  [28, '橙橘'],
  [50, '黄黃金'],
  [125, '绿綠緑草叶葉树樹'],
  [165, '青'],
  [225, '蓝藍海'],
  [290, '紫'],
  [335, '粉桃'],
];

const huesOfWord = new Map<string, number[]>();
for (const [hue, words] of [...wordsByHue, [125, leafy] as const]) {
  for (const word of words.split(' ')) {
    huesOfWord.set(word, [...(huesOfWord.get(word) ?? []), hue]);
  }
}

/** Distances in degrees: hues that can't be told from a key's, and hues that barely can. */
const [same, neighboring] = [45, 80];

/** @param subject the prompt, or the main colors of an image */
export function chooseKey(subject: string | readonly MainColor[]): KeyColor {
  const dangerOf =
    typeof subject === 'string' ? dangerByWords(subject) : (key: Key) => dangerByColors(subject, key);
  const { name, color } = keys
    .map((key) => ({ key, danger: dangerOf(key) }))
    .reduce((best, other) => (other.danger < best.danger - 0.01 ? other : best)).key;
  return { name, color, sentence: sentenceOf(name, color) };
}

/** Prompts for two images whose difference is the alpha. */
export const twoBackgroundSentences = {
  /** To be added to the prompt of the first image. */
  white: backgroundSentence('white', '#FFFFFF'),
  /** The prompt of the edit that turns the first image into the second. */
  black:
    'Replace the white background with perfectly flat, uniform pure black (#000000), also where it shows through' +
    ' glass, hair, smoke and holes. Change nothing else: keep the subject exactly as it is, with the same position,' +
    ' size, shape, colors and lighting.',
} as const;

function dangerByWords(prompt: string): (key: Key) => number {
  const words = prompt.toLowerCase().match(/\p{L}+/gu) ?? [];
  const hues = [
    ...words.flatMap((word) => huesOfWord.get(word) ?? huesOfWord.get(word.replace(/s$/u, '')) ?? []),
    ...Array.from(prompt).flatMap((character) =>
      charactersByHue.flatMap(([hue, characters]) => (characters.includes(character) ? [hue] : [])),
    ),
  ];
  return (key) => hues.reduce((danger, hue) => danger + closeness(hue, key.hue), 0);
}

function closeness(hue: number, keyHue: number): number {
  const apart = Math.abs(((hue - keyHue + 540) % 360) - 180);
  return apart <= same ? 1 : apart < neighboring ? 0.4 : 0;
}

/** Returns how much of the key's hue the colors have, where 1 is an image of the key alone. */
function dangerByColors(colors: readonly MainColor[], key: Key): number {
  let danger = 0;
  for (const { color, share } of colors) {
    const strong = color.filter((_, channel) => key.color[channel] === 255);
    const weak = color.filter((_, channel) => key.color[channel] === 0);
    danger += (share * Math.max(0, Math.min(...strong) - Math.max(...weak))) / 255;
  }
  return danger;
}

function sentenceOf(name: string, color: Rgb): string {
  const hex = `#${color
    .map((level) => level.toString(16).padStart(2, '0'))
    .join('')
    .toUpperCase()}`;
  return `${backgroundSentence(name, hex)} Use no ${name} anywhere in the subject, its reflections or its highlights.`;
}

function backgroundSentence(name: string, hex: string): string {
  return (
    `Show the whole subject alone, with a margin on all sides, in front of a perfectly flat, uniform pure ${name}` +
    ` (${hex}) background that fills the image to its edges and shows through every opening: no gradient, no texture,` +
    ' no floor, no frame, no checkerboard.'
  );
}
