import { Base64Decoder, DivertedBlob } from './base64Decoder.ts';
import type { IndexedSink } from './blobJson.ts';
import { EventLoopYielder } from './eventLoopYielder.ts';
import type { InlineImages } from './inlineImages.ts';
import { maxInlineLength } from './responseLimits.ts';
import type { ImageSink } from '../messages.ts';

const dataUrl = Buffer.from('data:image/');
const base64Mark = Buffer.from(';base64,');
/** The base64 of the first bytes of a PNG, a JPEG, and a RIFF file, the slashes also as JSON may escape them. */
const riff = Buffer.from('UklGR');
const signatures = [...['iVBORw0KGgo', '/9j/', String.raw`\/9j\/`].map((text) => Buffer.from(text)), riff];
const maxFound = 32;
const longestMediaType = 100;
/** Bytes that are looked at, or decoded, without letting the event loop run. */
const pieceLength = 128 * 1024;
const backslash = 0x5c;

/**
 * Decodes the images that are in a body as base64, wherever in it, into sinks; returns those that are whole.
 *
 * @param isCut the body broke off: what reaches to its end is a part of an image
 */
export async function inlinePictures(
  bytes: Buffer,
  isCut: boolean,
  inline: InlineImages,
): Promise<DivertedBlob[]> {
  const found: DivertedBlob[] = [];
  const yielder = new EventLoopYielder();
  const starts = [new Starts(bytes, dataUrl), ...signatures.map((signature) => new Starts(bytes, signature))];
  for (let from = 0; from < bytes.length && found.length < maxFound;) {
    const next = starts.map((each) => each.after(from)).filter((start) => start !== -1);
    const start = next.length === 0 ? -1 : Math.min(...next);
    if (yielder.isDue) {
      await yielder.yield();
    }
    if (start === -1) {
      break;
    }
    let end = start;
    while (end < bytes.length && isBase64At(bytes, end)) {
      const last = Math.min(end + pieceLength, bytes.length);
      while (end < last && isBase64At(bytes, end)) {
        end += bytes[end] === backslash ? 2 : 1;
      }
      if (yielder.isDue) {
        await yielder.yield();
      }
    }
    const blob = isCut && end >= bytes.length ? undefined : await decode(bytes.subarray(start, end), inline);
    if (blob) {
      found.push(blob);
    }
    from = Math.max(end, start + 1);
  }
  return found;
}

/** Where in a body base64 begins that can only be an image, by one of its beginnings. */
class Starts {
  readonly #bytes: Buffer;
  readonly #beginning: Buffer;
  /** The next one that was found, and from where it was looked for. */
  #known = { start: -2, from: 0 };

  constructor(bytes: Buffer, beginning: Buffer) {
    this.#bytes = bytes;
    this.#beginning = beginning;
  }

  /** Returns the next position from this one on; -1 if there is none. */
  after(from: number): number {
    const { start } = this.#known;
    if (start === -2 || (start !== -1 && start < from)) {
      this.#known = { start: this.#find(from), from };
    }
    return this.#known.start;
  }

  #find(from: number): number {
    const [bytes, beginning] = [this.#bytes, this.#beginning];
    for (let at = bytes.indexOf(beginning, from); at !== -1; at = bytes.indexOf(beginning, at + 1)) {
      if (beginning === dataUrl) {
        const mark = bytes.subarray(at, at + longestMediaType).indexOf(base64Mark);
        if (mark !== -1) {
          return at + mark + base64Mark.length;
        }
      } else if ((at === 0 || !isBase64At(bytes, at - 1)) && (beginning !== riff || isWebp(bytes, at))) {
        return at;
      }
    }
    return -1;
  }
}

function isWebp(bytes: Buffer, at: number): boolean {
  return bytes.toString('latin1', at + 12, at + 16) === 'RUJQ';
}

/** Whether a character of base64 is at this position, or an escape that may stand in it. */
function isBase64At(bytes: Buffer, at: number): boolean {
  const byte = bytes[at] ?? 0;
  if (byte === backslash) {
    return /^[/nr]$/u.test(String.fromCharCode(bytes[at + 1] ?? 0));
  }
  // Lines of a text may be as short as those of a mail.
  const isBreak = byte === 0x0a || byte === 0x0d;
  return (
    isBase64[byte] === 1 ||
    (isBreak && isBase64[bytes[at + 1] ?? 0] === 1) ||
    (byte === 0x0d && bytes[at + 1] === 0x0a)
  );
}

const isBase64 = new Uint8Array(256);
for (const character of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=_-') {
  isBase64[character.charCodeAt(0)] = 1;
}

async function decode(text: Buffer, inline: InlineImages): Promise<DivertedBlob | undefined> {
  let opened: IndexedSink | undefined;
  const open = (): ImageSink => {
    opened = inline.openSink();
    return opened.sink;
  };
  const decoder = new Base64Decoder(open, maxInlineLength);
  for (let at = 0; at < text.length; at += pieceLength) {
    await decoder.write(text.subarray(at, at + pieceLength));
  }
  await decoder.end();
  if (opened === undefined || decoder.damage !== undefined) {
    await opened?.sink.discard();
    return undefined;
  }
  await opened.sink.close();
  return new DivertedBlob(opened.index, undefined);
}
