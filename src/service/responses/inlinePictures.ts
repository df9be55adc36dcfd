import { Base64Decoder, DivertedBlob } from './base64Decoder.ts';
import type { IndexedSink } from './blobJson.ts';
import { EventLoopYielder } from './eventLoopYielder.ts';
import type { InlineImages } from './inlineImages.ts';
import { maxInlineLength } from './responseLimits.ts';
import type { ImageSink } from '../messages.ts';

const dataUrl = Buffer.from('data:image/');
const base64Mark = Buffer.from(';base64,');
/** The base64 of the first bytes of a PNG, a JPEG, and a RIFF file, the slashes also as JSON may escape them. */
const signatures = ['iVBORw0KGgo', '/9j/', String.raw`\/9j\/`, 'UklGR'].map((text) => Buffer.from(text));
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
  for (let from = 0; from < bytes.length;) {
    const start = nextStart(bytes, from);
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

/** Returns where the next base64 begins that can only be an image; -1 if there is none. */
function nextStart(bytes: Buffer, from: number): number {
  const starts: number[] = [];
  const address = bytes.indexOf(dataUrl, from);
  const comma = address === -1 ? -1 : bytes.indexOf(base64Mark, address);
  if (comma !== -1 && comma - address < longestMediaType) {
    starts.push(comma + base64Mark.length);
  }
  for (const signature of signatures) {
    for (let at = bytes.indexOf(signature, from); at !== -1; at = bytes.indexOf(signature, at + 1)) {
      const isBeginning = at === 0 || !isBase64At(bytes, at - 1);
      if (isBeginning && (signature.length > 5 || bytes[at] !== 0x55 || isWebp(bytes, at))) {
        starts.push(at);
        break;
      }
    }
  }
  return starts.length === 0 ? -1 : Math.min(...starts);
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
  return isBase64[byte] === 1;
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
