import { posix } from 'node:path';
import { encodePath } from '../../common/text.ts';
import {
  componentLanguages,
  htmlLanguages,
  latexLanguages,
  markdownLanguages,
  styleLanguages,
} from '../window/documentLanguages.ts';

/** An image as a document names it. */
export interface ReferencedImage {
  /** From the document's folder to the image, or from the root of its host, with slashes. */
  path: string;
  alt: string;
  /** In pixels, where known. */
  width?: number;
  height?: number;
}

/** What is around the place of an image: on its line, and on the line above. */
export interface Surroundings {
  above: string;
  before: string;
  after: string;
}

const onLineOfItsOwn: Surroundings = { above: '', before: '', after: '' };

/** Returns the text that shows an image in a document of this language; elsewhere it is the path alone. */
export function imageReference(
  languageId: string,
  image: ReferencedImage,
  around: Surroundings = onLineOfItsOwn,
): string {
  const { alt } = image;
  const address = addressFor(languageId, image.path);
  if (markdownLanguages.has(languageId)) {
    return `![${escapeMarkdown(alt)}](${address})`;
  }
  if (htmlLanguages.has(languageId)) {
    return htmlReference(languageId, `"${address}"`, image);
  }
  if (latexLanguages.has(languageId)) {
    const words = alt === '' ? '' : `,alt={${escapeLatex(alt)}}`;
    return `\\includegraphics[width=\\linewidth${words}]{${address}}`;
  }
  if (languageId === 'asciidoc') {
    const isAlone = `${around.before}${around.after}`.trim() === '';
    return `image:${isAlone ? ':' : ''}${address}[${asciiDocAttributes(image)}]`;
  }
  if (languageId === 'restructuredtext') {
    return directive(address, alt, around);
  }
  return styleLanguages.has(languageId) ? `url("${address}")` : address;
}

/** Returns the path of an image, or its URI, as a document of this language has it. */
export function addressFor(languageId: string, path: string): string {
  if (/^[a-z][a-z\d+.-]+:/iu.test(path)) {
    return path;
  }
  if ([markdownLanguages, htmlLanguages, styleLanguages].some((languages) => languages.has(languageId))) {
    return encodePath(path);
  }
  return languageId === 'asciidoc' ? path.replaceAll(' ', '%20') : path;
}

/** A statement that a document needs for a reference in it. */
export interface NeededImport {
  /** Where it goes, in UTF-16 units, and what. Empty where it is there already. */
  at: number;
  text: string;
}

/** What a module begins with: comments, directives, and imports. */
const opening =
  /\s+|\/\/.*|\/\*[^]*?\*\/|(?:import\b(?:[^"'`;]*?\bfrom)?\s*)?(["'])[^"'\n]*\1(?:[ \t]*with[ \t]*\{[^}]*\})?[ \t]*;?/guy;
/** `import fox from './fox.png';` */
const imageImport =
  /^import\s+([\w$]+)\s+from\s+(["'])([^"'\n]+\.(?:png|jpe?g|webp|avif|gif|svg))\2[^;]*(;?)$/iu;

/**
 * Returns the element that shows an image by the name under which it is imported, where a component imports its images;
 * undefined where it does not.
 *
 * @param text of the document
 * @param image by its path as a module
 * @param taken statements that it is about to get, whose names are taken
 */
export function importedReference(
  languageId: string,
  text: string,
  image: ReferencedImage,
  taken = '',
): { text: string; address: string; needs: NeededImport } | undefined {
  const imports = componentLanguages.has(languageId)
    ? [...text.matchAll(opening)].flatMap(({ index, 0: statement }) => {
        const found = imageImport.exec(statement);
        return found ? [{ found, end: index + statement.length }] : [];
      })
    : [];
  const last = imports.at(-1);
  if (!last) {
    return undefined;
  }
  const from = image.path;
  const known = imports.find(({ found: [, , , path] }) => path === from)?.found[1];
  const name = known ?? unusedName(text + taken, from);
  const [, , quote = '"', , end = ''] = last.found;
  const statement = `\nimport ${name} from ${quote}${from}${quote}${end}`;
  return {
    text: htmlReference(languageId, `{${name}}`, image),
    address: from,
    needs: { at: last.end, text: known === undefined ? statement : '' },
  };
}

/** Returns a name for an image that a component does not use yet, from that of its file. */
function unusedName(text: string, path: string): string {
  const words = posix.parse(path).name.match(/[\p{L}\p{N}]+/gu) ?? [];
  const joined = words
    .map((word, index) => (index === 0 ? word.toLowerCase() : word.slice(0, 1).toUpperCase() + word.slice(1)))
    .join('');
  const name = /^\p{L}/u.test(joined) ? joined : `image${joined}`;
  const isUsed = (one: string): boolean => new RegExp(`(?<![\\w$])${one}(?![\\w$])`, 'u').test(text);
  for (let number = 1; ; number++) {
    // Any language has words that are no names: none of them ends so.
    const one = number === 1 ? `${name}Image` : `${name}Image${number}`;
    if (!isUsed(one)) {
      return one;
    }
  }
}

/**
 * Returns the relative path from a document to an image of the same host.
 *
 * @param document absolute path of the file, or of the folder when `isFolder`, with slashes
 */
export function relativeImagePath(document: string, image: string, isFolder = false): string {
  return posix.relative(isFolder ? document : posix.dirname(document), image);
}

/** @param source with what encloses it */
function htmlReference(languageId: string, source: string, { alt, width, height }: ReferencedImage): string {
  const size = width === undefined || height === undefined ? '' : ` width="${width}" height="${height}"`;
  const end = componentLanguages.has(languageId) ? ' />' : '>';
  return `<img src=${source} alt="${escapeHtml(alt)}"${size}${end}`;
}

/** Returns a directive of reStructuredText, which stands between blank lines, as far to the right as the line it is put in. */
function directive(address: string, alt: string, { above, before, after }: Surroundings): string {
  const isFirst = before.trim() === '';
  const [indentation = ''] = /^[ \t]*/u.exec(before) ?? [];
  const start = isFirst ? (above.trim() === '' ? '' : `\n${indentation}`) : `\n\n${indentation}`;
  const words = alt === '' ? '' : `${indentation}   :alt: ${alt}\n`;
  // What is further to the right would be a part of the directive: behind a backslash, a blank is none.
  const rest = after.trim() === '' ? '' : `\n${indentation}${/^\s/u.test(after) ? '\\' : ''}`;
  return `${start}.. image:: ${address}\n${words}${rest}`;
}

function asciiDocAttributes({ alt, width, height }: ReferencedImage): string {
  const quoted = `"${alt.replaceAll('"', String.raw`\"`).replaceAll(']', String.raw`\]`)}"`;
  return [quoted, ...(width === undefined || height === undefined ? [] : [width, height])].join(',');
}

function escapeLatex(text: string): string {
  return text.replaceAll(/[\\{}]/gu, '').replaceAll(/[#$%&_]/gu, String.raw`\$&`);
}

/** With the braces in which MDX computes. */
function escapeMarkdown(text: string): string {
  return text.replaceAll(/[\\`*_[\]<>!&{}]/g, String.raw`\$&`);
}

/** Templates of many kinds compute what is in braces, and some what follows an `@`. */
function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll(/[{}@]/gu, (sign) => `&#${sign.charCodeAt(0)};`);
}
