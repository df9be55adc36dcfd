import { posix } from 'node:path';
import { wayBetween } from '../../common/fileUris.ts';
import { encodePath } from '../../common/text.ts';
import { languageBy, type Writing } from '../../pages/find/languages.ts';

/** Image as a document names it. */
export interface ReferencedImage {
  /** Path from the document's folder, or from the root of its host, with slashes. */
  path: string;
  alt: string;
  /** In pixels, if known. */
  width?: number;
  height?: number;
}

/** Text around an image's place: on its line, and on the line above. */
export interface Surroundings {
  above: string;
  before: string;
  after: string;
}

const onLineOfItsOwn: Surroundings = { above: '', before: '', after: '' };

interface Writer {
  /** Returns the address of a path. */
  address: (path: string) => string;
  text: (address: string, image: ReferencedImage, around: Surroundings) => string;
}

const asIs = (path: string): string => path;

const writers: Readonly<Record<Writing, Writer>> = {
  markdown: {
    address: encodePath,
    text: (address, { alt }) => `![${escapeMarkdown(alt)}](${address})`,
  },
  html: {
    address: encodePath,
    text: (address, image) => element(`src="${address}"`, image, false),
  },
  jsx: {
    address: encodePath,
    text: (address, image) => element(`src="${address}"`, image, true),
  },
  css: { address: encodePath, text: (address) => `url("${address}")` },
  latex: {
    address: asIs,
    text: (address, { alt }) => {
      const words = alt === '' ? '' : `,alt={${escapeLatex(alt)}}`;
      return `\\includegraphics[width=\\linewidth${words}]{${address}}`;
    },
  },
  asciidoc: {
    address: (path) => path.replaceAll(' ', '%20'),
    text: (address, image, { before, after }) =>
      `${before}${after}`.trim() === ''
        ? `image::${address}[${asciiDocAttributes(image)}]`
        : `image:${address}[${asciiDocAttributes(image).replaceAll(']', String.raw`\]`)}]`,
  },
  restructuredtext: {
    address: asIs,
    text: (address, { alt }, around) => directive(address, alt, around),
  },
};

function writerOf(languageId: string): Writer {
  const writing = languageBy(languageId)?.writing;
  return writing === undefined ? { address: asIs, text: asIs } : writers[writing];
}

/** Returns the text that shows an image in a language, or only its path in an unsupported language. */
export function imageReference(
  languageId: string,
  image: ReferencedImage,
  around: Surroundings = onLineOfItsOwn,
): string {
  return writerOf(languageId).text(addressFor(languageId, image.path), image, around);
}

/** Formats an image's path or URI for a language. */
export function addressFor(languageId: string, path: string): string {
  return /^[a-z][a-z\d+.-]+:/iu.test(path) ? path : writerOf(languageId).address(path);
}

/**
 *
 * @param document absolute path of the file, or of the folder when `isFolder`, with slashes
 */
export function relativeImagePath(document: string, image: string, isFolder = false): string {
  return wayBetween(isFolder ? document : posix.dirname(document), image);
}

/** Returns a directive of reStructuredText, between blank lines and with the indentation of its line. */
function directive(address: string, alt: string, { above, before, after }: Surroundings): string {
  const isFirst = before.trim() === '';
  const [indentation = ''] = /^[ \t]*/u.exec(before) ?? [];
  const start = isFirst ? (above.trim() === '' ? '' : `\n${indentation}`) : `\n\n${indentation}`;
  const words = alt === '' ? '' : `${indentation}   :alt: ${alt}\n`;
  // Further indentation would become part of the directive. A backslash makes a blank insignificant.
  const rest = after.trim() === '' ? '' : `\n${indentation}${/^\s/u.test(after) ? '\\' : ''}`;
  return `${start}.. image:: ${address}\n${words}${rest}`;
}

/** Returns the attributes of an image. In a block of its own, they end at the end of its line, not at a bracket. */
function asciiDocAttributes({ alt, width, height }: ReferencedImage): string {
  const quoted = `"${alt.replaceAll('"', String.raw`\"`)}"`;
  return [quoted, ...(width === undefined || height === undefined ? [] : [width, height])].join(',');
}

/**
 * Returns the HTML element of an image.
 *
 * @param source attribute that names the image
 * @param isClosed whether the element is self-closing
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

/** Also escapes braces, which MDX evaluates. */
function escapeMarkdown(text: string): string {
  return text.replaceAll(/[\\`*_[\]<>!&{}]/g, String.raw`\$&`);
}

/** Also escapes braces, which many templates evaluate, and `@`, which some do. */
function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll(/[{}@]/gu, (sign) => `&#${sign.charCodeAt(0)};`);
}
