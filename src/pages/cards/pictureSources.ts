import { markupElements, type MarkupElement } from '../scan/markupElements.ts';
import type { Reference } from '../scan/reference.ts';
import { isComputed, type TextEdit } from './cardImage.ts';
import { lineEndOf } from './keys.ts';
import { attributeEdit, encoded } from './markupText.ts';
import { behind } from './metaTags.ts';

/** Other files of an image: each a list for `srcset`, empty for none. */
export interface ImageSources {
  own: string;
  others: readonly { type: string; srcset: string }[];
}

/** Languages in which attributes have the names of React's. */
const asInReact = /^(?:mdx|javascript|javascriptreact|typescript|typescriptreact)$/u;
const asMarkdown = /^(?:markdown|mdx)$/u;
/** An image of Markdown that says its address itself. */
const ofMarkdown = /^!\[(?:[^[\]]|\[[^[\]]*\])*\]\(\s*<?([^<>\s]*)>?(?:\s+(?:"([^"]*)"|'([^']*)'))?\s*\)$/u;

/**
 * Returns the edits that give images other sources: an `srcset`, and a `<picture>` for other formats. Images of Markdown
 * become HTML. Undefined if none of them can be changed.
 *
 * @param language of the document
 * @param places where it names the image
 */
export function writeSources(
  text: string,
  language: string,
  places: readonly Pick<Reference, 'start' | 'wholes' | 'words'>[],
  sources: ImageSources,
): TextEdit[] | undefined {
  const attribute = asInReact.test(language) ? 'srcSet' : 'srcset';
  const elements = [...markupElements(text)].filter(({ name }) => /^(?:img|picture|source)$/iu.test(name));
  const edits = places.flatMap(({ start, wholes, words }) => {
    const image = elements.find(
      ({ name, attributes }) => /^img$/iu.test(name) && attributes.get('src')?.start === start,
    );
    if (image) {
      return inElement(text, image, attribute, sources) ?? [];
    }
    const [whole] = wholes;
    const [, address, title, quoted = title] =
      (asMarkdown.test(language) && whole && ofMarkdown.exec(text.slice(...whole))) || [];
    if (address === undefined || !whole) {
      return [];
    }
    const [from, end] = whole;
    const close = language === 'mdx' ? ' />' : '>';
    const own = sources.own === '' ? '' : ` ${attribute}="${encoded(sources.own, '"')}"`;
    const alt = encoded(words.alt ?? '', '"');
    const hover = quoted === undefined ? '' : ` title="${encoded(quoted, '"')}"`;
    const tag = `<img src="${encoded(address, '"')}"${own} alt="${alt}"${hover}${close}`;
    const { before, after } = around(text, [from, end], attribute, close, sources);
    return [{ start: from, end, text: before + tag + after }];
  });
  return edits.length === 0 ? undefined : edits;
}

/** Changes an element in place, whose other attributes stay as they are. */
function inElement(
  text: string,
  image: MarkupElement,
  attribute: string,
  sources: ImageSources,
): TextEdit[] | undefined {
  const { own, others } = sources;
  const end = behind(text, image);
  const source = image.attributes.get('src');
  const before = image.attributes.get('srcset');
  const isOfProgram = before
    ? isComputed(before.value)
    : /\ssrcset\s*[=}]/iu.test(text.slice(image.start, end));
  if (!source || isOfProgram) {
    return undefined;
  }
  const edits: TextEdit[] = [];
  if (own !== '') {
    const at = source.start + source.value.length;
    const [quotes = ''] = /^["'`]?\s*\}?["']?/u.exec(text.slice(at, at + 20)) ?? [];
    const behindSource = at + quotes.trimEnd().length;
    const edit = before
      ? attributeEdit(text, before, own)
      : { start: behindSource, end: behindSource, text: ` ${attribute}="${encoded(own, '"')}"` };
    if (!edit) {
      return undefined;
    }
    edits.push(edit);
  }
  if (others.length > 0) {
    if (isInPicture(text, image.start)) {
      // Its author chose the sources.
      return edits.length > 0 ? edits : undefined;
    }
    const close = /\/\s*>$/u.test(text.slice(image.start, end)) ? ' />' : '>';
    const put = around(text, [image.start, end], attribute, close, sources);
    edits.push({ start: image.start, end: image.start, text: put.before });
    edits.push({ start: end, end, text: put.after });
  }
  return edits;
}

function isInPicture(text: string, at: number): boolean {
  const above = text.slice(0, at).toLowerCase();
  return above.lastIndexOf('<picture') > above.lastIndexOf('</picture');
}

/** Returns what a `<picture>` has before its image and after it, on lines of their own if the image has one. */
function around(
  text: string,
  [start, end]: readonly [number, number],
  attribute: string,
  close: string,
  { others }: ImageSources,
): { before: string; after: string } {
  if (others.length === 0) {
    return { before: '', after: '' };
  }
  const lineStart = Math.max(text.lastIndexOf('\n', start - 1), text.lastIndexOf('\r', start - 1)) + 1;
  const indentation = text.slice(lineStart, start);
  const isAlone = indentation.trim() === '' && /^[ \t]*(?:\r|\n|$)/u.test(text.slice(end));
  const line = isAlone ? lineEndOf(text) + indentation : '';
  const inner = isAlone ? `${line}${indentation.includes('\t') ? '\t' : '  '}` : '';
  const tags = others.map(
    ({ type, srcset }) => `<source type="${type}" ${attribute}="${encoded(srcset, '"')}"${close}`,
  );
  return {
    before: ['<picture>', ...tags.map((tag) => inner + tag), inner].join(''),
    after: `${line}</picture>`,
  };
}
