import { posix } from 'node:path';
import { htmlLanguages, markdownLanguages, styleLanguages } from '../window/documentLanguages.ts';

/** An image as a document names it. */
export interface ReferencedImage {
  /** From the document's folder to the image, or from the root of its host, with slashes. */
  path: string;
  alt: string;
  /** In pixels, where known. */
  width?: number;
  height?: number;
}

/** Returns the text that shows an image in a document of this language; elsewhere it is the path alone. */
export function imageReference(languageId: string, image: ReferencedImage): string {
  if (markdownLanguages.has(languageId)) {
    return `![${escapeMarkdown(image.alt)}](${encodePath(image.path)})`;
  }
  if (htmlLanguages.has(languageId)) {
    return htmlReference(languageId, image);
  }
  return styleLanguages.has(languageId) ? `url("${encodePath(image.path)}")` : image.path;
}

/**
 * Returns the relative path from a document to an image of the same host.
 *
 * @param document absolute path of the file, or of the folder when `isFolder`, with slashes
 */
export function relativeImagePath(document: string, image: string, isFolder = false): string {
  return posix.relative(isFolder ? document : posix.dirname(document), image);
}

function htmlReference(languageId: string, { path, alt, width, height }: ReferencedImage): string {
  const size = width === undefined || height === undefined ? '' : ` width="${width}" height="${height}"`;
  const end = languageId.endsWith('react') ? ' />' : '>';
  return `<img src="${encodePath(path)}" alt="${escapeHtml(alt)}"${size}${end}`;
}

function encodePath(path: string): string {
  return path
    .split('/')
    .map((segment) =>
      encodeURIComponent(segment).replaceAll(/[()']/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`),
    )
    .join('/');
}

function escapeMarkdown(text: string): string {
  return text.replaceAll(/[\\`*_[\]<>!&]/g, String.raw`\$&`);
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
