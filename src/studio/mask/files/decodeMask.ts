import { isMaskByAlpha, maskLevel } from '../../../common/maskLevels.ts';
import type { Size } from '../../zoom/zoom.ts';
import { blankMask, type MaskPixels } from '../drawing/maskPixels.ts';
import { MaskWriter } from '../drawing/maskWriter.ts';

/** Pixels of a file, four bytes each. */
export interface Rgba extends Size {
  data: Uint8ClampedArray;
}

/** Reads a mask file of either convention as it will be applied, and cuts it to the size of the image. */
export function decodeMask({ width, height, data }: Rgba, size: Size): MaskPixels {
  const isByAlpha = isMaskByAlpha(data);
  const writer = new MaskWriter(blankMask(size));
  const right = Math.min(width, size.width);
  for (let y = 0; y < Math.min(height, size.height); y++) {
    for (let x = 0; x < right; x++) {
      writer.coverage[x] = maskLevel(data, 4 * (y * width + x), isByAlpha);
    }
    writer.merge('add', y, 0, right);
  }
  return writer.finish();
}
