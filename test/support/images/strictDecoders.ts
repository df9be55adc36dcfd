import { PNG } from 'pngjs';
import sharp from 'sharp';

/** The alpha of every pixel of a PNG file. */
export interface Alpha {
  width: number;
  height: number;
  alpha: Buffer;
}

/** Decoders of other hands, which refuse a file with wrong checksums. */
export const strictDecoders: Record<'pngjs' | 'sharp', (png: Uint8Array) => Promise<Alpha>> = {
  pngjs: async (png) => {
    const { promise, resolve, reject } = Promise.withResolvers<PNG>();
    new PNG().parse(Buffer.from(png), (error: Error | null, data) => (error ? reject(error) : resolve(data)));
    const { width, height, data } = await promise;
    return { width, height, alpha: alphaOf(data) };
  },
  sharp: async (png) => {
    const { data, info } = await sharp(png, { failOn: 'warning' })
      .ensureAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    return { width: info.width, height: info.height, alpha: alphaOf(data) };
  },
};

/** Whether sharp takes an image file without complaint. */
export async function sharpTakes(bytes: Uint8Array): Promise<boolean> {
  return sharp(bytes, { failOn: 'warning' })
    .raw()
    .toBuffer()
    .then(
      () => true,
      () => false,
    );
}

function alphaOf(rgba: Uint8Array): Buffer {
  const alpha = Buffer.alloc(rgba.length / 4);
  for (let pixel = 0; pixel < alpha.length; pixel++) {
    alpha[pixel] = rgba[4 * pixel + 3] ?? 0;
  }
  return alpha;
}
