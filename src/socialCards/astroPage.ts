import { masked } from '../references/scan/masked.ts';
import { markupElements, type MarkupElement } from '../references/scan/markupElements.ts';
import { encodePath } from '../common/text.ts';
import {
  addressOf,
  type CardImage,
  isFoundAs,
  type PageChange,
  type PageWords,
  wholeAddress,
} from './cardImage.ts';
import { isAltOf, isImageKey } from './keys.ts';
import { decoded, encoded } from './markupText.ts';
import { plainMarkup, readMetaTags, writeMetaTags } from './metaTags.ts';

/** The program at the beginning of a component. */
const program = /(?<![^])\uFEFF?\s*---[ \t]*\r?\n[^]*?^---[ \t]*$/gmu;
const componentName = /^[A-Z]/u;

/** Reads what a component that is a page says: in its head, in its program, and to its layout. */
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
 * Returns what makes a component name the image of its card: in its head, or as it tells it its layout already. What a
 * layout understands otherwise, only its author knows.
 */
export function writeAstro(text: string, image: CardImage): PageChange | undefined {
  const markup = withoutProgram(text);
  if (/<head\b/iu.test(markup)) {
    return writeMetaTags(markup, image);
  }
  for (const { attributes } of componentsIn(markup)) {
    const [name, told] = [...attributes].find(([key]) => isImageKey(key)) ?? [];
    if (name !== undefined && told) {
      const address = addressOf(image, decoded(told.value));
      const alternative = [...attributes].find(([key]) => isAltOf(key, name))?.[1];
      const put = ({ start, value }: { start: number; value: string }, content: string) => ({
        start,
        end: start + value.length,
        text: encoded(content, markup[start - 1] === "'" ? "'" : '"'),
      });
      return {
        edits: [
          put(told, wholeAddress(address) ? address : encodePath(address)),
          ...(alternative ? [put(alternative, image.alt)] : []),
        ].filter((edit) => text.slice(edit.start, edit.end) !== edit.text),
        isWhole: isFoundAs(image, decoded(told.value)),
      };
    }
  }
  return undefined;
}

/** Returns a component with its program blank: everything else is where it was. */
function withoutProgram(text: string): string {
  return masked(text, program);
}

function constantOf(script: string, name: string): string {
  const [, double, single] =
    new RegExp(String.raw`\bconst\s+${name}\s*=\s*(?:"([^"\\\n]*)"|'([^'\\\n]*)')`, 'u').exec(script) ?? [];
  return double ?? single ?? '';
}

/** Returns what the first component is told that is told this. */
function attributeOf(markup: string, name: string): string {
  for (const { attributes } of componentsIn(markup)) {
    const value = attributes.get(name)?.value;
    if (value !== undefined) {
      return decoded(value);
    }
  }
  return '';
}

function componentsIn(markup: string): MarkupElement[] {
  return [...markupElements(plainMarkup(markup))].filter(({ name }) => componentName.test(name));
}
