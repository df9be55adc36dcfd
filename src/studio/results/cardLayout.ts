import type { Card } from '../protocol/draft.ts';
import { cutTo, hasRoom, isRightToLeft, type Measure, wrap } from './wrap.ts';

/** The size of a card, in pixels. */
export const cardSize = { width: 1200, height: 630 };

/** A line of text; `x` is its start, center, or end, depending on `align`. */
export interface CardLine {
  text: string;
  kind: 'title' | 'siteName';
  /** Font size in pixels. */
  size: number;
  x: number;
  /** Baseline in pixels. */
  y: number;
  align: 'left' | 'center' | 'right';
  direction: 'ltr' | 'rtl';
}

export interface CardLayout {
  lines: CardLine[];
  /** Vertical extent of the lines, from the top. */
  top: number;
  bottom: number;
  /** Whether the title was too long and is shortened. */
  isCut: boolean;
}

/** Between text and edge. */
const margin = 72;
const [largest, smallest, stepDown] = [88, 36, 4];
/** Line height and baseline, in font sizes. */
const [lineHeight, ascent] = [1.2, 0.95];
const siteSize = 32;
/** Between title and site name. */
const gap = 20;
/** Text at one side leaves the other side to the image. */
const sideWidth = 900;

/** Lays out the text of a card, with the title as large as possible. @param measure for a kind and size of font */
export function layOut(
  { title, siteName, place }: Pick<Card, 'title' | 'siteName' | 'place'>,
  measure: (kind: CardLine['kind'], size: number) => Measure,
): CardLayout {
  const full = cardSize.width - 2 * margin;
  const isWide = place.x === 0.5 || !hasRoom(title, sideWidth, measure('title', smallest));
  const width = isWide ? full : sideWidth;
  const site = siteName.trim() === '' ? [] : [fitted(siteName, full, measure('siteName', siteSize))];
  const siteHeight = site.length * siteSize * lineHeight;
  const { lines, size, isCut } = titleIn(title, width, measure);
  const titleHeight = lines.length * size * lineHeight;
  const height = titleHeight + siteHeight + (lines.length > 0 && siteHeight > 0 ? gap : 0);
  const top = margin + (cardSize.height - 2 * margin - height) * place.y;
  const align = place.x === 0 ? 'left' : place.x === 1 ? 'right' : 'center';
  const x = margin + full * place.x;
  const lineAt = (text: string, kind: CardLine['kind'], size: number, y: number): CardLine => ({
    text,
    kind,
    size,
    x,
    y: y + size * ascent,
    align,
    direction: isRightToLeft(text) ? 'rtl' : 'ltr',
  });
  return {
    lines: [
      ...lines.map((text, index) => lineAt(text, 'title', size, top + index * size * lineHeight)),
      ...site.map((text) => lineAt(text, 'siteName', siteSize, top + height - siteHeight)),
    ],
    top,
    bottom: top + height,
    isCut,
  };
}

function titleIn(
  title: string,
  width: number,
  measure: (kind: CardLine['kind'], size: number) => Measure,
): { lines: string[]; size: number; isCut: boolean } {
  if (title.trim() === '') {
    return { lines: [], size: largest, isCut: false };
  }
  for (let size = largest; size >= smallest; size -= stepDown) {
    const sized = measure('title', size);
    const lines = hasRoom(title, width, sized) || size === smallest ? wrap(title, width, sized) : undefined;
    if (lines && lines.length <= mostLines(size)) {
      return { lines, size, isCut: false };
    }
  }
  const sized = measure('title', smallest);
  const most = mostLines(smallest);
  const lines = wrap(title, width, sized);
  const [last = '', ...after] = lines.slice(most - 1);
  return {
    lines: [...lines.slice(0, most - 1), cutTo([last, ...after].join(' '), width, sized)],
    size: smallest,
    isCut: true,
  };
}

/** Returns the most lines of a title at this size. This leaves room for a site name. */
function mostLines(size: number): number {
  return size > 64 ? 3 : size > 48 ? 4 : 5;
}

function fitted(text: string, width: number, measure: Measure): string {
  const line = text.replaceAll(/\s+/gu, ' ').trim();
  return measure(line) <= width ? line : cutTo(line, width, measure);
}
