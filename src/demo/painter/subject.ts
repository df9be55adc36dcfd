import { boxAround, type Canvas, clampUnit } from './canvas.ts';
import { type Color, mix, choosePalette } from './color.ts';
import { drawText, GLYPH_ROWS, textWidth } from './pixelFont.ts';
import type { Random } from '../http/random.ts';
import { figureFor } from './figures.ts';

/** The color of the plate, far from every requested background. */
const ink: Color = [38, 36, 44];

/**
 * Draws only the subject of a prompt on the canvas: with a soft shadow, and on a plate that marks it as the demo's. A
 * subject without a figure is an ornament with a hole, a glass, and fine lines.
 */
export function drawSubject(canvas: Canvas, words: readonly string[], random: Random): void {
  const { width, height, unit } = canvas;
  const palette = choosePalette(words, random);
  const [x, foot] = [width / 2, height / 2 + unit * 0.26];
  softEllipse(canvas, [x, foot + unit * 0.02], [unit * 0.3, unit * 0.05], [20, 20, 26], 0.4);
  const figure = figureFor(words);
  if (figure) {
    figure.draw({ canvas, palette, random, words }, x, foot, unit * 0.5);
  } else {
    drawOrnament(canvas, [x, foot - unit * 0.28], unit * 0.26, palette.accents);
  }
  drawPlate(canvas, x, foot + unit * 0.03);
}

function drawOrnament(
  canvas: Canvas,
  [x, y]: readonly [number, number],
  radius: number,
  [first, second, third]: readonly [Color, Color, Color],
): void {
  for (let ray = 0; ray < 24; ray++) {
    const turn = (ray / 24) * 2 * Math.PI;
    const [dx, dy] = [Math.cos(turn), Math.sin(turn)];
    const [from, to] = [radius * 0.85, radius * (ray % 2 === 0 ? 1.12 : 1.04)];
    const half = Math.max(0.8, radius * 0.008);
    canvas.polygon(
      [
        [x + from * dx - half * dy, y + from * dy + half * dx],
        [x + to * dx - half * dy, y + to * dy + half * dx],
        [x + to * dx + half * dy, y + to * dy - half * dx],
        [x + from * dx + half * dy, y + from * dy - half * dx],
      ],
      mix(first, ink, 0.4),
    );
  }
  canvas.cover(boxAround(x, y, radius + 1), first, (px, py) => {
    const distance = Math.hypot(px - x, py - y);
    return clampUnit(radius * 0.9 - distance + 0.5) * clampUnit(distance - radius * 0.55 + 0.5);
  });
  canvas.disc(x + radius * 0.32, y + radius * 0.32, radius * 0.4, second, 0.45);
  canvas.disc(x - radius * 0.62, y - radius * 0.42, radius * 0.2, third);
}

function softEllipse(
  canvas: Canvas,
  [x, y]: readonly [number, number],
  [across, up]: readonly [number, number],
  color: Color,
  opacity: number,
): void {
  canvas.cover(boxAround(x, y, across, up), color, (px, py) => {
    const distance = Math.hypot((px - x) / across, (py - y) / up);
    return opacity * clampUnit(1 - distance * distance);
  });
}

function drawPlate(canvas: Canvas, x: number, top: number): void {
  const scale = Math.max(1, Math.round(canvas.unit / 340));
  const [width, height] = [textWidth('DEMO', scale) + 8 * scale, (GLYPH_ROWS + 6) * scale];
  const left = Math.round(x - width / 2);
  const start = Math.round(top);
  canvas.rectangle({ left, top: start, right: left + width, bottom: start + height }, ink);
  drawText(canvas, 'DEMO', { left: left + 4 * scale, top: start + 3 * scale }, scale, [255, 198, 66]);
}
