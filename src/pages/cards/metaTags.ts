import { encodePath } from '../../common/text.ts';
import { markupElements, type MarkupElement } from '../scan/markupElements.ts';
import { masked, withoutTemplateComments } from '../scan/masked.ts';
import { attributeEdit, meantBy, encoded, textOf } from './markupText.ts';
import { branchesIn } from './branches.ts';
import {
  addressOf,
  type CardImage,
  isComputed,
  type PageChange,
  type PageWords,
  siteBefore,
  type TextEdit,
  wholeAddress,
} from './cardImage.ts';
import { lineEndOf } from './keys.ts';

/** A property of a page, with its new value. */
interface Wanted {
  name: string;
  content: string;
}

const comments = /<!--[^]*?(?:-->|$)/gu;
const others = /(<(?<tag>script|style|template|textarea|noscript|svg)\b[^<>]*>)[^]*?(?=<\/\k<tag>\s*>|$)/giu;
const headEnd = /<\/head\s*>|<body\b/iu;
/** Source folders that are not part of the addresses of their pages. */
const sourceFolders = /^(?:.*\/)?(?:pages|public|static|src|www)\//u;
export function readMetaTags(text: string): PageWords {
  const source = plainMarkup(text);
  const head = source.slice(0, headEnd.exec(source)?.index);
  const said = sayingsOf(head);
  const heading = written(textOf(/<h1\b[^<>]*>([^]{0,600}?)<\/h1>/iu.exec(source)?.[1] ?? ''));
  const whole = written(textOf(/<title\b[^<>]*>([^]{0,600}?)<\/title>/iu.exec(head)?.[1] ?? ''));
  const name = first(said, 'og:site_name', 'application-name');
  const [, before = whole, sign = '', after = ''] = /^(.+?)\s+([|–—·-])\s+([^|–—·]+)$/u.exec(whole) ?? [];
  const known = first(said, 'og:title') || heading;
  const isSplit = name === '' ? before === known || sign === '|' : after === name;
  const title = first(said, 'og:title') || (isSplit ? before : whole) || heading;
  const host = wholeAddress(said.get('canonical') ?? said.get('og:url') ?? '')?.hostname ?? '';
  return {
    title,
    description: first(said, 'og:description', 'description'),
    siteName: name || (isSplit ? after : host.replace(/^www\./u, '')),
  };
}

/** Returns the plain markup of a page up to the end of its head, with its tags; undefined for a fragment without one. */
export function headIn(text: string): { head: string; tags: MarkupElement[] } | undefined {
  const source = plainMarkup(text);
  const end = headEnd.exec(source)?.index ?? source.length;
  const head = source.slice(0, end);
  const tags = [...markupElements(head)];
  const start = tags.find(({ name }) => /^head$/iu.test(name));
  return start || /<(?:!doctype|html|title|meta)\b/iu.test(head) ? { head, tags } : undefined;
}

/** Returns the edits that make a page's head name the image; undefined for a fragment without a head. */
export function writeMetaTags(text: string, image: CardImage): PageChange | undefined {
  const found = headIn(text);
  if (!found) {
    return undefined;
  }
  const { head, tags } = found;
  const address = addressFrom(image, sayingsOf(head));
  const edits = withMetaTags(text, head, tags, [
    { name: 'og:image', content: address },
    { name: 'og:image:width', content: String(image.width) },
    { name: 'og:image:height', content: String(image.height) },
    { name: 'og:image:alt', content: image.alt },
    { name: 'twitter:card', content: 'summary_large_image' },
    { name: 'twitter:image', content: address },
  ]);
  return edits && { edits, isWhole: wholeAddress(address) !== null };
}

/** Returns the address by which social networks find an image: a complete one if the head shows where the site is. */
function addressFrom(image: CardImage, said: ReadonlyMap<string, string>): string {
  const path = encodePath(addressOf(image, undefined));
  for (const name of ['canonical', 'og:url']) {
    const page = wholeAddress(said.get(name) ?? '');
    const base = page && baseOf(page, image);
    if (base) {
      return image.isPublic ? base + path : new URL(path, `${base}/`).href;
    }
  }
  const before = said.get('og:image') ?? '';
  const site = siteBefore(image, before);
  return site === undefined ? path : site + encodePath(image.fromSite);
}

/**
 * Returns the site's address, or the address of the page's folder if the image isn't public, from the page's address,
 * without a trailing `/`; undefined if the page has another path on the site than here.
 */
function baseOf({ origin, pathname }: URL, { page, fromPage, isPublic }: CardImage): string | undefined {
  const file = page.replace(sourceFolders, '').replace(/\.\w+$/u, '');
  const own = encodePath(file).split('/');
  const isIndex = own.at(-1) === 'index';
  const there = pathname.replace(/(?:\/index)?(?:\.html?)?\/?$/u, '').split('/');
  const name = isIndex ? own.slice(0, -1) : own;
  // The relative path to the image leads through this many parent folders, which must be equal.
  const above = fromPage.split('/').filter((part) => part === '..').length;
  const same = isPublic ? name.length : Math.min(name.length, isIndex ? above : above + 1);
  const isFolder = /\/(?:index(?:\.html?)?)?$/u.test(pathname);
  if ((same === 0 && !isFolder) || name.slice(name.length - same).join('/') !== lastOf(there, same)) {
    return undefined;
  }
  const base = isPublic ? there.slice(0, there.length - same) : isIndex ? there : there.slice(0, -1);
  return origin + base.join('/');
}

function lastOf(parts: readonly string[], count: number): string {
  return parts.slice(parts.length - count).join('/');
}

/** Returns the edits that set these tags: existing ones are changed, the others added. */
function withMetaTags(
  text: string,
  head: string,
  tags: readonly MarkupElement[],
  wanted: readonly Wanted[],
): TextEdit[] | undefined {
  const edits: TextEdit[] = [];
  const isInBranch = branchesIn(head);
  const first = anchorIn(head, tags, isInBranch);
  if (!first) {
    return undefined;
  }
  let anchor = first;
  for (const { name, content } of wanted) {
    const there = firstOf(tags, name);
    if (!there) {
      edits.push({ start: anchor.at, end: anchor.at, text: newTag(text, anchor, name, content) });
      continue;
    }
    const attribute = there.attributes.get('content');
    if (!attribute || isComputed(attribute.value) || isInBranch(there.start)) {
      return undefined;
    }
    const edit = attributeEdit(text, attribute, content);
    if (!edit) {
      return undefined;
    }
    edits.push(edit);
    anchor = { at: behind(head, there), start: there.start };
  }
  for (const { name, content } of follow(wanted)) {
    const attribute = firstOf(tags, name)?.attributes.get('content');
    const edit = attribute && attributeEdit(text, attribute, content);
    edits.push(...(edit ? [edit] : []));
  }
  return joined(edits.filter(({ start, end, text: put }) => text.slice(start, end) !== put));
}

/** Returns further tags for the image, whose existing values describe only the one before. */
function follow(wanted: readonly Wanted[]): Wanted[] {
  const of = (name: string): string => wanted.find((one) => one.name === name)?.content ?? '';
  return [
    ...['og:image:url', 'og:image:secure_url', 'twitter:image:src'].map((name) => ({
      name,
      content: of('og:image'),
    })),
    { name: 'og:image:type', content: 'image/png' },
    { name: 'twitter:image:alt', content: of('og:image:alt') },
  ];
}

/** Returns the first tag of a property; for a property of an image, only that of the first image. */
function firstOf(tags: readonly MarkupElement[], name: string): MarkupElement | undefined {
  const [, second] = tags.filter((tag) => propertyOf(tag) === 'og:image');
  return tags.find(
    (tag) =>
      propertyOf(tag) === name && !(name.startsWith('og:image:') && second && tag.start > second.start),
  );
}

/** The position for a new tag, behind an existing one that begins at `start`. */
export interface Anchor {
  at: number;
  start: number;
  /** Whether the new tag goes inside the existing one. */
  isInside?: true;
}

/** Returns a position for new tags that is always part of the page; undefined if templates produce everything. */
export function anchorIn(
  head: string,
  all: readonly MarkupElement[],
  isInBranch: (at: number) => boolean,
): Anchor | undefined {
  const tags = all.filter(({ start }) => !isInBranch(start));
  const last = (isIt: (tag: MarkupElement) => boolean): Anchor | undefined => {
    const tag = tags.findLast(isIt);
    return tag && { at: behind(head, tag), start: tag.start };
  };
  const title = /<title\b[^<>]*>[^]{0,600}?<\/title\s*>/iu.exec(head);
  const opening = tags.findLast(({ name }) => /^(?:head|html)$/iu.test(name));
  const doctype = /<!doctype[^<>]*>/iu.exec(head);
  return (
    last((tag) => propertyOf(tag)?.startsWith('og:') === true) ??
    last((tag) => propertyOf(tag) !== undefined) ??
    (title && !isInBranch(title.index)
      ? { at: title.index + title[0].length, start: title.index }
      : undefined) ??
    last(({ name }) => /^meta$/iu.test(name)) ??
    (opening
      ? { at: behind(head, opening), start: opening.start, isInside: true }
      : isInBranch(doctype?.index ?? 0) || all.length > tags.length
        ? undefined
        : { at: doctype ? doctype.index + doctype[0].length : 0, start: doctype?.index ?? 0 })
  );
}

/** Writes a tag in the style of its neighbors: on its own line, unless they aren't. */
function newTag(text: string, anchor: Anchor, name: string, content: string): string {
  const attribute = name.startsWith('og:') ? 'property' : 'name';
  return lineFor(
    text,
    anchor,
    tagText(text, 'meta', [
      [attribute, name],
      ['content', content],
    ]),
  );
}

/** Writes a tag without contents, closed as the page closes its own. */
export function tagText(
  text: string,
  name: string,
  attributes: readonly (readonly [name: string, value: string])[],
): string {
  const isClosed = /<(?:meta|link)\b[^<>]*\/>/iu.test(text);
  const written = attributes.map(([key, value]) => ` ${key}="${encoded(value, '"')}"`).join('');
  return `<${name}${written}${isClosed ? ' />' : '>'}`;
}

/** Puts a tag on a line of its own, unless its neighbors aren't. */
export function lineFor(text: string, { at, start, isInside }: Anchor, tag: string): string {
  const lineStart = Math.max(text.lastIndexOf('\n', start - 1), text.lastIndexOf('\r', start - 1)) + 1;
  const indentation = text.slice(lineStart, start).replace(/^\uFEFF/u, '');
  const isAlone = /^[ \t]*$/u.test(indentation) && /^[ \t]*(?:\r|\n|$)/u.test(text.slice(at));
  if (!isAlone) {
    return tag;
  }
  const [gap = ''] = /^\s*(?=\S)/u.exec(text.slice(at)) ?? [];
  const next = /[\r\n]([ \t]+)$/u.exec(gap)?.[1];
  return lineEndOf(text) + (isInside ? (next ?? `${indentation}  `) : indentation) + tag;
}

/** Merges edits that insert at the same position. */
function joined(edits: readonly TextEdit[]): TextEdit[] {
  const places = new Map<number, TextEdit>();
  for (const edit of edits) {
    const known = places.get(edit.start);
    places.set(edit.start, known ? { ...known, text: known.text + edit.text } : edit);
  }
  return [...places.values()];
}

/** Blanks everything that isn't plain markup of the page. */
export function plainMarkup(text: string): string {
  return masked(masked(withoutTemplateComments(text), comments), others);
}

/** Returns the end of a tag, behind its `>`. */
export function behind(head: string, { end }: MarkupElement): number {
  const close = head.indexOf('>', end);
  return close < 0 ? end : close + 1;
}

/** Returns the contents of a head's tags by the names of properties; the address of the page is `canonical`. */
function sayingsOf(head: string): Map<string, string> {
  const said = new Map<string, string>();
  for (const tag of markupElements(head)) {
    const isCanonical = tag.attributes.get('rel')?.value.toLowerCase() === 'canonical';
    const name = isCanonical ? 'canonical' : propertyOf(tag);
    const value = tag.attributes.get(isCanonical ? 'href' : 'content');
    if (name !== undefined && value && !said.has(name) && isWritten(value.value)) {
      said.set(name, meantBy(head, value).replaceAll(/\s+/gu, ' ').trim());
    }
  }
  return said;
}

function propertyOf({ name, attributes }: MarkupElement): string | undefined {
  return /^meta$/iu.test(name)
    ? (attributes.get('property') ?? attributes.get('name'))?.value.trim().toLowerCase()
    : undefined;
}

function first(said: ReadonlyMap<string, string>, ...names: readonly string[]): string {
  return names.map((name) => said.get(name) ?? '').find((value) => value !== '') ?? '';
}

function written(text: string): string {
  return isWritten(text) ? text : '';
}

/** Whether a text is literal, rather than filled in by a program. */
function isWritten(text: string): boolean {
  return !isComputed(text) && !/^\{[^{}]*\}$/u.test(text);
}
