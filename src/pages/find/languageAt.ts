import { languageBy } from './languages.ts';
import { withoutFrontMatter } from '../scan/scanFrontMatter.ts';
import { htmlBlockAt } from '../scan/markdownCode.ts';
import { isPassedThrough } from '../scan/scanAsciiDoc.ts';

/** Comments, and elements whose content is in another language. */
const embedded =
  /<!--[^]*?(?:-->|(?![^]))|<(style|script)((?:\s(?:"[^"]*"|'[^']*'|[^<>"'])*)?)>([^]*?)(?:<\/\1\s*>|(?![^]))/dgiu;
const frontMatter = /(?<![^])\s*---[ \t]*\r?\n([^]*?)^---[ \t]*$/dmu;
/** Types of scripts that aren't programs. */
const template = /\btype\s*=\s*["'][^"']*(?:html|template)/iu;
const named = /\blang\s*=\s*["']?(scss|sass|less|stylus|postcss|tsx|jsx)/iu;
const languages: ReadonlyMap<string, string> = new Map([
  ['tsx', 'typescriptreact'],
  ['jsx', 'javascriptreact'],
]);

/** The language in which an image is written at a position, VS Code's id, and text that has to precede it. */
export interface PlaceLanguage {
  language: string;
  lead: string;
}

/**
 * Returns the language at a position of a document: pages and components differ in their styles and scripts, Markdown in
 * its blocks of HTML, and AsciiDoc in its passages.
 *
 * @param languageId VS Code's
 */
export function languageAt(languageId: string, text: string, offset: number): PlaceLanguage {
  const place = languageId === 'markdown' ? htmlBlockAt(withoutFrontMatter(text), offset) : undefined;
  // Without another blank line, the block would go on.
  const lead = place === 'behind' ? '\n' : '';
  const isHtml = place === 'in' || (languageId === 'asciidoc' && isPassedThrough(text, offset));
  return { language: languageIn(isHtml ? 'html' : languageId, text, offset), lead };
}

function languageIn(languageId: string, text: string, offset: number): string {
  const { writing } = languageBy(languageId) ?? {};
  if (writing !== 'html' && writing !== 'jsx') {
    return languageId;
  }
  const [, code] = (languageId === 'astro' ? frontMatter.exec(text)?.indices : undefined) ?? [];
  if (code && isWithin(offset, code)) {
    return 'typescript';
  }
  for (const { 1: element, 2: attributes = '', indices } of text.matchAll(embedded)) {
    const content = indices?.[3];
    if (content && isWithin(offset, content)) {
      const isStyle = element?.toLowerCase() === 'style';
      const [, name = isStyle ? 'css' : 'typescript'] = named.exec(attributes) ?? [];
      return template.test(attributes) ? languageId : (languages.get(name) ?? name);
    }
  }
  return languageId;
}

function isWithin(offset: number, [start, end]: readonly [number, number]): boolean {
  return start <= offset && offset <= end;
}
