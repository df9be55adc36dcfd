import { promisify } from 'node:util';
import { inflate } from 'node:zlib';
import { type Chunk, jpegSegments, pngChunks, webpChunks } from './containers.ts';
import { RangeReader } from './rangeReader.ts';
import { sniffImage } from './sniff.ts';

/** What comes before the XMP in a text chunk of a PNG file: the keyword. */
export const pngXmpMark = Buffer.from('XML:com.adobe.xmp\0', 'latin1');
/** What comes before the XMP in an APP1 segment of a JPEG file. */
export const jpegXmpMark = Buffer.from('http://ns.adobe.com/xap/1.0/\0', 'latin1');

/** The longest XMP that is read, in bytes. */
const maxLength = 256 * 1024;

/** XMP in a file, as it is written there. */
interface WrittenXmp {
  /** Of the chunk or segment that it is in. */
  type: string;
  /** What is behind the mark. */
  data: Buffer;
}

/** Whether a PNG, JPEG or WebP file has XMP. */
export async function hasXmp(bytes: Uint8Array): Promise<boolean> {
  return (await findXmp(bytes)) !== undefined;
}

/** Reads the XMP of a PNG, JPEG or WebP file; undefined when there is none, or none that can be read. */
export async function readXmp(bytes: Uint8Array): Promise<string | undefined> {
  const { type, data } = (await findXmp(bytes)) ?? {};
  if (!data || data.length > maxLength) {
    return undefined;
  }
  switch (type) {
    case 'iTXt': {
      // Whether it is compressed, and how; a language; the keyword in that language; the text.
      const text = data.subarray(data.indexOf(0, data.indexOf(0, 2) + 1) + 1);
      return data[0] === 0 ? text.toString('utf8') : inflated(text);
    }
    case 'zTXt':
      return inflated(data.subarray(1));
    default:
      return data.toString('utf8');
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

async function inflated(data: Buffer): Promise<string | undefined> {
  const text = await promisify(inflate)(data, { maxOutputLength: maxLength }).catch(() => undefined);
  return text?.toString('utf8');
}
