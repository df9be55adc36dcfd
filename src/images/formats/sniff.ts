// Room: what an image file says of itself, and what is to be made of it: format, size, orientation.
// Never: decoded pixels, verdicts on whether a file is whole.

/** An image format that Limner handles (docs/service.md, "Limits": PNG, JPEG and WebP). */
export interface ImageFormat {
  mediaType: 'image/png' | 'image/jpeg' | 'image/webp';
  /** File name extension, without a dot. */
  extension: 'png' | 'jpg' | 'webp';
}

/** The number of leading bytes that `sniffImage` needs. */
export const sniffLength = 12;

const png: ImageFormat = { mediaType: 'image/png', extension: 'png' };
const jpeg: ImageFormat = { mediaType: 'image/jpeg', extension: 'jpg' };
const webp: ImageFormat = { mediaType: 'image/webp', extension: 'webp' };

const pngSignature = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const jpegSignature = [0xff, 0xd8, 0xff];
const riffTag = [0x52, 0x49, 0x46, 0x46];
const webpTag = [0x57, 0x45, 0x42, 0x50];

/**
 * Recognises an image's format by its first bytes, never by a name or a header.
 *
 * @param bytes the beginning of the file, at least `sniffLength` bytes where the file is that long
 * @returns `undefined` for formats other than PNG, JPEG and WebP
 */
export function sniffImage(bytes: Uint8Array): ImageFormat | undefined {
  if (hasBytes(bytes, 0, pngSignature)) {
    return png;
  }
  if (hasBytes(bytes, 0, jpegSignature)) {
    return jpeg;
  }
  if (hasBytes(bytes, 0, riffTag) && hasBytes(bytes, 8, webpTag)) {
    return webp;
  }
  return undefined;
}

function hasBytes(bytes: Uint8Array, offset: number, expected: readonly number[]): boolean {
  return expected.every((byte, index) => bytes[offset + index] === byte);
}

/** Returns the bits that each channel of decoded pixels needs: 16 for some PNG files, 8 for all others. */
export function bitsPerChannel(bytes: Uint8Array): 8 | 16 {
  // After the signature, the head of the first chunk, and the size.
  return sniffImage(bytes)?.extension === 'png' && bytes[24] === 16 ? 16 : 8;
}
