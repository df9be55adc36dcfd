import * as english from '../../common/english.ts';
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
 * Recognizes an image's format by its first bytes, never by a name or a header.
 *
 * @param bytes the beginning of the file, at least `sniffLength` bytes if the file is that long
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

/** An image format that Limner can't process. Paid images in it are kept as they arrived. */
export interface OtherFormat {
  /** With its article, such as `an AVIF image`. */
  name: string;
  /** File name extension, without a dot. */
  extension: string;
}

/** The number of leading bytes that `sniffOther` needs: SVG files may begin with comments. */
export const otherSniffLength = 4096;

const avif: OtherFormat = { name: english.t('an AVIF image'), extension: 'avif' };
const heic: OtherFormat = { name: english.t('an HEIC image'), extension: 'heic' };
const heif: OtherFormat = { name: english.t('an HEIF image'), extension: 'heif' };

/** Formats that begin with the same bytes in every file, in hex; `..` stands for any byte. */
const signatures: readonly (readonly [RegExp, OtherFormat])[] = [
  [/^474946383[79]61/u, { name: english.t('a GIF image'), extension: 'gif' }],
  // The size of its second header distinguishes a bitmap from a text.
  [/^424d(?:..){12}(?:0c|28|34|38|40|6c|7c)000000/u, { name: english.t('a BMP image'), extension: 'bmp' }],
  [/^(?:4949(?:2a|2b)00|4d4d00(?:2a|2b))/u, { name: english.t('a TIFF image'), extension: 'tiff' }],
  [/^00000100(?!00)..00(?:..){3}00/u, { name: english.t('an ICO image'), extension: 'ico' }],
  [/^(?:ff0a|0000000c4a584c200d0a870a)/u, { name: english.t('a JPEG XL image'), extension: 'jxl' }],
  [/^(?:ff4fff51|0000000c6a5020200d0a870a)/u, { name: english.t('a JPEG 2000 image'), extension: 'jp2' }],
  [/^38425053000[12]/u, { name: english.t('a Photoshop image'), extension: 'psd' }],
  [/^716f6966/u, { name: english.t('a QOI image'), extension: 'qoi' }],
];

const headLength = 32;

/** The brands of the HEIF container, most telling first. */
const brands: readonly (readonly [RegExp, OtherFormat])[] = [
  [/^avi[fs]$/u, avif],
  [/^he(?:i[cmsx]|v[cmsx])$/u, heic],
  [/^m[is]f1$/u, heif],
];

/** The root element, after the optional prolog. */
const svgStart =
  /^\uFEFF?\s*(?:(?:<\?[^>]*>|<!--(?:(?!-->).)*-->|<!DOCTYPE\s+svg\b[^>[]*(?:\[[^\]]*\][^>]*)?>)\s*)*<(?:\w+:)?svg[\s/>]/su;

/**
 * Recognizes other image formats than PNG, JPEG, and WebP by their first bytes.
 *
 * @param bytes the beginning of the file, at least `otherSniffLength` bytes if the file is that long
 */
export function sniffOther(bytes: Uint8Array): OtherFormat | undefined {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, otherSniffLength));
  const head = start.toString('hex', 0, headLength);
  const [, format] = signatures.find(([signature]) => signature.test(head)) ?? [];
  return format ?? heifFormat(start) ?? (svgStart.test(svgText(start)) ? svg : undefined);
}

const svg: OtherFormat = { name: english.t('an SVG image'), extension: 'svg' };

/** Returns the beginning of a file as text: some SVG files are UTF-16. */
function svgText(start: Buffer): string {
  const mark = start.toString('latin1', 0, 2);
  const encoding = mark === '\xff\xfe' ? 'utf-16le' : mark === '\xfe\xff' ? 'utf-16be' : 'utf-8';
  return new TextDecoder(encoding).decode(start);
}

function heifFormat(start: Buffer): OtherFormat | undefined {
  if (start.toString('latin1', 4, 8) !== 'ftyp') {
    return undefined;
  }
  const end = Math.min(start.readUInt32BE(0), start.length);
  // The one after the main brand is its version.
  const found = [8, ...Array.from({ length: Math.max(0, (end - 16) >> 2) }, (_, index) => 16 + 4 * index)];
  const names = found.map((offset) => start.toString('latin1', offset, offset + 4));
  const [, format] = brands.find(([brand]) => names.some((name) => brand.test(name))) ?? [];
  return format;
}
