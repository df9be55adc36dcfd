import {
  CodecError,
  findDamage,
  imageSize,
  jpegSegments,
  pngChunks,
  RangeReader,
  sniffImage,
  webpChunks,
} from '../../images/finish/codecs.ts';
import { invalidRequest, type ApiError } from '../http/apiError.ts';
import type { Size } from '../http/modelCatalog.ts';
import { LARGEST_SIDE, MOST_PIXELS, type EditFile } from './validation.ts';

const TAKEN = 'image/png, image/jpeg or image/webp';
/** The type that clients claim for unknown files. */
const UNKNOWN_TYPE = 'application/octet-stream';

/**
 * Checks the files of an edit before decoding any, since some kilobytes can hold gigabytes of pixels.
 *
 * @throws ApiError 400 for a file that is damaged, of another kind than its part claims, of an unsupported kind, or
 *   too large, or for a mask that does not fit the image
 */
export async function checkEditFiles({
  images,
  mask,
}: {
  images: readonly [EditFile, ...EditFile[]];
  mask?: EditFile;
}): Promise<void> {
  for (const file of [...images, ...(mask === undefined ? [] : [mask])]) {
    await checkFile(file);
  }
  if (mask !== undefined) {
    await checkMask(mask);
    const [size, masked] = [readSize(images[0]), readSize(mask)];
    if (masked.width !== size.width || masked.height !== size.height) {
      throw invalidRequest(
        `mask must be as large as the image: ${size.width}x${size.height}, not ${masked.width}x${masked.height}.`,
        'invalid_mask',
      );
    }
  }
}

async function checkFile(file: EditFile): Promise<void> {
  checkClaim(file);
  const damage = await findDamage(file.bytes);
  if (damage !== undefined) {
    throw invalidImage(file, damage.message);
  }
  await checkKind(file);
  const { width, height } = readSize(file);
  if (width * height > MOST_PIXELS) {
    throw invalidImage(
      file,
      `it may have at most ${MOST_PIXELS} pixels, as many as ${LARGEST_SIDE}x${LARGEST_SIDE}, not ${width}x${height}`,
    );
  }
}

/** Compares the claimed type with the bytes. Files that are not images are refused later. */
function checkClaim(file: EditFile): void {
  const { mediaType = UNKNOWN_TYPE } = file;
  const format = sniffImage(file.bytes);
  if (format === undefined || mediaType === UNKNOWN_TYPE || mediaType === format.mediaType) {
    return;
  }
  throw invalidImage(
    file,
    `its Content-Type ${JSON.stringify(mediaType)} is not that of its bytes, which are ${format.mediaType}; send ${TAKEN}`,
  );
}

/** @throws ApiError 400 for animations, and for JPEG images that browsers don't show */
async function checkKind(file: EditFile): Promise<void> {
  const reader = new RangeReader(file.bytes);
  switch (sniffImage(file.bytes)?.extension) {
    case 'png':
      for await (const { type } of pngChunks(reader)) {
        if (type === 'acTL') {
          throw invalidImage(file, 'it is an animated PNG; send a still image');
        }
      }
      break;
    case 'webp':
      for await (const { type } of webpChunks(reader)) {
        if (type === 'ANMF') {
          throw invalidImage(file, 'it is an animated WebP; send a still image');
        }
      }
      break;
    case 'jpg':
      for await (const { type, start } of jpegSegments(reader)) {
        if (type.startsWith('SOF')) {
          const [bits, , , , , components] = await reader.read(start, 6);
          if (components === 4) {
            throw invalidImage(file, 'it is a CMYK JPEG; send it in RGB or grayscale');
          }
          if (!['SOF0', 'SOF1', 'SOF2'].includes(type) || bits !== 8 || components === 2) {
            throw invalidImage(
              file,
              `it is a JPEG of a rare kind (${type}, ${bits} bits, ${components} components); send a baseline or progressive one`,
            );
          }
          break;
        }
      }
      break;
    case undefined:
  }
}

/** @throws ApiError 400 unless the mask is a PNG with transparency */
async function checkMask(mask: EditFile): Promise<void> {
  const format = sniffImage(mask.bytes);
  const reason =
    format?.extension !== 'png'
      ? `it must be a PNG, not ${format?.mediaType}`
      : (await hasAlpha(mask.bytes))
        ? undefined
        : 'it has no alpha channel';
  if (reason !== undefined) {
    throw invalidRequest(
      `mask must be transparent where the image is to be edited: ${reason}.`,
      'invalid_mask',
    );
  }
}

async function hasAlpha(png: Uint8Array): Promise<boolean> {
  const reader = new RangeReader(png);
  for await (const { type, start } of pngChunks(reader)) {
    const [colorType] = type === 'IHDR' ? await reader.read(start + 9, 1) : [];
    if (type === 'tRNS' || colorType === 4 || colorType === 6) {
      return true;
    }
  }
  return false;
}

function readSize(file: EditFile): Size {
  try {
    return imageSize(file.bytes);
  } catch (error) {
    throw error instanceof CodecError ? invalidImage(file, error.message) : error;
  }
}

function invalidImage({ label }: EditFile, reason: string): ApiError {
  return invalidRequest(`${label}: ${reason.replace(/\.$/u, '')}.`, 'invalid_image');
}
