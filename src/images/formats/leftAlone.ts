import { isAnimated } from './animation.ts';
import { jpegSegments } from './containers.ts';
import { RangeReader } from './rangeReader.ts';
import { bitsPerChannel, sniffImage } from './sniff.ts';

/** Why an image is left as it is: it holds more than the codecs can write, in time, in depth or in colours. */
export const reasonsToLeaveAlone = ['animated', '16bit', '12bit', 'cmyk'] as const;

export type ReasonToLeaveAlone = (typeof reasonsToLeaveAlone)[number];

/** Returns why an image is left as it is; undefined if it need not be. */
export async function whyLeftAlone(bytes: Uint8Array): Promise<ReasonToLeaveAlone | undefined> {
  if (await isAnimated(bytes)) {
    return 'animated';
  }
  if (bitsPerChannel(bytes) > 8) {
    return '16bit';
  }
  return undecodable(bytes);
}

/** Returns why a JPEG file can't be decoded although nothing of it is damaged; undefined if there is no such reason. */
export async function undecodable(bytes: Uint8Array): Promise<'12bit' | 'cmyk' | undefined> {
  if (sniffImage(bytes)?.extension !== 'jpg') {
    return undefined;
  }
  const reader = new RangeReader(bytes);
  for await (const { type, start } of jpegSegments(reader)) {
    if (type === 'SOS') {
      return undefined;
    }
    if (type.startsWith('SOF')) {
      // The size is in between.
      const [bits = 8, , , , , channels] = await reader.read(start, 6);
      return bits > 8 ? '12bit' : channels === 4 ? 'cmyk' : undefined;
    }
  }
  return undefined;
}
