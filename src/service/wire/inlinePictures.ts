import { Base64Decoder, DivertedBlob } from './base64Decoder.ts';
import type { IndexedSink } from './blobJson.ts';
import { EventLoopYielder, maxInlineLength } from './responseLimits.ts';
import type { InlineImages } from './inlineImages.ts';
import type { ImageSink } from '../terms/messages.ts';

const dataUrl = Buffer.from('data:image/');
const base64Mark = Buffer.from(';base64,');
/** Base64 of the first bytes of PNG, JPEG, and RIFF files, with optional JSON escapes of slashes. */
const riff = Buffer.from('UklGR');
const signatures = [...['iVBORw0KGgo', '/9j/', String.raw`\/9j\/`].map((text) => Buffer.from(text)), riff];
const maxFound = 32;
const longestMediaType = 100;
/** Number of bytes to search or decode without yielding to the event loop. */
const pieceLength = 128 * 1024;
const backslash = 0x5c;

/**
 * Decodes base64 images anywhere in a body into sinks, and returns the complete ones.
 *
 * @param isCut whether the body is incomplete: an image that reaches its end is incomplete, too
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

/** Finds base64 in a body that can only be an image, by its beginning. */
class Starts {
  readonly #bytes: Buffer;
  readonly #beginning: Buffer;
  /** The match found last, and where its search began. */
  #known = { start: -2, from: 0 };

  constructor(bytes: Buffer, beginning: Buffer) {
    this.#bytes = bytes;
    this.#beginning = beginning;
  }

  /** Returns the next match from this position on; -1 if there is none. */
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

/** Whether a base64 character, or an escape that may stand for one, is at this position. */
function isBase64At(bytes: Buffer, at: number): boolean {
  const byte = bytes[at] ?? 0;
  if (byte === backslash) {
    return /^[/nr]$/u.test(String.fromCharCode(bytes[at + 1] ?? 0));
  }
  // Lines of base64 may be as short as in a mail.
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
