// Room: what decoded pixels are.
// Never: how they are read, changed or written.

/** Decoded pixels: four bytes each (red, green, blue, alpha, not premultiplied), row by row from the top. */
export interface Pixels {
  /** In pixels. */
  width: number;
  height: number;
  rgba: Uint8Array;
}

/** The options of a codec as far as they are used: what it prints, line by line. */
export interface CodecOptions {
  print: (line: string) => void;
  printErr: (line: string) => void;
}

/** The browser's `ImageData` as far as the codecs use it. */
export interface ImageDataLike {
  data: Uint8ClampedArray;
  width: number;
  height: number;
}

/** Returns pixels as one number each: those in the array, or in a copy of it if they are not aligned. */
export function wordsOf(rgba: Uint8Array): Uint32Array {
  const aligned = rgba.byteOffset % 4 === 0 ? rgba : rgba.slice();
  return new Uint32Array(aligned.buffer, aligned.byteOffset, aligned.length / 4);
}

/** The least pixel, as a number, through which nothing shows. */
export const opaqueWord = 0xff000000;

/** Whether no pixel lets anything show through. */
export function isOpaque({ rgba }: Pixels): boolean {
  const words = wordsOf(rgba);
  for (let at = 0; at < words.length; at++) {
    if ((words[at] ?? 0) < opaqueWord) {
      return false;
    }
  }
  return true;
}

/**
 * Gives the memory of an array back at once, where garbage collection would come too late. Nothing of its buffer can be
 * read afterwards.
 */
export function release({ buffer }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer) {
    buffer.transfer(0);
  }
}

/** Reports pixels that could not be read or written. */
export class CodecError extends Error {
  readonly code = 'unsupported_image';
}

/** Reports a file that is too damaged to be decoded. */
export class DamagedImage extends CodecError {
  /** What is wrong with it, in English, to follow "The image is damaged: ". */
  readonly flaw: string;

  constructor(message: string, flaw: string, options?: ErrorOptions) {
    super(message, options);
    this.flaw = flaw;
  }
}
