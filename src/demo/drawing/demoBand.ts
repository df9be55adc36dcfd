import type { Canvas } from './canvas.ts';
import type { Colour } from './colour.ts';
import { drawText, GLYPH_ROWS, textWidth } from './pixelFont.ts';

const INK: Colour = [18, 20, 28];
const PAPER: Colour = [250, 248, 240];
const MARK: Colour = [255, 198, 66];

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
