import type { Card } from '../protocol/draft.ts';
import { cutTo, hasRoom, isRightToLeft, type Measure, wrap } from './wrap.ts';

/** The size of a card, in pixels. */
export const cardSize = { width: 1200, height: 630 };

/** A line of text; `x` is where it begins, has its middle or ends, as its `align` says. */
export interface CardLine {
  text: string;
  kind: 'title' | 'siteName';
  /** Of its font, in pixels. */
  size: number;
  x: number;
  /** Of its baseline. */
  y: number;
  align: 'left' | 'center' | 'right';
  direction: 'ltr' | 'rtl';
}

export interface CardLayout {
  lines: CardLine[];
  /** Where the block of lines begins and ends, from the top. */
  top: number;
  bottom: number;
  /** Whether the title was too long, and its end is left out. */
  isCut: boolean;
}

/** Between words and edge. */
const margin = 72;
const [largest, smallest, stepDown] = [88, 36, 4];
/** Height of a line and place of its baseline, in sizes of its font. */
const [lineHeight, ascent] = [1.2, 0.95];
const siteSize = 32;
/** Between title and site name. */
const gap = 20;
/** Words at one side leave the other to the picture. */
const sideWidth = 900;

/** Places the words of a card: the title as large as it has room. @param measure of a kind and a size of font */
export function layOut(
  { title, siteName, place }: Pick<Card, 'title' | 'siteName' | 'place'>,
  measure: (kind: CardLine['kind'], size: number) => Measure,
): CardLayout {
  const full = cardSize.width - 2 * margin;
  const width = place.x === 0.5 ? full : sideWidth;
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

/** Returns how many lines of a size are still a headline. As many have room, above a site name too. */
function mostLines(size: number): number {
  return size > 64 ? 3 : size > 48 ? 4 : 5;
}

function fitted(text: string, width: number, measure: Measure): string {
  const line = text.replaceAll(/\s+/gu, ' ').trim();
  return measure(line) <= width ? line : cutTo(line, width, measure);
}
