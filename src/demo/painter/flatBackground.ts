import type { Pixels } from '../../images/finish/codecs.ts';
import { Canvas, clampUnit } from './canvas.ts';
import type { Color } from './color.ts';
import { hashInteger, hashText, type Random, seededRandom } from '../http/random.ts';
import { drawSubject } from './subject.ts';

export interface FlatBackground {
  color: Color;
  /** The words about the subject, in lower case. */
  words: string[];
  /** Whether only the background is to be replaced. */
  isReplacement: boolean;
}

/** A sentence with the hex code of a color and the word for what has it. */
const backgroundSentence =
  /[^.!?\n]*(?:#([0-9a-f]{6})\b[^.!?\n]*\bbackground\b|\bbackground\b[^.!?\n]*#([0-9a-f]{6})\b)[^.!?\n]*/iu;

/** Returns the words of a prompt, in lower case. */
export function promptWords(prompt: string): string[] {
  return prompt.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** Returns the flat background that a prompt requests by hex code, if any. */
export function flatBackgroundOf(prompt: string): FlatBackground | undefined {
  const asked = backgroundSentence.exec(prompt);
  const value = Number.parseInt(asked?.[1] ?? asked?.[2] ?? '', 16);
  return asked && Number.isFinite(value)
    ? {
        color: [value >> 16, (value >> 8) & 255, value & 255],
        words: promptWords(prompt.slice(0, asked.index)),
        isReplacement: /\breplace\b/iu.test(asked[0]),
      }
    : undefined;
}

/** Paints only a subject on a nearly flat background, as services do. */
export function paintOnFlatBackground(
  { words, color }: Omit<FlatBackground, 'isReplacement'>,
  variant: number,
  width: number,
  height: number,
): Pixels {
  const canvas = backgroundCanvas(width, height, color);
  drawSubject(canvas, words, randomFor(words, variant));
  return { width, height, rgba: canvas.rgba };
}

/** Paints only a subject on transparency, which shows on white and on black. */
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

/** Puts the middle of an image on a flat background with a soft edge, as the subject of an edit. */
export function cutOutMiddle({ width, height, rgba }: Pixels, { color }: FlatBackground): Pixels {
  const canvas = backgroundCanvas(width, height, color);
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
 * Moves the subject of an image from white to another flat background. An image that this service painted for these
 * words is painted again; of any other, the middle stays, as in `cutOutMiddle`.
 */
export function replaceBackground(image: Pixels, background: FlatBackground, variant: number): Pixels {
  const { width, height, rgba } = image;
  const own = paintOnFlatBackground({ ...background, color: white }, variant, width, height);
  if (areAlike(own.rgba, rgba)) {
    return paintOnFlatBackground(background, variant, width, height);
  }
  const [before, after] = [
    backgroundCanvas(width, height, white),
    backgroundCanvas(width, height, background.color),
  ];
  const alphaAt = middleOf(width, height);
  for (let at = 0; at < rgba.length; at += 4) {
    const through = 1 - alphaAt(at / 4);
    for (let channel = at; channel < at + 3; channel++) {
      const subject = (rgba[channel] ?? 0) - (before.rgba[channel] ?? 0) * through;
      // No background is lighter than white, so nothing gets lighter.
      after.rgba[channel] = Math.max(0, Math.round(subject + (after.rgba[channel] ?? 0) * through));
    }
  }
  return { width, height, rgba: after.rgba };
}

const white: Color = [255, 255, 255];

/** Returns how much each pixel, by its number, belongs to the middle of an image. */
function middleOf(width: number, height: number): (pixel: number) => number {
  const [across, up] = [width * 0.4, height * 0.4];
  return (pixel) => {
    const [x, y] = [pixel % width, Math.floor(pixel / width)];
    const distance = Math.hypot((x + 0.5 - width / 2) / across, (y + 0.5 - height / 2) / up);
    return clampUnit((1 - distance) * Math.min(across, up) * 0.5 + 0.5);
  };
}

/** Whether two images differ only by the noise of JPEG. */
function areAlike(one: Uint8Array, other: Uint8Array): boolean {
  let difference = 0;
  for (let at = 0; at < one.length; at++) {
    difference += Math.abs((one[at] ?? 0) - (other[at] ?? 0));
  }
  return one.length === other.length && difference / one.length < 3;
}

function backgroundCanvas(width: number, height: number, [red, green, blue]: Color): Canvas {
  const canvas = new Canvas(width, height);
  canvas.shade((x, y) => {
    const noise = (hashInteger(Math.imul(y | 0, 65_537) + (x | 0)) / 0x1_0000_0000 - 0.5) * 3;
    // A little darker toward the lower edge.
    const light = 1 - 0.015 * (y / height);
    return [red * light + noise, green * light + noise, blue * light + noise];
  });
  return canvas;
}
