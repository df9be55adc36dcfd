import type { MarkupElement } from '../scan/markupElements.ts';
import { withoutProgram } from './astroPage.ts';
import { branchesIn } from './branches.ts';
import { isComputed, type TextEdit } from './cardImage.ts';
import { lineEndOf } from './keys.ts';
import { anchorIn, behind, headIn, lineFor, tagText } from './metaTags.ts';

/** A `<link>` by its attributes. */
export type HeadLink = readonly (readonly [name: string, value: string])[];

/**
 * Returns the edits that make a page's head name the icons of its site: existing links of the same kinds are replaced.
 * Undefined for a page without a head, or where a program writes such links.
 *
 * @param language of a page
 */
export function writeHeadLinks(
  text: string,
  language: string,
  links: readonly HeadLink[],
): TextEdit[] | undefined {
  const markup = language === 'astro' ? withoutProgram(text) : text;
  const found = /^(?:astro|html)$/u.test(language) ? headIn(markup) : undefined;
  if (!found || (language === 'astro' && !/<head\b/iu.test(markup))) {
    return undefined;
  }
  const { head, tags } = found;
  const isInBranch = branchesIn(head);
  const kinds = new Set(links.map(kindOfLink));
  const before = tags.filter((tag) => kinds.has(kindOf(tag) ?? ''));
  const isWritten = (tag: MarkupElement): boolean => {
    const address = tag.attributes.get('href')?.value;
    return address !== undefined && !isComputed(address) && !isInBranch(tag.start);
  };
  if (!before.every(isWritten)) {
    return undefined;
  }
  const lines = links.map((link) => tagText(markup, 'link', link));
  const [first, ...others] = before;
  if (first) {
    const start = lineStartOf(text, first.start);
    const indentation = text.slice(start, first.start);
    const between = indentation.trim() === '' ? lineEndOf(text) + indentation : '';
    return [
      { start: first.start, end: behind(head, first), text: lines.join(between) },
      ...others.map((tag) => removal(text, tag.start, behind(head, tag))),
    ];
  }
  const anchor = anchorIn(head, tags, isInBranch);
  return (
    anchor && [
      { start: anchor.at, end: anchor.at, text: lines.map((line) => lineFor(text, anchor, line)).join('') },
    ]
  );
}

function kindOfLink(link: HeadLink): string {
  return link.find(([name]) => name === 'rel')?.[1] ?? '';
}

/** Returns the kind of icon that a tag links to. */
function kindOf({ name, attributes }: MarkupElement): string | undefined {
  const words = (attributes.get('rel')?.value ?? '').toLowerCase().split(/\s+/u);
  return /^link$/iu.test(name)
    ? ['icon', 'apple-touch-icon'].find((kind) => words.includes(kind))
    : undefined;
}

/** Removes a tag, with its line if nothing else is on it. */
function removal(text: string, from: number, to: number): TextEdit {
  const start = lineStartOf(text, from);
  const [rest = ''] = /^[ \t]*(?:\r\n|\r|\n|$)/u.exec(text.slice(to)) ?? [];
  const isAlone = text.slice(start, from).trim() === '' && rest !== '';
  return isAlone ? { start, end: to + rest.length, text: '' } : { start: from, end: to, text: '' };
}

function lineStartOf(text: string, at: number): number {
  return Math.max(text.lastIndexOf('\n', at - 1), text.lastIndexOf('\r', at - 1)) + 1;
}
