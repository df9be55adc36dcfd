import { encodePath } from '../common/text.ts';
import { placeholderAt } from './placeholders.ts';
import type { Notation } from './reference.ts';

/** Formats that Limner writes. */
const imagePath = /\.(?:png|jpe?g|webp)$/iu;
/** A scheme, or a host. A single letter is a drive of Windows, which no document means. */
const elsewhere = /^(?:[a-z][\w+.-]*:|\/\/)/iu;
/** What templates of all kinds put together when they are rendered, and wildcards. */
const computed = /[{}<>|*"`\\\n]|\$\(|%[^\da-f]|'\s*\+|\+\s*'/iu;

/**
 * Returns the path of a local image file that an address names, without its query and decoded; undefined for anything
 * else, and for what only a program can tell.
 */
export function pathOfAddress(address: string, notation: Notation): string | undefined {
  const [path = ''] = address.trim().split(/[?#]/u, 1);
  if (elsewhere.test(path) || computed.test(path) || !imagePath.test(path)) {
    return undefined;
  }
  if (notation !== 'url') {
    return path;
  }
  try {
    const decoded = decodeURIComponent(path.replaceAll('&amp;', '&'));
    // Windows takes the one for a separator; no name holds the others.
    return /[\\\p{Cc}]/u.test(decoded) ? undefined : decoded;
  } catch {
    return undefined;
  }
}

/** Whether an address names an image that Limner may make: a local file, or a placeholder for one. */
export function namesImage(address: string, notation: Notation): boolean {
  return pathOfAddress(address, notation) !== undefined || placeholderAt(address) !== undefined;
}

/** What YAML takes for nothing but words, in a list and in braces too. */
const plainYaml = /^[\p{L}\p{N}./~_](?:[\p{L}\p{N}\p{M}./~_@()+-]| (?=[\p{L}\p{N}(]))*$/u;

/** Writes a path as an address, so that it ends where it should in any document of its notation. */
export function addressOfPath(path: string, notation: Notation): string {
  switch (notation) {
    case 'url':
      return encodePath(path);
    case "yaml'":
      return path.replaceAll("'", "''");
    case 'yaml':
      return plainYaml.test(path) ? path : JSON.stringify(path);
    case 'yaml"':
      return JSON.stringify(path).slice(1, -1);
    case 'path':
      return path.replaceAll(/(["'\\])/gu, String.raw`\$1`);
  }
}
