import { jpegSegments, pngChunks, webpChunks, RangeReader, type Chunk } from './containers.ts';
import { sniffImage } from './sniff.ts';
import { promisify } from 'node:util';
import { inflate } from 'node:zlib';

/** Whether a file carries Content Credentials (C2PA), which are valid only while no byte of it changes. */
export async function hasCredentials(bytes: Uint8Array): Promise<boolean> {
  return (await findCredentials(bytes)) !== undefined;
}

/** Length of the head that repeats in each further segment of a store: its marks, and those of its box. */
const repeatedHead = 16;

/** Returns the stores of a file's Content Credentials. */
async function findCredentials(bytes: Uint8Array): Promise<Buffer | undefined> {
  const reader = new RangeReader(bytes);
  switch (sniffImage(bytes)?.extension) {
    case 'png':
      for await (const { type, start, length } of pngChunks(reader)) {
        if (type === 'caBX') {
          return reader.read(start, length);
        }
      }
      return undefined;
    case 'webp':
      for await (const { type, start, length } of webpChunks(reader)) {
        if (type === 'C2PA') {
          return reader.read(start, length);
        }
      }
      return undefined;
    case 'jpg': {
      const parts: Buffer[] = [];
      for await (const { type, start, length } of jpegSegments(reader)) {
        if (type === 'SOS') {
          break;
        }
        const data = type === 'APP11' ? await reader.read(start, length) : undefined;
        // The boxes of JPEG Trust and of others are in such segments, too; the store of credentials names itself.
        if (data && (parts.length > 0 || data.includes('c2pa'))) {
          parts.push(parts.length > 0 ? data.subarray(repeatedHead) : data);
        }
      }
      return parts.length > 0 ? Buffer.concat(parts) : undefined;
    }
    case undefined:
      return undefined;
  }
}

/**
 * Says who made a file's Content Credentials, as they say themselves: nothing is verified.
 *
 * @returns undefined without credentials, and an empty text where they name nobody
 */
export async function credentialsBy(bytes: Uint8Array): Promise<string | undefined> {
  const store = await findCredentials(bytes);
  if (!store) {
    return undefined;
  }
  // A claim names its generator as a text in CBOR, the newer ones as the `name` of a map.
  const info = store.lastIndexOf('claim_generator_info');
  const name = info < 0 ? undefined : cborTextAfter(store, store.indexOf('name', info), 'name');
  const at = store.lastIndexOf('claim_generator', info < 0 ? undefined : info - 1);
  return visible(name ?? cborTextAfter(store, at, 'claim_generator') ?? '');
}

/** Reads a short text in CBOR that follows a key. */
function cborTextAfter(data: Buffer, at: number, key: string): string | undefined {
  const [head = 0, length = 0] = at < 0 ? [] : data.subarray(at + key.length);
  const start = at + key.length + (head === 0x78 ? 2 : 1);
  const size = head === 0x78 ? length : head - 0x60;
  return head === 0x78 || (head > 0x60 && head < 0x78)
    ? data.toString('utf8', start, start + size)
    : undefined;
}

/** The keyword before the XMP in a text chunk of a PNG file. */
export const pngXmpMark = Buffer.from('XML:com.adobe.xmp\0', 'latin1');
/** The marker before the XMP in an APP1 segment of a JPEG file. */
export const jpegXmpMark = Buffer.from('http://ns.adobe.com/xap/1.0/\0', 'latin1');

/** Maximum length of XMP to read, in bytes. */
const maxLength = 256 * 1024;

/** XMP as written in a file. */
interface WrittenXmp {
  /** Type of its chunk or segment. */
  type: string;
  data: Buffer;
}

export async function hasXmp(bytes: Uint8Array): Promise<boolean> {
  return (await findXmp(bytes)) !== undefined;
}

/** Reads the XMP of a PNG, JPEG or WebP file; undefined if there is none, or it is unreadable. */
export async function readXmp(bytes: Uint8Array): Promise<string | undefined> {
  const { type, data } = (await findXmp(bytes)) ?? {};
  if (!data || data.length > maxLength) {
    return undefined;
  }
  return textIn(type, data, 'utf8');
}

/**
 * Decodes a text from a chunk or segment, without the keyword in front of it.
 *
 * @param plain the encoding of chunks that have none of their own
 * @param most the longest text that is inflated, in bytes
 */
export async function textIn(
  type: string | undefined,
  data: Buffer,
  plain: 'utf8' | 'latin1',
  most = maxLength,
): Promise<string | undefined> {
  switch (type) {
    case 'iTXt': {
      // Skip the compression flag and method, a language, and the keyword in that language.
      const text = data.subarray(data.indexOf(0, data.indexOf(0, 2) + 1) + 1);
      return data[0] === 0 ? text.toString('utf8') : inflated(text, most);
    }
    case 'zTXt':
      return inflated(data.subarray(1), most);
    default:
      return data.toString(plain);
  }
}

async function findXmp(bytes: Uint8Array): Promise<WrittenXmp | undefined> {
  const reader = new RangeReader(bytes);
  const written = async (mark: Buffer, { type, start, length }: Chunk): Promise<WrittenXmp | undefined> => {
    const data = await reader.read(start, length);
    return data.subarray(0, mark.length).equals(mark)
      ? { type, data: data.subarray(mark.length) }
      : undefined;
  };
  switch (sniffImage(bytes)?.extension) {
    case 'png':
      for await (const chunk of pngChunks(reader)) {
        // Some programs write it into the chunks of Latin-1 texts.
        const found = /[itz][TE]Xt/u.test(chunk.type) ? await written(pngXmpMark, chunk) : undefined;
        if (found) {
          return found;
        }
      }
      return undefined;
    case 'jpg':
      for await (const segment of jpegSegments(reader)) {
        const found = segment.type === 'APP1' ? await written(jpegXmpMark, segment) : undefined;
        if (found || segment.type === 'SOS') {
          return found;
        }
      }
      return undefined;
    case 'webp':
      for await (const chunk of webpChunks(reader)) {
        if (chunk.type === 'XMP ') {
          return written(Buffer.alloc(0), chunk);
        }
      }
      return undefined;
    case undefined:
      return undefined;
  }
}

async function inflated(data: Buffer, most: number): Promise<string | undefined> {
  const text = await promisify(inflate)(data, { maxOutputLength: most }).catch(() => undefined);
  return text?.toString('utf8');
}

const sources = ['trainedAlgorithmicMedia', 'compositeWithTrainedAlgorithmicMedia'] as const;

export interface Provenance {
  prompt: string;
  model?: string;
  /** In Unix milliseconds. */
  at?: number;
  /** A term of the IPTC's digital source types. */
  source?: (typeof sources)[number];
}

/**
 * Reads an image's provenance from a PNG, JPEG or WebP file, in terms of the IPTC Photo Metadata Standard 2025.1,
 * whichever program wrote it.
 *
 * @returns undefined for a file without a prompt
 */
export async function readProvenance(bytes: Uint8Array): Promise<Provenance | undefined> {
  const xmp = await readXmp(bytes);
  const told = (name: string): string | undefined => (xmp === undefined ? undefined : valueOf(xmp, name));
  const prompt = told('Iptc4xmpExt:AIPromptInformation');
  if (prompt === undefined) {
    return undefined;
  }
  const model = told('Iptc4xmpExt:AISystemUsed');
  const at = Date.parse(told('xmp:CreateDate') ?? '');
  const type = told('Iptc4xmpExt:DigitalSourceType');
  const source = sources.find((term) => type?.endsWith(`/${term}`));
  return {
    prompt,
    ...(model !== undefined && { model }),
    ...(!Number.isNaN(at) && { at }),
    ...(source && { source }),
  };
}

/** Invisible characters: controls, and bidirectional marks that reorder text. */
const unseen = /[^\P{Cc}\t\n\r]|[\u202a-\u202e\u2066-\u2069]/gu;

/** Returns a plain property of XMP, an element or an attribute; undefined if it is empty. */
function valueOf(xmp: string, name: string): string | undefined {
  const [, element, double, single] =
    new RegExp(
      `<${name}(?:\\s[^<>]*)?>([^<]*)</${name}\\s*>|\\s${name}\\s*=\\s*(?:"([^"<]*)"|'([^'<]*)')`,
      'u',
    ).exec(xmp) ?? [];
  const value = visible(unescaped(element ?? double ?? single ?? ''));
  return value === '' ? undefined : value;
}

/** Returns a text without characters that hide others, and without the space around it. */
export function visible(text: string): string {
  return text.toWellFormed().replaceAll(unseen, '').trim();
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function unescaped(text: string): string {
  return text.replaceAll(
    /&(?:(amp|lt|gt|quot|apos)|#(\d{1,7})|#x([\da-f]{1,6}));/giu,
    (whole, name?: string, decimal?: string, hex?: string) => {
      if (name !== undefined) {
        return entities[name] ?? whole;
      }
      const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
      return code <= 0x10_ffff ? String.fromCodePoint(code) : whole;
    },
  );
}
