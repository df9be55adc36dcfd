import { posix } from 'node:path';
import { wayBetween } from '../../common/disk/fileUris.ts';
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
    return element(`src="${address}"`, image, componentLanguages.has(languageId));
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

/**
 * Returns the relative path from a document to an image of the same host.
 *
 * @param document absolute path of the file, or of the folder when `isFolder`, with slashes
 */
export function relativeImagePath(document: string, image: string, isFolder = false): string {
  return wayBetween(isFolder ? document : posix.dirname(document), image);
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

/**
 * Returns the element that shows an image.
 *
 * @param source the attribute that names it
 * @param isClosed whether the element says that it has no content
 */
export function element(
  source: string,
  { alt, width, height }: ReferencedImage,
  isClosed: boolean,
  name = 'img',
): string {
  const size = width === undefined || height === undefined ? '' : ` width="${width}" height="${height}"`;
  return `<${name} ${source} alt="${escapeHtml(alt)}"${size}${isClosed ? ' />' : '>'}`;
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
