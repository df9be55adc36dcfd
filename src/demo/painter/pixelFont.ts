import type { Canvas } from './canvas.ts';
import type { Color } from './color.ts';

const COLUMNS = 5;
/** The rows of a glyph, which are the height of a line of text at scale 1. */
export const GLYPH_ROWS = 7;
const ADVANCE = COLUMNS + 1;

/** Seven rows per glyph, from the top. Each row is a base-32 digit whose five bits are its pixels. */
const GLYPHS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    A: 'ehhvhhh',
    B: 'uhhuhhu',
    C: 'ehggghe',
    D: 'uhhhhhu',
    E: 'vgguggv',
    F: 'vgguggg',
    G: 'ehgnhhf',
    H: 'hhhvhhh',
    I: 'e44444e',
    J: '72222ic',
    K: 'hikokih',
    L: 'ggggggv',
    M: 'hrllhhh',
    N: 'hpljhhh',
    O: 'ehhhhhe',
    P: 'uhhuggg',
    Q: 'ehhhlid',
    R: 'uhhukih',
    S: 'fgge11u',
    T: 'v444444',
    U: 'hhhhhhe',
    V: 'hhhhha4',
    W: 'hhhllla',
    X: 'hha4ahh',
    Y: 'hha4444',
    Z: 'v1248gv',
    '0': 'ehjlphe',
    '1': '4c4444e',
    '2': 'eh1248v',
    '3': 'v2421he',
    '4': '26aiv22',
    '5': 'vgu11he',
    '6': '68guhhe',
    '7': 'v124888',
    '8': 'ehhehhe',
    '9': 'ehhf12c',
    ' ': '0000000',
    '.': '00000cc',
    ',': '0000c48',
    '!': '4444404',
    '?': 'eh12404',
    '-': '000e000',
    ':': '0cc0cc0',
    "'": 'cc48000',
    '"': 'aaa0000',
    '/': '01248g0',
    '(': '2488842',
    ')': '8422248',
    '+': '044v440',
    '#': 'aavavaa',
    '&': 'cik8lid',
    '%': 'op248j3',
  }),
);

/** Replaces characters that the font lacks. */
const UNKNOWN_GLYPH = '0alala0';

/** Returns the width of a text in pixels, without the gap after its last glyph. */
export function textWidth(text: string, scale: number): number {
  return Math.max(0, Array.from(text).length * ADVANCE - 1) * scale;
}

/** Draws a line of text in capitals. `left` and `top` are whole pixels, `scale` whole pixels per dot. */
export function drawText(
  canvas: Pick<Canvas, 'cover'>,
  text: string,
  { left, top }: { left: number; top: number },
  scale: number,
  color: Color,
): void {
  let x = left;
  for (const character of text.toUpperCase()) {
    const glyph = GLYPHS.get(character) ?? UNKNOWN_GLYPH;
    for (let row = 0; row < GLYPH_ROWS; row++) {
      const bits = Number.parseInt(glyph[row] ?? '0', 32);
      for (let column = 0; column < COLUMNS; column++) {
        if ((bits >> (COLUMNS - 1 - column)) & 1) {
          const dotLeft = x + column * scale;
          const dotTop = top + row * scale;
          canvas.cover(
            { left: dotLeft, top: dotTop, right: dotLeft + scale, bottom: dotTop + scale },
            color,
            () => 1,
          );
        }
      }
    }
    x += ADVANCE * scale;
  }
}

const INK: Color = [18, 20, 28];
const PAPER: Color = [250, 248, 240];
const MARK: Color = [255, 198, 66];

/** Marks an image as the demo service's with a band along its lower edge: "DEMO" and the start of the prompt. */
export function drawDemoBand(canvas: Canvas, prompt: string): void {
  const scale = Math.max(1, Math.round(canvas.unit / 340));
  const padding = 4 * scale;
  const height = (GLYPH_ROWS + 8) * scale;
  const top = canvas.height - height;
  canvas.cover({ left: 0, top, right: canvas.width, bottom: canvas.height }, INK, () => 0.72);

  const chip = textWidth('DEMO', scale) + 2 * padding;
  canvas.cover({ left: 0, top, right: chip, bottom: canvas.height }, MARK, () => 1);
  drawText(canvas, 'DEMO', { left: padding, top: top + padding }, scale, INK);

  const line = fit(prompt, canvas.width - chip - 2 * padding, scale);
  drawText(canvas, line, { left: chip + padding, top: top + padding }, scale, PAPER);
}

/** Cuts a text to a width in pixels, with dots where it was cut. */
function fit(text: string, width: number, scale: number): string {
  const plain = text.replaceAll(/\s+/gu, ' ').trim();
  if (textWidth(plain, scale) <= width) {
    return plain;
  }
  const characters = Array.from(plain);
  const room = Math.floor((width / scale + 1) / 6) - 3;
  return room > 0 ? `${characters.slice(0, room).join('').trimEnd()}...` : '';
}
