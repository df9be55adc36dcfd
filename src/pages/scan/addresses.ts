import { encodePath } from '../../common/text.ts';
import { placeholderAt } from './placeholders.ts';
import type { FrontMatterNotation, Notation } from './reference.ts';

const imagePath = /\.(?:png|jpe?g|webp)$/iu;
/** A scheme, or a host. A single letter is a Windows drive, which no document means. */
const elsewhere = /^(?:[a-z][\w+.-]*:|\/\/)/iu;
/** Template expressions of all kinds, and wildcards. */
const computed = /[{}<>|*"`\\\n]|\$\(|%[^\da-f]|'\s*\+|\+\s*'/iu;

/**
 * Returns the decoded path of a local image file from an address, without its query; undefined for other addresses,
 * and for computed ones.
 */
export function pathOfAddress(address: string, notation: Notation): string | undefined {
  const [path = ''] = address.trim().split(/[?#]/u, 1);
  if (elsewhere.test(path) || computed.test(path) || !imagePath.test(path)) {
    return undefined;
  }
  if (notation !== 'url') {
    return notation === "yaml'" ? path.replaceAll("''", "'") : path;
  }
  try {
    const decoded = decodeURIComponent(path.replaceAll('&amp;', '&'));
    // Windows treats a backslash as a separator, and names contain no control characters.
    return /[\\\p{Cc}]/u.test(decoded) ? undefined : decoded;
  } catch {
    return undefined;
  }
}

/** Whether an address names an image that Limner may create: a local file, or a placeholder for one. */
export function namesImage(address: string, notation: Notation): boolean {
  return pathOfAddress(address, notation) !== undefined || placeholderAt(address) !== undefined;
}

/** Text that needs no quotes in YAML, not even in lists and braces, unless YAML reads it as something else. */
const plainYaml =
  /^(?:~(?=\/)|[\p{L}\p{N}./_])(?:[\p{L}\p{N}\p{M}./~_@()%+-]|:(?=\/\/)| (?=[\p{L}\p{N}(]))*$/u;
const notString = /^(?:[\d.][\d._:xobe+-]*|true|false|yes|no|on|off|null|y|n|\.(?:inf|nan))$/iu;

/** Writes a text with the quotes of a notation, or with others if these don't allow it. */
export function quotedFor(text: string, notation: FrontMatterNotation): string {
  switch (notation) {
    case 'yaml':
      return plainYaml.test(text) && !notString.test(text) ? text : JSON.stringify(text);
    case "yaml'":
      return `'${text.replaceAll("'", "''")}'`;
    case "toml'":
      return /['\p{Cc}]/u.test(text) ? JSON.stringify(text) : `'${text}'`;
    case 'yaml"':
      return JSON.stringify(text);
  }
}

/** Escapes a path as an address in a notation. */
export function addressOfPath(path: string, notation: Notation): string {
  switch (notation) {
    case 'url':
      return encodePath(path);
    case 'path':
      return path.replaceAll(/(["'\\])/gu, String.raw`\$1`);
    case 'yaml':
      return quotedFor(path, notation);
    case "toml'":
      // Between these quotes there are no escapes, but sites decode this one.
      return path.replaceAll("'", '%27');
    default:
      return quotedFor(path, notation).slice(1, -1);
  }
}
