import type { Pixels } from '../../images/codecs/codecs.ts';
import { Canvas, clampUnit } from '../drawing/canvas.ts';
import type { Colour } from '../drawing/colour.ts';
import { hashInteger, hashText, type Random, seededRandom } from '../random.ts';
import { drawSubject } from '../scenes/subject.ts';

/** What a prompt asks for before it asks for a flat background. */
export interface FlatGround {
  colour: Colour;
  /** The words about the subject, in lower case. */
  words: string[];
  /** Whether it takes the place of another one, and nothing else is to change. */
  isReplacement: boolean;
}

/** A sentence with the number of a colour and the word for what has it. */
const groundSentence =
  /[^.!?\n]*(?:#([0-9a-f]{6})\b[^.!?\n]*\bbackground\b|\bbackground\b[^.!?\n]*#([0-9a-f]{6})\b)[^.!?\n]*/iu;

/** Returns the words of a prompt, in lower case. */
export function wordsOf(prompt: string): string[] {
  return prompt.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** Returns the flat background that a prompt asks for by its number, if it does. */
export function flatGroundOf(prompt: string): FlatGround | undefined {
  const asked = groundSentence.exec(prompt);
  const value = Number.parseInt(asked?.[1] ?? asked?.[2] ?? '', 16);
  return asked && Number.isFinite(value)
    ? {
        colour: [value >> 16, (value >> 8) & 255, value & 255],
        words: wordsOf(prompt.slice(0, asked.index)),
        isReplacement: /\breplace\b/iu.test(asked[0]),
      }
    : undefined;
}

/**
 * Paints a subject alone on a flat ground, which is as flat as services make it: nearly.
 *
 * @param variant the index among the images of the same prompt
 */
export function paintOnFlatGround(
  { words, colour }: Omit<FlatGround, 'isReplacement'>,
  variant: number,
  width: number,
  height: number,
): Pixels {
  const canvas = groundCanvas(width, height, colour);
  drawSubject(canvas, words, randomFor(words, variant));
  return { width, height, rgba: canvas.rgba };
}

/** Paints a subject alone on nothing: how much shows through it is seen on white and on black. */
export function paintOnNothing(
  words: readonly string[],
  variant: number,
  width: number,
  height: number,
): Pixels {
  const paintOn = (level: number): Uint8Array => {
    const canvas = new Canvas(width, height);
    canvas.shade(() => [level, level, level]);
    drawSubject(canvas, words, randomFor(words, variant));
    return canvas.rgba;
  };
  const [onWhite, rgba] = [paintOn(255), paintOn(0)];
  for (let at = 0; at < rgba.length; at += 4) {
    const through = [0, 1, 2].map((channel) => (onWhite[at + channel] ?? 0) - (rgba[at + channel] ?? 0));
    const alpha = 255 - Math.max(...through);
    for (let channel = 0; channel < 3; channel++) {
      const premultiplied = rgba[at + channel] ?? 0;
      rgba[at + channel] = alpha === 0 ? 0 : Math.min(255, Math.round((premultiplied * 255) / alpha));
    }
    rgba[at + 3] = alpha;
  }
  return { width, height, rgba };
}

function randomFor(words: readonly string[], variant: number): Random {
  return seededRandom(hashText(words.join(' ')) + Math.imul(variant, 0x51ed270b));
}

/** Puts the middle of an image on a flat ground, with a soft edge, as the subject of an edit. */
export function cutOutMiddle({ width, height, rgba }: Pixels, { colour }: FlatGround): Pixels {
  const canvas = groundCanvas(width, height, colour);
  const alphaAt = middleOf(width, height);
  for (let at = 0; at < rgba.length; at += 4) {
    const alpha = alphaAt(at / 4);
    for (let channel = 0; channel < 3; channel++) {
      const under = canvas.rgba[at + channel] ?? 0;
      canvas.rgba[at + channel] = Math.round(under + ((rgba[at + channel] ?? 0) - under) * alpha);
    }
  }
  return { width, height, rgba: canvas.rgba };
}

/**
 * Puts the subject of an image on another flat ground than white: what this service has painted of these words is painted
 * again, of everything else the middle stays, as `cutOutMiddle` has it.
 */
export function replaceGround(image: Pixels, ground: FlatGround, variant: number): Pixels {
  const { width, height, rgba } = image;
  const own = paintOnFlatGround({ ...ground, colour: white }, variant, width, height);
  if (areAlike(own.rgba, rgba)) {
    return paintOnFlatGround(ground, variant, width, height);
  }
  const [before, after] = [groundCanvas(width, height, white), groundCanvas(width, height, ground.colour)];
  const alphaAt = middleOf(width, height);
  for (let at = 0; at < rgba.length; at += 4) {
    const through = 1 - alphaAt(at / 4);
    for (let channel = at; channel < at + 3; channel++) {
      const subject = (rgba[channel] ?? 0) - (before.rgba[channel] ?? 0) * through;
      // No ground is lighter than white, so that nothing gets lighter.
      after.rgba[channel] = Math.max(0, Math.round(subject + (after.rgba[channel] ?? 0) * through));
    }
  }
  return { width, height, rgba: after.rgba };
}

const white: Colour = [255, 255, 255];

/** Returns how much of each pixel, by its number, belongs to the middle of an image. */
function middleOf(width: number, height: number): (pixel: number) => number {
  const [across, up] = [width * 0.4, height * 0.4];
  return (pixel) => {
    const [x, y] = [pixel % width, Math.floor(pixel / width)];
    const distance = Math.hypot((x + 0.5 - width / 2) / across, (y + 0.5 - height / 2) / up);
    return clampUnit((1 - distance) * Math.min(across, up) * 0.5 + 0.5);
  };
}

/** Whether two images differ by no more than what JPEG does to them. */
function areAlike(one: Uint8Array, other: Uint8Array): boolean {
  let difference = 0;
  for (let at = 0; at < one.length; at++) {
    difference += Math.abs((one[at] ?? 0) - (other[at] ?? 0));
  }
  return one.length === other.length && difference / one.length < 3;
}

function groundCanvas(width: number, height: number, [red, green, blue]: Colour): Canvas {
  const canvas = new Canvas(width, height);
  canvas.shade((x, y) => {
    const noise = (hashInteger(Math.imul(y | 0, 65_537) + (x | 0)) / 0x1_0000_0000 - 0.5) * 3;
    // A little darker towards the lower edge.
    const light = 1 - 0.015 * (y / height);
    return [red * light + noise, green * light + noise, blue * light + noise];
  });
  return canvas;
}
