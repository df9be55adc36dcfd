import { pngChunksBeforePixels } from './containers.ts';
import { RangeReader } from './rangeReader.ts';
import { sniffImage } from './sniff.ts';

/** The bit of an extended WebP file's flags that announces frames. */
const animationFlag = 0b10;

/** Whether a PNG or WebP file is animated: only its first frame would be decoded. */
export async function isAnimated(bytes: Uint8Array): Promise<boolean> {
  switch (sniffImage(bytes)?.extension) {
    case 'png':
      for await (const { type } of pngChunksBeforePixels(new RangeReader(bytes))) {
        if (type === 'acTL') {
          return true;
        }
      }
      return false;
    case 'webp': {
      const head = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      return head.toString('latin1', 12, 16) === 'VP8X' && ((head[20] ?? 0) & animationFlag) !== 0;
    }
    case 'jpg':
    case undefined:
      return false;
  }
}
