/** Red, green and blue, from 0 to 255. */
export type Color = readonly [red: number, green: number, blue: number];

/** Contrast that people with low vision need to read text, by WCAG 2, level AA. */
export const leastContrast = 4.5;

/** Share of each channel in the perceived brightness. */
const weights = [0.2126, 0.7152, 0.0722] as const;
/** Linear light of each value of a channel, from 0 to 1. */
const lights = Float64Array.from({ length: 256 }, (_, value) => {
  const part = value / 255;
  return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
});
const black: Color = [0, 0, 0];
const white: Color = [255, 255, 255];

/** Parses `#ff8800`; black for anything else. */
export function parseColor(text: string): Color {
  const [, red = '0', green = '0', blue = '0'] = /^#([\da-f]{2})([\da-f]{2})([\da-f]{2})$/iu.exec(text) ?? [];
  return [Number.parseInt(red, 16), Number.parseInt(green, 16), Number.parseInt(blue, 16)];
}

/** Returns the relative luminance of a color, from 0 to 1, as defined by WCAG 2. */
function luminance(color: Color): number {
  return color.reduce((sum, value, channel) => sum + (lights[value] ?? 0) * (weights[channel] ?? 0), 0);
}

/** Returns the contrast of two colors, from 1 to 21. */
export function contrast(one: Color, other: Color): number {
  return ratio(luminance(one), luminance(other));
}

/** Returns the lowest contrast of a color with any of the pixels. @param areas RGBA, opaque */
export function worstContrast(areas: readonly Uint8ClampedArray[], text: Color): number {
  return worstUnder(areas, text, black, 0);
}

/** Returns the color of a shade: the wanted one if the text is legible on it, else black or white. */
export function legibleShade(text: Color, wanted: Color): Color {
  if (contrast(text, wanted) >= leastContrast) {
    return wanted;
  }
  return contrast(text, black) > contrast(text, white) ? black : white;
}

/** Precision of the search for the strength: coarse steps, then halvings. */
const [step, halvings] = [0.05, 4];

/**
 * Returns the opacity that a shade needs for the text to be legible on each pixel, from `least` to 1.
 *
 * @param areas RGBA, opaque
 * @param shade a color on which the text is legible
 */
export function strengthFor(
  areas: readonly Uint8ClampedArray[],
  text: Color,
  shade: Color,
  least: number,
): number {
  const isEnough = (strength: number): boolean => worstUnder(areas, text, shade, strength) >= leastContrast;
  let strength = least;
  while (strength < 1 && !isEnough(strength)) {
    strength += step;
  }
  strength = Math.min(1, strength);
  let tooLittle = Math.max(least, strength - step);
  for (let halving = 0; halving < halvings && tooLittle < strength; halving++) {
    const middle = (tooLittle + strength) / 2;
    if (isEnough(middle)) {
      strength = middle;
    } else {
      tooLittle = middle;
    }
  }
  return strength;
}

/** Like `worstContrast`, under a translucent color. */
function worstUnder(
  areas: readonly Uint8ClampedArray[],
  text: Color,
  shade: Color,
  strength: number,
): number {
  const [reds, greens, blues] = weights.map((weight, channel) =>
    Float64Array.from(
      { length: 256 },
      (_, value) => weight * (lights[Math.round(value + ((shade[channel] ?? 0) - value) * strength)] ?? 0),
    ),
  );
  const own = luminance(text);
  // The nearest on either side.
  let [darker, lighter] = [-1, 2];
  for (const pixels of areas) {
    for (let at = 0; at < pixels.length; at += 4) {
      const light =
        (reds?.[pixels[at] ?? 0] ?? 0) +
        (greens?.[pixels[at + 1] ?? 0] ?? 0) +
        (blues?.[pixels[at + 2] ?? 0] ?? 0);
      if (light <= own) {
        darker = Math.max(darker, light);
      } else {
        lighter = Math.min(lighter, light);
      }
    }
  }
  return Math.min(
    darker < 0 ? Infinity : ratio(own, darker),
    lighter > 1 ? Infinity : ratio(lighter, own),
    21,
  );
}

function ratio(one: number, other: number): number {
  return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
}
