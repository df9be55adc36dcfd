/** Decoded pixels: four bytes each (red, green, blue, alpha, not premultiplied), row by row from the top. */
export interface Pixels {
  /** In pixels. */
  width: number;
  height: number;
  rgba: Uint8Array;
}

/** The browser's `ImageData` as far as the codecs use it. */
export interface ImageDataLike {
  data: Uint8ClampedArray;
  width: number;
  height: number;
}

/** How pixels become a file; qualities go from 1 to 100. */
export type Encoding =
  /** PNG is lossless and knows no quality. */
  | { format: 'png' | 'jpeg' | 'webp'; quality?: number }
  /** Every pixel stays as it is, colours under full transparency too. */
  | { format: 'webp'; lossless: true };

/** Pixels that could not be read or written; `code` is `unsupported_image` throughout. */
export class CodecError extends Error {
  readonly code = 'unsupported_image';
}
