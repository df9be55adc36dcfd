import { dimensionsFromPrefix, type Dimensions } from '../formats/dimensions.ts';
import { sniffImage } from '../formats/sniff.ts';
import { CodecError, type Encoding, type Pixels } from './pixels.ts';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename } from 'node:path';

/** A format that the codecs read and write. */
export type Format = Encoding['format'];

/** The limit for decoding. Beyond it, a file of some kilobytes could take gigabytes. */
export const MAX_PIXELS = 100_000_000;

const DEFAULT_QUALITY = 88;

/** The greatest width and height in pixels. Beyond it, the encoders fail without a reason. */
const maxSide: Record<Format, number> = { png: 2 ** 31 - 1, jpeg: 65_500, webp: 16_383 };

const decoders = {
  png: codec(() => import('@jsquash/png/decode.js'), 'png/codec/pkg/squoosh_png_bg.wasm'),
  jpeg: codec(() => import('@jsquash/jpeg/decode.js'), 'jpeg/codec/dec/mozjpeg_dec.wasm'),
  webp: codec(() => import('@jsquash/webp/decode.js'), 'webp/codec/dec/webp_dec.wasm'),
};

const encoders = {
  png: codec(() => import('@jsquash/png/encode.js'), 'png/codec/pkg/squoosh_png_bg.wasm'),
  jpeg: codec(() => import('@jsquash/jpeg/encode.js'), 'jpeg/codec/enc/mozjpeg_enc.wasm'),
  webp: codec(() => import('@jsquash/webp/encode.js'), 'webp/codec/enc/webp_enc_simd.wasm'),
};

/**
 * Reads the size of a PNG, JPEG or WebP image from its header. An EXIF orientation is not applied.
 * @throws CodecError for other formats, and for a file that ends before its size
 */
export function imageSize(bytes: Uint8Array): Dimensions {
  formatOf(bytes);
  const size = dimensionsFromPrefix(bytes);
  if (size.kind !== 'known') {
    throw new CodecError('The image ends before its dimensions.');
  }
  return { width: size.width, height: size.height };
}

/**
 * Decodes a PNG, JPEG or WebP file, recognised by its bytes. An EXIF orientation is not applied.
 * @throws CodecError for other formats, damaged files and more than 100 megapixels
 */
export async function decodeImage(bytes: Uint8Array): Promise<Pixels> {
  const format = formatOf(bytes);
  const size = imageSize(bytes);
  if (size.width * size.height > MAX_PIXELS) {
    throw new CodecError(`The image has ${size.width} × ${size.height} pixels, more than 100 megapixels.`);
  }
  const decode = await decoders[format]();
  const { data, width, height } = await decode(new Uint8Array(bytes).buffer).catch((error: unknown) => {
    throw new CodecError(`The ${format} image is damaged or in an unsupported format.`, {
      cause: error,
    });
  });
  return { width, height, rgba: new Uint8Array(data.buffer, data.byteOffset, data.byteLength) };
}

/** @throws CodecError when the pixels are fewer or more than their size says, or too many for the format in a row */
export async function encodeImage(pixels: Pixels, encoding: Encoding): Promise<Uint8Array> {
  const { width, height, rgba } = pixels;
  if (rgba.length !== width * height * 4 || rgba.length === 0) {
    throw new CodecError(`${width} × ${height} pixels do not fit ${rgba.length} bytes.`);
  }
  const longest = maxSide[encoding.format];
  if (width > longest || height > longest) {
    throw new CodecError(
      `${width} × ${height} pixels are too many for ${encoding.format}, which goes up to ${longest} in width and height.`,
    );
  }
  const image = { width, height, data: new Uint8ClampedArray(rgba) };
  switch (encoding.format) {
    case 'png': {
      const encode = await encoders.png();
      return new Uint8Array(await encode(image));
    }
    case 'jpeg': {
      const encode = await encoders.jpeg();
      return new Uint8Array(await encode(image, { quality: encoding.quality ?? DEFAULT_QUALITY }));
    }
    case 'webp': {
      const encode = await encoders.webp();
      // Without `exact`, colours under full transparency would be dropped for a smaller file.
      const options =
        'lossless' in encoding
          ? ({ quality: 40, method: 1, lossless: 1, exact: 1 } as const)
          : { quality: encoding.quality ?? DEFAULT_QUALITY };
      return new Uint8Array(await encode(image, options));
    }
  }
}

/**
 * Returns the format of a file by its bytes.
 * @throws CodecError for formats other than PNG, JPEG and WebP
 */
export function formatOf(bytes: Uint8Array): Format {
  const found = sniffImage(bytes);
  if (!found) {
    throw new CodecError("The file isn't a PNG, JPEG, or WebP image.");
  }
  return found.extension === 'jpg' ? 'jpeg' : found.extension;
}

interface CodecModule<T> {
  init: (wasm: WebAssembly.Module) => Promise<unknown>;
  default: T;
}

/** Returns a function that loads a codec when it is first called. */
function codec<T>(load: () => Promise<CodecModule<T>>, wasm: string): () => Promise<T> {
  let loaded: Promise<T> | undefined;
  const open = async (): Promise<T> => {
    const { init, default: run } = await load();
    await init(await loadWasm(wasm));
    return run;
  };
  return () => (loaded ??= open());
}

/**
 * Compiles a codec's WebAssembly from the file beside the bundle or, when this runs from source, in its package.
 * @param path inside `@jsquash`, for example `webp/codec/dec/webp_dec.wasm`
 */
async function loadWasm(path: string): Promise<WebAssembly.Module> {
  const shipped = new URL(`./${basename(path)}`, import.meta.url);
  const file = existsSync(shipped) ? shipped : createRequire(import.meta.url).resolve(`@jsquash/${path}`);
  return WebAssembly.compile(await readFile(file));
}
