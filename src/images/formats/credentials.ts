import { jpegSegments, pngChunks, webpChunks } from './containers.ts';
import { RangeReader } from './rangeReader.ts';
import { sniffImage } from './sniff.ts';

/** Whether a file carries Content Credentials (C2PA), which hold only as long as no byte of it changes. */
export async function hasCredentials(bytes: Uint8Array): Promise<boolean> {
  const reader = new RangeReader(bytes);
  switch (sniffImage(bytes)?.extension) {
    case 'png':
      for await (const { type } of pngChunks(reader)) {
        if (type === 'caBX') {
          return true;
        }
      }
      return false;
    case 'webp':
      for await (const { type } of webpChunks(reader)) {
        if (type === 'C2PA') {
          return true;
        }
      }
      return false;
    case 'jpg':
      for await (const { type, start, length } of jpegSegments(reader)) {
        if (type === 'SOS') {
          return false;
        }
        // The boxes of JPEG Trust and of others are in such segments, too; the store of credentials names itself.
        if (type === 'APP11' && (await reader.read(start, length)).includes('c2pa')) {
          return true;
        }
      }
      return false;
    case undefined:
      return false;
  }
}
