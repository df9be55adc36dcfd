import { masked } from '../scan/masked.ts';
import { markupElements, type MarkupElement } from '../scan/markupElements.ts';
import { encodePath } from '../../common/text.ts';
import { attributeEdit, meantBy } from './markupText.ts';
import {
  addressOf,
  type CardImage,
  isFoundAs,
  type PageChange,
  type PageWords,
  wholeAddress,
} from './cardImage.ts';
import { isAltOf, isImageKey } from './keys.ts';
import { plainMarkup, readMetaTags, writeMetaTags } from './metaTags.ts';

/** The script at the beginning of a component. */
const program = /(?<![^])\uFEFF?\s*---[ \t]*\r?\n[^]*?^---[ \t]*$/gmu;
const componentName = /^[A-Z]/u;
/** Elements that may accompany the component with the whole page. */
const besideLayout = /^(?:style|script)$/iu;
const besideTags = /<(?:style|script)\b[^<>]*>\s*<\/(?:style|script)\s*>|<!doctype[^<>]*>/giu;

/** Reads the texts of a page component: from its head, its script, and the attributes of its layout. */
export function readAstro(text: string): PageWords {
  const [script = ''] = text.match(program) ?? [];
  const markup = withoutProgram(text);
  const { title, description, siteName } = readMetaTags(markup);
  const said = (name: string): string => constantOf(script, name) || attributeOf(markup, name);
  return {
    title: title || said('title'),
    description: description || said('description'),
    siteName,
  };
}

/**
 * Returns the edits that make a component name the image of its card, in its head or in an existing attribute of its
 * layout. Other attributes of a layout are known only to its author.
 */
export function writeAstro(text: string, image: CardImage): PageChange | undefined {
  const markup = withoutProgram(text);
  if (/<head\b/iu.test(markup)) {
    return writeMetaTags(markup, image);
  }
  const { attributes } = layoutOf(markup) ?? {};
  const [name, told] = [...(attributes ?? [])].find(([key]) => isImageKey(key)) ?? [];
  if (!attributes || name === undefined || !told) {
    return undefined;
  }
  const before = meantBy(markup, told);
  const address = addressOf(image, before);
  const edit = attributeEdit(markup, told, wholeAddress(address) ? address : encodePath(address));
  const alternative = [...attributes].find(([key]) => isAltOf(key, name))?.[1];
  const edits = [edit, alternative && attributeEdit(markup, alternative, image.alt)];
  return (
    edit && {
      edits: edits
        .filter((one) => one !== undefined)
        .filter(({ start, end, text: put }) => text.slice(start, end) !== put),
      isWhole: isFoundAs(image, before),
    }
  );
}

/** Returns the component that contains the whole page; undefined if there is none. */
function layoutOf(markup: string): MarkupElement | undefined {
  const plain = plainMarkup(markup);
  const elements = [...markupElements(plain)].filter(({ name }) => !besideLayout.test(name));
  const [layout, ...others] = elements;
  if (
    !layout ||
    !componentName.test(layout.name) ||
    /[^\s]/u.test(plain.slice(0, layout.start).replaceAll(besideTags, ''))
  ) {
    return undefined;
  }
  const isSame = ({ name }: MarkupElement): boolean => name === layout.name;
  const isOpen = ({ end }: MarkupElement): boolean => !/^\s*\/>/u.test(plain.slice(end));
  const closings = [...plain.matchAll(/<\/([\w.:-]+)\s*>/gu)].filter(([, name]) => name === layout.name);
  let behind = layout.end;
  if (isOpen(layout)) {
    behind = closings.at(-1)?.index ?? behind;
    // If it is closed earlier, the last closing tag belongs to another component of the same name.
    const opened = elements.filter((one) => isSame(one) && isOpen(one));
    const isClosed = closings.slice(0, -1).some(({ index }, before) => {
      const next = opened[before + 1];
      return next === undefined || next.start > index;
    });
    if (isClosed) {
      return undefined;
    }
  }
  return others.some(({ start }) => start > behind) ? undefined : layout;
}

/** Blanks the script of a component and keeps all positions. */
export function withoutProgram(text: string): string {
  return masked(text, program);
}

function constantOf(script: string, name: string): string {
  const [, double, single] =
    new RegExp(String.raw`\bconst\s+${name}\s*=\s*(?:"([^"\\\n]*)"|'([^'\\\n]*)')`, 'u').exec(script) ?? [];
  return double ?? single ?? '';
}

function attributeOf(markup: string, name: string): string {
  for (const { attributes } of componentsIn(markup)) {
    const value = attributes.get(name);
    if (value) {
      return meantBy(markup, value);
    }
  }
  return '';
}

function componentsIn(markup: string): MarkupElement[] {
  return [...markupElements(plainMarkup(markup))].filter(({ name }) => componentName.test(name));
}
