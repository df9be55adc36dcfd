import type { Card } from '../protocol/draft.ts';
import { type CardLayout, type CardLine, cardSize, layOut } from './cardLayout.ts';
import {
  type Color,
  leastContrast,
  legibleShade,
  parseColor,
  strengthFor,
  worstContrast,
} from './contrast.ts';

export interface DrawnCard {
  /** The lowest contrast of the text with a pixel behind it; undefined without text. */
  contrast: number | undefined;
  /** Whether the title was too long and is shortened. */
  isCut: boolean;
  /** Whether the text is illegible on the chosen shade, so that black or white is used. */
  isOtherShade: boolean;
}

const { width, height } = cardSize;
/** Fully covered distance around the text, and length of the fade, in pixels. */
const [around, fade] = [28, 190];
/** Added until the drawn pixels have the computed contrast. */
const moreShade = 0.01;
/** Extent of the letters' antialiasing, in pixels. */
const edge = 2;

/** Font families; every system has some of each. */
const fonts: Readonly<Record<Card['font'], string>> = {
  sans: 'system-ui, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", Arial, sans-serif',
  serif: 'Georgia, Cambria, "Noto Serif", "Times New Roman", serif',
  mono: 'ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace',
  editor: 'monospace',
};

/**
 * Draws a card: the background, a shade, and the text, with a contrast of at least 4.5 to each pixel behind it.
 *
 * @param context of a canvas of `cardSize`
 * @param editorFont the families of the editor's font
 */
export function drawCard(
  context: CanvasRenderingContext2D,
  background: HTMLImageElement,
  card: Card,
  editorFont: string,
): DrawnCard {
  const fontOf = (kind: CardLine['kind'], size: number): string => {
    const families = card.font === 'editor' && editorFont !== '' ? editorFont : fonts[card.font];
    return `${kind === 'title' ? 700 : 500} ${size}px ${families}`;
  };
  const layout = layOut(card, (kind, size) => (text) => {
    context.font = fontOf(kind, size);
    return context.measureText(text).width;
  });
  drawBackground(context, background);
  const boxes = layout.lines.map((line) => boxOf(context, fontOf(line.kind, line.size), line));
  const text = parseColor(card.color);
  const wanted = parseColor(card.shade);
  const shade = legibleShade(text, wanted);
  let contrast: number | undefined;
  if (boxes.length > 0) {
    const bare = pixelsIn(context, boxes);
    let strength = strengthFor(bare, text, shade, card.strength);
    for (;;) {
      drawShade(context, layout, card.place.y, shade, strength);
      contrast = worstContrast(pixelsIn(context, boxes), text);
      if (contrast >= leastContrast || strength >= 1) {
        break;
      }
      strength = Math.min(1, strength + moreShade);
      drawBackground(context, background);
    }
  }
  context.fillStyle = card.color;
  for (const line of layout.lines) {
    place(context, fontOf(line.kind, line.size), line);
    context.fillText(line.text, line.x, line.y);
  }
  return { contrast, isCut: layout.isCut, isOtherShade: shade !== wanted };
}

/** Covers the card with the center of an image. */
function drawBackground(context: CanvasRenderingContext2D, image: HTMLImageElement): void {
  const scale = Math.max(width / image.naturalWidth, height / image.naturalHeight);
  const across = image.naturalWidth * scale;
  const down = image.naturalHeight * scale;
  context.imageSmoothingQuality = 'high';
  context.fillStyle = '#ffffff';
  context.fillRect(0, 0, width, height);
  context.drawImage(image, (width - across) / 2, (height - down) / 2, across, down);
}

/** Lays a color over the card, fully behind the text, up to the edge next to it. */
function drawShade(
  context: CanvasRenderingContext2D,
  { top, bottom }: CardLayout,
  at: number,
  [red, green, blue]: Color,
  strength: number,
): void {
  const gradient = context.createLinearGradient(0, 0, 0, height);
  const [start, end] = [at === 0 ? 0 : top - around, at === 1 ? height : bottom + around];
  for (const y of [start - fade, start - fade / 2, start, end, end + fade / 2, end + fade]) {
    const shown = Math.min(height, Math.max(0, y));
    // Fades out from the text, more steeply in the nearer half.
    const away = Math.max(0, start - shown, shown - end) / fade;
    const part = Math.max(1 - 1.2 * away, 0.8 - 0.8 * away);
    gradient.addColorStop(shown / height, `rgb(${red} ${green} ${blue} / ${strength * part})`);
  }
  context.fillStyle = gradient;
  context.fillRect(0, 0, width, height);
}

/** A part of the card, in whole pixels. */
interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Returns the area that a line draws on. */
function boxOf(context: CanvasRenderingContext2D, font: string, line: CardLine): Box {
  place(context, font, line);
  const ink = context.measureText(line.text);
  const left = Math.max(0, Math.floor(line.x - ink.actualBoundingBoxLeft) - edge);
  const top = Math.max(0, Math.floor(line.y - ink.actualBoundingBoxAscent) - edge);
  const right = Math.min(width, Math.ceil(line.x + ink.actualBoundingBoxRight) + edge);
  const bottom = Math.min(height, Math.ceil(line.y + ink.actualBoundingBoxDescent) + edge);
  return { x: left, y: top, width: right - left, height: bottom - top };
}

function place(context: CanvasRenderingContext2D, font: string, line: CardLine): void {
  context.font = font;
  context.textAlign = line.align;
  context.direction = line.direction;
}

function pixelsIn(context: CanvasRenderingContext2D, boxes: readonly Box[]): Uint8ClampedArray[] {
  return boxes.map((box) => context.getImageData(box.x, box.y, box.width, box.height).data);
}
