import { plainWords } from './reference.ts';

export interface Heading {
  start: number;
  text: string;
  /** From 1, as in `<h1>`. */
  level: number;
}

/** The headings of a text, in its order. */
export class Headings {
  readonly #all: Heading[] = [];
  /** Headings that are names of cards, with the starts of the cards if known. */
  readonly #names = new Map<Heading, number | undefined>();

  add(heading: Heading): void {
    this.#all.push(heading);
  }

  /**
   * Returns the last heading before a position, if there is one, but for names of other cards near by.
   *
   * @param around the elements around the position
   */
  above(at: number, around: readonly Around[] = []): Heading | undefined {
    for (let index = this.#countBefore(at) - 1; index >= 0; index--) {
      const heading = this.#all[index];
      const card = heading && this.#names.get(heading);
      if (
        !heading ||
        card === undefined ||
        at - heading.start > reachAbove ||
        around.some(({ start }) => start === card)
      ) {
        return heading;
      }
    }
    return undefined;
  }

  /** Takes the heading below an image as the name of its card. */
  take(image: number, card?: Around): void {
    const heading = this.#all[this.#countBefore(image)];
    if (heading && heading.start - image <= reachBelow) {
      this.#names.set(heading, card?.start);
    }
  }

  isName(heading: Heading | undefined): boolean {
    return heading !== undefined && this.#names.has(heading);
  }

  #countBefore(at: number): number {
    let [low, high] = [0, this.#all.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#all[middle]?.start ?? Infinity) < at) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}

/** Distance below an image in which its name is searched, in UTF-16 units and in lines that aren't empty. */
export const reachBelow = 1000;
const linesBelow = 8;
/** Distance above an image in which the element around it is searched, in UTF-16 units. */
const reachAbove = 1000;
/** Maximum length of a name, and of the words below the name, in UTF-16 units. */
const [longestName, longestDetail] = [60, 100];

/** The lines below an image. */
function linesFrom(text: string, at: number): string {
  const lines = text.slice(at, at + reachBelow).split('\n');
  let count = 0;
  const end = lines.findIndex((line) => line.trim() !== '' && ++count > linesBelow);
  return (end < 0 ? lines : lines.slice(0, end)).join('\n');
}

/** Text, and the tag of an element or what a program computes. */
const tokens =
  /<(?<slash>\/?)(?<name>[A-Za-z][\w.:-]*)(?<attributes>(?:"[^"]*"|'[^']*'|\{[^{}]*\}|[^<>"'{}])*?)(?<closed>\/?)>|(?<text>[^<]+)|</gu;
const image = /^(?:img|image|picture|video|figure|nuxtimg|nextimage|enhanced:img)$/iu;
const voids = /^(?:br|hr|wbr|input|img|source|meta|link)$/iu;
/** Elements that hold what is no name: to press, to fill in, to draw. */
const passedOver = /^(?:a|button|label|script|style|svg|select|textarea|nav|[\w.-]*(?:button|badge|icon))$/iu;
/** Elements that no card leaves. */
const bounds =
  /^(?:li|article|section|main|body|header|footer|aside|form|ul|ol|dl|table|tr|template|[\w.-]*card|[\w.-]*item)$/iu;
/** Elements in which an image, and what is below it, belong together. */
const cards = /^(?:li|article|a|div|td|figure|[\w.-]*card|[\w.-]*item)$/iu;
const title = /^(?:h[1-6]|[\w.-]*(?:title|heading))$/iu;
const strong = /^(?:b|strong|dt)$/iu;
/** Elements whose text is one, whatever is emphasized in it. */
const lines = /^(?:p|span|small|dd|sub|h[1-6]|b|strong|dt|[\w.-]*(?:title|heading|text))$/iu;
const blocks = /<(?:img|div|p|ul|li|h[1-6]|button|[A-Z])[\s/>]/u;

/**
 * Returns the name below an image in the same card, and the line below it: `Ada Berg, Head gardener`; undefined if there
 * is none, or if a program computes it.
 *
 * @param end of the image's attributes
 * @param around the elements around it
 */
export function nameBelow(
  text: string,
  end: number,
  around: readonly Around[],
  above: Heading | undefined,
): string | undefined {
  const open: string[] = [];
  let left: string | undefined;
  let count = 0;
  let name: string | undefined;
  const rest = linesFrom(text, end).replace(/^[^<>]*>/u, '');
  let until = 0;
  for (const { index, 0: token, groups = {} } of rest.matchAll(tokens)) {
    const { slash, name: tag = '', attributes = '', closed, text: bare } = groups;
    if (index < until) {
      continue;
    }
    const close = tag === '' || slash === '/' || closed === '/' ? -1 : rest.indexOf(`</${tag}`, index);
    const inside = close < 0 ? '' : rest.slice(index + token.length, close);
    const isLine = close >= 0 && lines.test(tag) && !blocks.test(inside);
    const words = isLine ? inside : bare;
    if (words !== undefined) {
      until = isLine ? rest.indexOf('>', close) + 1 : until;
      if (words.trim() === '') {
        continue;
      }
      const said = plainWords(words);
      if (name !== undefined) {
        return /\p{L}{3}/u.test(said) && said.length <= longestDetail ? `${name}, ${said}` : name;
      }
      const within = isLine ? [...open, tag] : open;
      const isTitle = within.some((one) => title.test(one));
      const isInside = within.length > 0 || around.length > count;
      const isFound = isTitle ? isNameOfCard(within, around.slice(count), above) : isInside && isName(said);
      if (!isFound || !/\p{L}{2}/u.test(said)) {
        return undefined;
      }
      name = said;
      if (!isTitle && !within.some((one) => strong.test(one))) {
        return name;
      }
    } else if (tag === '') {
      return name;
    } else if (slash === '/') {
      if (open.pop() === undefined) {
        left = around[count++]?.tag;
        if (left === undefined || bounds.test(tag) || count > 2) {
          return name;
        }
      }
    } else if (
      image.test(tag) ||
      (open.length === 0 && (bounds.test(tag) || isSame(left, tag, attributes)))
    ) {
      return name;
    } else if (passedOver.test(tag) && closed === '') {
      if (/<(?:h[1-6]|img)[\s>]/iu.test(inside)) {
        open.push(tag);
      } else if (close < 0) {
        return name;
      } else {
        until = rest.indexOf('>', close) + 1;
      }
    } else if (closed === '' && !voids.test(tag)) {
      open.push(tag);
    }
  }
  return name;
}

/**
 * Whether a title is that of a card, and of no section: both are in a card that began below the heading above, or it is
 * a lower heading.
 */
function isNameOfCard(
  within: readonly string[],
  around: readonly Around[],
  above: Heading | undefined,
): boolean {
  const level = within.map((one) => Number(/^h([1-6])$/iu.exec(one)?.[1] ?? 0)).find((one) => one > 0);
  return (
    level === undefined ||
    above === undefined ||
    level > Math.max(2, above.level) ||
    around.some(({ name, start }) => cards.test(name) && start > above.start)
  );
}

/** Whether an element begins as the one that was just left: it is the next card. */
function isSame(left: string | undefined, name: string, attributes: string): boolean {
  return (
    left !== undefined && left === `<${name}${attributes}>`.replaceAll(/\s+/gu, ' ') && !/^td$/iu.test(name)
  );
}

export interface Around {
  name: string;
  /** The start tag, with single spaces. */
  tag: string;
  start: number;
}

/** Returns the elements around a position, from the inside. */
export function elementsAround(text: string, at: number): Around[] {
  const from = Math.max(0, at - reachAbove);
  const open: Around[] = [];
  for (const { index, 0: tag, groups = {} } of text.slice(from, at).matchAll(tokens)) {
    const { slash, name = '', closed } = groups;
    if (slash === '/') {
      const last = open.findLastIndex((one) => one.name === name);
      open.splice(last < 0 ? open.length : last);
    } else if (name !== '' && closed === '' && !voids.test(name)) {
      open.push({ name, tag: tag.replaceAll(/\s+/gu, ' '), start: from + index });
    }
  }
  return open.toReversed();
}

/** Whether words are short and no sentence. Ideographs and kana say more than letters. */
function isName(words: string): boolean {
  const length = words.replaceAll(/[\u3000-\u9fff\uac00-\ud7af]/gu, '...').length;
  return length <= longestName && !/(?:[.!?:;,…。！？：；，][^\p{L}\p{N}]*$|^[-#*>/|])/u.test(words);
}

const headingLine = /^ {0,3}(#{1,6})[ \t]+(.*)$/u;
const marks = /^(?:[ \t]*(?:[-*+>]|\d+[.)])[ \t]+|[ \t>|]+)|[ \t|]+$/gu;
const newItem = /^[ \t]*(?:[-*+]|\d+[.)])[ \t]/u;

/**
 * Does the same in Markdown: a name is a heading that is no section of its own, a line in bold, or the next line of the
 * paragraph, item, or row.
 *
 * @param end of the image
 * @param isAfterName whether the heading above is the name of another card
 */
export function lineBelow(
  source: string,
  end: number,
  above: Heading | undefined,
  isAfterName: boolean,
): string | undefined {
  const least = Math.max(3, (above?.level ?? 0) + (isAfterName ? 0 : 1));
  let name: string | undefined;
  let isNext = true;
  let isFirst = true;
  for (const line of linesFrom(source, end).split('\n')) {
    const [, signs = '', headed] = headingLine.exec(line) ?? [];
    const plain = (headed ?? line).replaceAll(marks, '').trim();
    const bold = /^(?:\*\*|__)(.+?)(?:\*\*|__)[\\ ]*$/u.exec(plain)?.[1];
    if (plain === '') {
      isNext = isFirst;
    } else if (/!\[|<|^(?:-{3,}|={3,}|`{3})/u.test(line) || (!isFirst && newItem.test(line))) {
      return name;
    } else {
      const said = plainWords(bold ?? plain.replace(/\\$/u, ''));
      if (name !== undefined) {
        return /\p{L}{3}/u.test(said) && said.length <= longestDetail && headed === undefined
          ? `${name}, ${said}`
          : name;
      }
      const isFound =
        headed === undefined ? (bold !== undefined || isNext) && isName(said) : signs.length >= least;
      if (!isFound || !/\p{L}{2}/u.test(said)) {
        return undefined;
      }
      name = said;
      if (headed === undefined && bold === undefined) {
        return name;
      }
    }
    isFirst = false;
  }
  return name;
}
