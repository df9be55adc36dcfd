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

/** A file format with its options. Qualities range from 1 to 100. */
export type Encoding =
  /** PNG is lossless and has no quality. */
  | { format: 'png' | 'jpeg' | 'webp'; quality?: number }
  /** Keeps every pixel unchanged, including colours under full transparency. */
  | { format: 'webp'; lossless: true };

/** Reports pixels that could not be read or written. */
export class CodecError extends Error {
  readonly code = 'unsupported_image';
}
