import type { Finish } from '../../src/images/formats/finish.ts';

/** What is done to a picture of 4096 × 4096 pixels. */
export interface FinishingStep {
  /** Name of the picture, and of the one on white, of those in `pictures.ts`. */
  picture: string;
  onWhite?: string;
  how: Finish;
}

const half = { width: 2048, height: 2048 };
const wide = { width: 4096, height: 2160 };

export const steps: Readonly<Record<string, FinishingStep>> = {
  'PNG → half the size': { picture: 'scene', how: { size: half, fit: { by: 'crop' } } },
  'PNG → another shape': { picture: 'scene', how: { size: wide, fit: { by: 'crop' } } },
  'PNG → JPEG': { picture: 'scene', how: { encoding: { format: 'jpeg', quality: 90 } } },
  'PNG → WebP': { picture: 'scene', how: { encoding: { format: 'webp', quality: 90 } } },
  'PNG → lossless WebP': { picture: 'scene', how: { encoding: { format: 'webp', lossless: true } } },
  'without a flat color': { picture: 'green', how: { cutout: { by: 'key' } } },
  'JPEG without a flat color': { picture: 'halved', how: { cutout: { by: 'key' } } },
  'of white and black': { picture: 'black', onWhite: 'white', how: { cutout: { by: 'grounds' } } },
};
