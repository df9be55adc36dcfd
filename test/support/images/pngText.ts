import { pngChunk } from './pngFile.ts';

/** Puts a text in Latin-1, or another chunk, before the end of a PNG file. */
export function withText(file: Uint8Array, text: string | Uint8Array, type = 'tEXt'): Buffer {
  const data = typeof text === 'string' ? Buffer.from(text, 'latin1') : text;
  return Buffer.concat([file.subarray(0, -12), pngChunk(type, data), file.subarray(-12)]);
}
