import { crc32 } from 'node:zlib';
import * as english from '../../common/english.ts';
import { pngChunks, RangeReader } from '../formats/containers.ts';
import { messageOf } from '../../common/limnerError.ts';
import { dimensionsFromPrefix, type Dimensions } from '../formats/dimensions.ts';
import { type Encoding, undecodable } from '../formats/finish.ts';
import { isLarge, maxPixels, maxRow, maxSide, type Source } from '../formats/limits.ts';
import { sniffImage } from '../formats/sniff.ts';
import { findPngFlaw } from '../formats/findDamage.ts';
import { isReadByRows, readPng } from './readPng.ts';
import { writePng } from './writePng.ts';
import { writeWebp } from './writeWebp.ts';
import {
  CodecError,
  type CodecOptions,
  DamagedImage,
  isOpaque,
  type Pixels,
  withCleanTransparency,
  release,
} from './pixels.ts';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename } from 'node:path';
import { isAnimated } from '../formats/animation.ts';

/** Returns a PNG file with all checksums corrected, so that decoders read the remaining pixels. */
export async function withRightChecksums(bytes: Uint8Array): Promise<Uint8Array> {
  const file = Buffer.from(bytes);
  for await (const { type, start, length } of pngChunks(new RangeReader(file))) {
    const end = start + length;
    if (end + 4 > file.length) {
      break;
    }
    file.writeUInt32BE(crc32(file.subarray(start - 4, end)), end);
    if (type === 'IEND') {
      break;
    }
  }
  return file;
}

/** The decoder's messages for undamaged files that it doesn't support or that are too large for it. */
const beyondIt =
  /^(?:Unsupported (?!marker)|Sorry|Not implemented|Requested feature|Insufficient memory|Maximum supported|Image too|Cannot enlarge|Aborted)/u;
/** The decoder's messages without effect on pixels. */
const remarks =
  /^(?:Warning: unknown JFIF revision|Unknown Adobe color transform|Invalid SOS parameters for sequential)/u;

/** Returns the damage that a decoder's messages describe, in English; undefined if there is none. */
export function saidFlaw(words: readonly string[]): string | undefined {
  const flaw = words.find((line) => !remarks.test(line));
  return flaw === undefined || beyondIt.test(flaw) ? undefined : english.t('the decoder reports "{0}"', flaw);
}

/** Returns the damage of a file whose decoder failed without a message. */
export function silentFlaw(failure: unknown): string | undefined {
  return messageOf(failure) === 'Decoding error' ? english.t("its pixels can't be decoded") : undefined;
}

export type Format = Encoding['format'];

const DEFAULT_QUALITY = 88;

const undecodableTexts = {
  cmyk: english.t('the colors of printing (CMYK)'),
  '12bit': english.t('12 bits per channel'),
};

/** Messages that the codecs have printed since the last image began. */
const said: string[] = [];

function listen(line: string): void {
  said.push(line);
}

const decoders = {
  png: codec(() => import('@jsquash/png/decode.js'), 'png/codec/pkg/squoosh_png_bg.wasm'),
  jpeg: codec(() => import('@jsquash/jpeg/decode.js'), 'jpeg/codec/dec/mozjpeg_dec.wasm'),
  webp: codec(() => import('@jsquash/webp/decode.js'), 'webp/codec/dec/webp_dec.wasm'),
};

const encoders = {
  jpeg: codec(() => import('@jsquash/jpeg/encode.js'), 'jpeg/codec/enc/mozjpeg_enc.wasm'),
  webp: codec(() => import('@jsquash/webp/encode.js'), 'webp/codec/enc/webp_enc_simd.wasm'),
};

/** Reads an image's stored size from its header. @throws CodecError for other formats and truncated files */
export function imageSize(bytes: Uint8Array): Dimensions {
  formatOf(bytes);
  const size = dimensionsFromPrefix(bytes);
  if (size.kind !== 'known') {
    throw new DamagedImage(
      english.t('The image ends before its dimensions.'),
      english.t("its size can't be read"),
    );
  }
  return { width: size.width, height: size.height };
}

/**
 * Decodes a PNG, JPEG or WebP file, recognized by its bytes, without applying an EXIF orientation.
 *
 * @param onFlaw called with the damage of a file that was decoded nevertheless, in English
 * @throws CodecError for other formats, CMYK, twelve bits per channel, more than 100 megapixels, and rows of more than
 *   65,535; a `DamagedImage` for damaged files
 */
export async function decodeImage(bytes: Uint8Array, onFlaw?: (flaw: string) => void): Promise<Pixels> {
  const format = formatOf(bytes);
  requireSize(imageSize(bytes));
  const reason = await undecodable(bytes);
  if (reason) {
    throw new CodecError(
      english.t("The image has {0}, which Limner doesn't read.", undecodableTexts[reason]),
    );
  }
  if (format === 'png') {
    return decodePng(bytes, onFlaw);
  }
  const pixels = await decodeWith(format, bytes).catch((cause: unknown) => {
    throw failure(format, saidFlaw(said) ?? silentFlaw(cause), cause);
  });
  const flaw = saidFlaw(said);
  if (flaw !== undefined) {
    onFlaw?.(flaw);
  }
  return pixels;
}

/** @throws CodecError for a size beyond the limits, stored or rotated */
export function requireSize({ width, height }: Dimensions): void {
  if (width * height > maxPixels) {
    throw new CodecError(
      english.t('The image has {0} × {1} pixels, more than 100 megapixels.', width, height),
    );
  }
  if (width > maxRow) {
    throw new CodecError(english.t('The image is {0} pixels wide, more than {1}.', width, maxRow));
  }
}

/** Returns the facts about a file that decide how much memory decoding takes. */
export function sourceOf(bytes: Uint8Array): Source {
  const way = isReadByRows(bytes) ? 'rows' : formatOf(bytes);
  return { ...imageSize(bytes), way, length: bytes.length };
}

async function decodePng(bytes: Uint8Array, onFlaw?: (flaw: string) => void): Promise<Pixels> {
  try {
    return await readOrDecode(bytes);
  } catch (error) {
    const flaw = await findPngFlaw(bytes);
    if (flaw?.what !== 'checksum') {
      throw failure('png', flaw?.message, error);
    }
    const pixels = await readOrDecode(await withRightChecksums(bytes)).catch((cause: unknown) => {
      throw failure('png', flaw.message, cause);
    });
    onFlaw?.(flaw.message);
    return pixels;
  }
}

async function readOrDecode(png: Uint8Array): Promise<Pixels> {
  return (await readPng(png)) ?? decodeWith('png', await withCleanTransparency(png));
}

async function decodeWith(format: Format, bytes: Uint8Array): Promise<Pixels> {
  const file = new Uint8Array(bytes).buffer;
  said.length = 0;
  const { data, width, height } = await decoders[format](isLarge(imageSize(bytes)), file);
  return { width, height, rgba: new Uint8Array(data.buffer, data.byteOffset, data.byteLength) };
}

function failure(format: Format, flaw: string | undefined, cause: unknown): CodecError {
  return flaw === undefined
    ? new CodecError(english.t('The {0} image is damaged or in an unsupported format.', format), { cause })
    : new DamagedImage(english.t('The {0} image is damaged: {1}.', format, flaw), flaw, { cause });
}

/** @throws CodecError when the number of pixels doesn't match their size, or exceeds a limit */
export async function encodeImage(pixels: Pixels, encoding: Encoding): Promise<Uint8Array> {
  const { width, height, rgba } = pixels;
  if (rgba.length !== width * height * 4 || rgba.length === 0) {
    throw new CodecError(`${width} × ${height} pixels do not fit ${rgba.length} bytes.`);
  }
  requireSize(pixels);
  const longest = maxSide[encoding.format];
  if (width > longest || height > longest) {
    throw new CodecError(
      english.t(
        '{0} × {1} pixels are too many for {2}, which goes up to {3} in width and height.',
        width,
        height,
        encoding.format,
        longest,
      ),
    );
  }
  const image = { width, height, data: new Uint8ClampedArray(rgba.buffer, rgba.byteOffset, rgba.length) };
  switch (encoding.format) {
    case 'png':
      return writePng(pixels);
    case 'jpeg': {
      const quality = encoding.quality ?? DEFAULT_QUALITY;
      // Without `baseline`, low qualities produce tables that some readers refuse, as the encoder warns.
      const options = isLarge(pixels) ? { quality, progressive: false, baseline: true } : { quality };
      return new Uint8Array(await encoders.jpeg(isLarge(pixels), image, options));
    }
    case 'webp':
      if ('lossless' in encoding && isLarge(pixels)) {
        // For 16 megapixels, the other encoder takes 500 MB in addition to the pixels.
        return writeWebp(pixels);
      }
      return new Uint8Array(await encoders.webp(isLarge(pixels), image, webpOptions(pixels, encoding)));
  }
}

/** Returns the options of the WebP encoder; for large images, the fastest ones. */
function webpOptions(pixels: Pixels, encoding: Encoding): Parameters<typeof encoders.webp>[2] {
  if ('lossless' in encoding) {
    // Without `exact`, colors under full transparency would be dropped for a smaller file.
    return { quality: 40, method: 1, lossless: 1, exact: 1 };
  }
  const quality = encoding.quality ?? DEFAULT_QUALITY;
  if (!isLarge(pixels)) {
    return { quality };
  }
  return isOpaque(pixels) ? { quality, method: 1 } : { quality, method: 0, alpha_filtering: 0 };
}

/** @throws CodecError for formats other than PNG, JPEG and WebP */
export function formatOf(bytes: Uint8Array): Format {
  const found = sniffImage(bytes);
  if (!found) {
    throw new CodecError(english.t("The file isn't a PNG, JPEG, or WebP image."));
  }
  return found.extension === 'jpg' ? 'jpeg' : found.extension;
}

/** The exports of a codec package. `init` creates a new instance, which replaces an earlier one. */
interface CodecModule<P extends unknown[], R> {
  init: (wasm: WebAssembly.Module, options: CodecOptions) => Promise<unknown>;
  default: (...parameters: P) => Promise<R>;
}

/**
 * Returns a function that runs a codec, loaded when first needed. Discards the instance after a large image, because
 * its memory never shrinks, and after a failure, after which it may never return.
 */
function codec<P extends unknown[], R>(
  load: () => Promise<CodecModule<P, R>>,
  wasm: string,
): (isLarge: boolean, ...parameters: P) => Promise<R> {
  const open = async () => {
    const [{ init, default: run }, compiled] = await Promise.all([load(), loadWasm(wasm)]);
    const renew = async (): Promise<unknown> => init(compiled, { print: listen, printErr: listen });
    await renew();
    return { run, renew };
  };
  let opened: ReturnType<typeof open> | undefined;
  return async (isLarge, ...parameters) => {
    const { run, renew } = await (opened ??= open());
    let isSpent = true;
    try {
      const result = await run(...parameters);
      isSpent = isLarge;
      return result;
    } finally {
      if (isSpent) {
        await renew();
      }
    }
  };
}

/**
 * Compiles a codec's WebAssembly from the file beside the bundle or, when this runs from source, in its package.
 *
 * @param path inside `@jsquash`, for example `webp/codec/dec/webp_dec.wasm`
 */
async function loadWasm(path: string): Promise<WebAssembly.Module> {
  const shipped = new URL(`./${basename(path)}`, import.meta.url);
  const file = existsSync(shipped) ? shipped : createRequire(import.meta.url).resolve(`@jsquash/${path}`);
  return WebAssembly.compile(await readFile(file));
}

/**
 * Returns the damage in an image file, in English: in its checksums, or in the data that a decoder reads. Undefined if
 * there is none, and for intact files that can't be decoded: animations, CMYK, more than 100 megapixels.
 */
export async function flawOf(bytes: Uint8Array): Promise<string | undefined> {
  if (formatOf(bytes) === 'png') {
    return (await findPngFlaw(bytes))?.message;
  }
  if (await isAnimated(bytes)) {
    return undefined;
  }
  let found: string | undefined;
  try {
    const { rgba } = await decodeImage(bytes, (flaw) => {
      found = flaw;
    });
    release(rgba);
    return found;
  } catch (error) {
    return error instanceof DamagedImage ? error.flaw : undefined;
  }
}
