import { isAnimated } from './animation.ts';
import { jpegSegments } from './containers.ts';
import { RangeReader } from './rangeReader.ts';
import { bitsPerChannel, sniffImage } from './sniff.ts';

/** Why an image is left as it is: it holds more than the codecs can write, in time, in depth or in colours. */
export const reasonsToLeaveAlone = ['animated', '16bit', 'cmyk'] as const;

export type ReasonToLeaveAlone = (typeof reasonsToLeaveAlone)[number];

/** Returns why an image is left as it is; undefined if it need not be. */
export async function whyLeftAlone(bytes: Uint8Array): Promise<ReasonToLeaveAlone | undefined> {
  if (await isAnimated(bytes)) {
    return 'animated';
  }
  if (bitsPerChannel(bytes) > 8) {
    return '16bit';
  }
  return (await isCmyk(bytes)) ? 'cmyk' : undefined;
}

/** Whether a JPEG file has the four colours of printing. */
export async function isCmyk(bytes: Uint8Array): Promise<boolean> {
  if (sniffImage(bytes)?.extension !== 'jpg') {
    return false;
  }
  const reader = new RangeReader(bytes);
  for await (const { type, start } of jpegSegments(reader)) {
    if (/^SO[FS]/u.test(type)) {
      // After the depth and the size.
      return type !== 'SOS' && (await reader.read(start, 6))[5] === 4;
    }
  }
  return false;
}
