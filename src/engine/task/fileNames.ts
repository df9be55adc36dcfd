import { truncate } from '../../common/text.ts';
import type { Encoding } from '../../images/formats/finish.ts';

type Format = Encoding['format'];

export interface FileNameValues {
  prompt: string;
  model: string;
  /** Written as local date `2026-01-31` and time `14-05-09`. */
  at: Date;
  /** Number of the image in its task, from 1. */
  index: number;
  /** Name of the edited file without its extension, if any. */
  name?: string;
  id: string;
}

/** Longest name in UTF-8 bytes: leaves room for a number, an extension, and a temporary name within 255. */
const maxNameLength = 120;
/** Most characters of a prompt in a name, which stays readable in lists. */
const maxPromptLength = 40;
/** Used if a template yields no valid name. */
const fallbackName = 'image';

/** Distinguishes the image on white from the one that is made from it, however long their name is. */
export const onWhiteEnding = '-on-white';

/** Names that Windows reserves for devices, with any extension. */
const reservedName = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)(?= *(?:\.|$))/iu;
/** An extension at the end of a template chooses the format and is not part of the name. */
const imageExtension = /\.(png|jpe?g|webp)$/iu;
const formats: Readonly<Record<string, Format>> = { png: 'png', jpg: 'jpeg', jpeg: 'jpeg', webp: 'webp' };
const otherExtension = /\.(?:avif|bmp|gif|heic|heif|ico|jxl|svg|tiff?)$/iu;
const placeholder = /\{(prompt|date|time|model|index|name|id)\}/gu;
/** Separators, and characters that Windows forbids in names. */
const forbidden = /[<>:"/\\|?*]+/gu;
/** Controls, bidirectional and zero-width marks, half surrogates, line separators. */
const invisible = /[\p{C}\p{Zl}\p{Zp}]+/gu;

/**
 * Makes a file name, without an extension, from a template such as `{prompt}-{index}`. The extension follows in
 * `src/engine/run/publishResults.ts`, the `-2` of a name that is taken in `src/engine/files/publishOnDisk.ts`; the
 * template `{name}-edited` comes from `src/vscode/generate/saveTarget.ts`.
 *
 * The name holds no path separator, control or bidirectional mark, isn't a device name of Windows, begins and ends with
 * neither dot nor space and has at most 120 UTF-8 bytes; a longer name loses words of the prompt first, so that
 * `{index}` and `{id}` stay, and `-on-white` always stays. A long prompt is cut to its first words.
 *
 * @param template text with the placeholders `{prompt} {date} {time} {model} {index} {name} {id}`; an extension of
 *   images at its end is left out
 */
export function renderFileName(template: string, values: FileNameValues): string {
  return renderStem(withoutExtension(template), values);
}

/** Whether a file can get exactly this name. */
export function isFixedName(name: string): boolean {
  const values = { prompt: '', model: '', at: new Date(0), index: 1, id: '' };
  return !name.includes('{') && renderFileName(name, values) === withoutExtension(name);
}

/** Returns the format that a template chooses, and the extension as written there; undefined if the service decides. */
export function askedFormat(template: string): { format: Format; extension: string } | undefined {
  const [extension, name = ''] = imageExtension.exec(template.trim()) ?? [];
  const format = formats[name.toLowerCase()];
  return extension === undefined || format === undefined ? undefined : { format, extension };
}

/** Returns a template without an image extension at its end. */
export function withoutExtension(template: string): string {
  return template.trim().replace(imageExtension, '');
}

/** Returns the extension of a template if it is that of an image format that Limner can't write. */
export function foreignExtension(template: string): string | undefined {
  return otherExtension.exec(template.trim())?.[0];
}

/** Whether Windows reserves a name for a device, as a file or as a folder. */
export function isReservedName(name: string): boolean {
  return reservedName.test(name);
}

/**
 * Returns the part of a path that is no valid name on Windows, or that its programs can't open or delete; undefined if
 * there is none.
 *
 * @param path in Windows notation; a drive, `.`, and `..` are not checked
 */
export function nameWindowsLacks(path: string): string | undefined {
  return path
    .replace(/^\\\\[?.]\\|^\/\/[?.]\//u, '')
    .replace(/^[a-z]:/iu, '')
    .split(/[/\\]/u)
    .find((name) => /[<>:"|?*\p{Cc}]|[^. ][. ]+$|^(?:\.{3,}|.* )$/u.test(name) || isReservedName(name));
}

/** Makes a name without an extension valid on every file system. @param maxLength in UTF-8 bytes */
export function portableName(name: string, maxLength: number): string {
  return safeName(clean(name), maxLength);
}

function renderStem(template: string, values: FileNameValues): string {
  const ending = template.endsWith(onWhiteEnding) ? onWhiteEnding : '';
  const start = template.slice(0, template.length - ending.length);
  const maxLength = maxNameLength - ending.length;
  const prompt = firstWords(slug(values.prompt));
  const excess = byteLength(fillIn(start, values, prompt)) - maxLength;
  const name = fillIn(start, values, truncate(prompt, byteLength(prompt) - excess, byteLength));
  return safeName(name, maxLength) + ending;
}

/** Returns the words of a text in lower case, joined by hyphens; letters and digits of every script are kept. */
export function slug(text: string): string {
  return text
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/['’]/gu, '')
    .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, '-')
    .replaceAll(/^-+|-+$/gu, '');
}

/** Shortens a slug, if possible at the end of a word. */
function firstWords(words: string): string {
  const start = truncate(words, maxPromptLength);
  const end = words === start || words[start.length] === '-' ? start.length : start.lastIndexOf('-');
  return end > 0 ? start.slice(0, end) : start;
}

function fillIn(template: string, { at, index, name, ...values }: FileNameValues, prompt: string): string {
  const texts: Record<string, string> = {
    ...values,
    prompt,
    date: isoDate(at),
    time: isoTime(at),
    index: String(index),
    name: name ?? prompt,
  };
  return clean(template.replaceAll(placeholder, (_, key: string) => texts[key] ?? ''));
}

function clean(name: string): string {
  return name.normalize('NFC').replaceAll(invisible, '').replaceAll(forbidden, '-').replaceAll(/\s+/gu, ' ');
}

function safeName(name: string, maxLength = maxNameLength): string {
  const trimmed = trim(truncate(trim(name), maxLength, byteLength));
  if (trimmed === '') {
    return fallbackName;
  }
  return reservedName.test(trimmed) ? `_${trimmed}` : trimmed;
}

/** Removes characters that must not begin or end a name, and hyphens left by empty placeholders. */
function trim(name: string): string {
  return name.replaceAll(/^[\s.-]+|[\s.-]+$/gu, '');
}

function byteLength(text: string): number {
  return Buffer.byteLength(text, 'utf8');
}

function isoDate(at: Date): string {
  return `${at.getFullYear()}-${twoDigits(at.getMonth() + 1)}-${twoDigits(at.getDate())}`;
}

function isoTime(at: Date): string {
  return `${twoDigits(at.getHours())}-${twoDigits(at.getMinutes())}-${twoDigits(at.getSeconds())}`;
}

function twoDigits(number: number): string {
  return String(number).padStart(2, '0');
}
