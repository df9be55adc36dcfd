import { htmlLanguages } from '../window/documentLanguages.ts';

/** Comments, and elements whose content is in another language. */
const embedded =
  /<!--[^]*?(?:-->|(?![^]))|<(style|script)((?:\s(?:"[^"]*"|'[^']*'|[^<>"'])*)?)>([^]*?)(?:<\/\1\s*>|(?![^]))/dgiu;
const frontMatter = /(?<![^])\s*---[ \t]*\r?\n([^]*?)^---[ \t]*$/dmu;
/** What a script holds that is no program. */
const template = /\btype\s*=\s*["'][^"']*(?:html|template)/iu;
const named = /\blang\s*=\s*["']?(scss|sass|less|stylus|postcss|tsx|jsx)/iu;
const languages: ReadonlyMap<string, string> = new Map([
  ['tsx', 'typescriptreact'],
  ['jsx', 'javascriptreact'],
]);

/**
 * Returns the language in which a document of HTML, or of what is like it, is written at a place: in its styles and
 * scripts another one than around them. Both are VS Code's ids.
 */
export function languageAt(languageId: string, text: string, offset: number): string {
  if (!htmlLanguages.has(languageId)) {
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
