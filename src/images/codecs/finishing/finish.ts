// Room: makes the file that was asked for of the one that arrived: background, format, size, trimming.
// Never: which file that is, or where it goes.

import { findDamage, isCut } from '../../damage/findDamage.ts';
import { webpChunks } from '../../formats/containers.ts';
import { hasCredentials } from '../../formats/credentials.ts';
import type { Dimensions } from '../../formats/dimensions.ts';
import { type Encoding, type Finish, type FinishFacts, noQuality } from '../../formats/finish.ts';
import { whyLeftAlone } from '../../formats/leftAlone.ts';
import { memoryFor } from '../../formats/limits.ts';
import { readOrientation } from '../../formats/orientation.ts';
import { type Provenance, readProvenance } from '../../formats/provenance.ts';
import { RangeReader } from '../../formats/rangeReader.ts';
import type { ImageFormat } from '../../formats/sniff.ts';
import { uprightSize } from '../applyOrientation.ts';
import { encodeImage, formatOf, requireSize, sourceOf } from '../codecSet.ts';
import { flawOf } from '../flawOf.ts';
import { embedProvenance } from '../embedProvenance.ts';
import { losesColoursOf, withColoursOf } from '../colourProfile.ts';
import { CodecError, isOpaque } from '../pixels.ts';
import { staysInPlace, placementOf } from './placement.ts';
import { groundOf, render, type RenderFacts } from './render.ts';

/** Bytes that are noted for each pixel to cut out a subject. */
const workToCut = 2;

/** A finished picture, and what had to be done to it. */
export interface Finished extends FinishFacts {
  bytes: Uint8Array;
  mediaType: ImageFormat['mediaType'];
  size: Dimensions;
}

/** What a picture is finished with besides its own bytes. */
export interface FinishSources {
  /** Is written into the file. */
  provenance?: Provenance;
  /** The file of the picture on white, of which the other one is on black. */
  onWhite?: Uint8Array;
  /** The picture was looked at for damage already. */
  isChecked?: true;
  /** The most memory that it may take, in bytes. */
  maxMemory?: number;
}

/**
 * Gives a picture the format, the size and the margins that are wanted, with its EXIF orientation applied and its
 * colour profile. A file that is as wanted stays as it is, byte by byte, unless it is to be written in a quality; only its
 * provenance is added, unless it brought its own, which other pixels keep. A damaged file is finished as far as it can be
 * decoded.
 *
 * @throws CodecError for a file that can't be decoded, is truncated or of no known format, for a result of more than 100
 *   megapixels or larger than its format allows, for margins that leave no room, and for a quality that a PNG file is to have
 */
export async function finish(
  bytes: Uint8Array,
  how: Finish,
  { provenance, isChecked, ...limits }: FinishSources = {},
): Promise<Finished> {
  if (await isCut(bytes, bytes.length)) {
    throw new CodecError('The image is damaged: its file ends too early.');
  }
  let heard: string | undefined;
  const onFlaw = (flaw: string): void => {
    heard = flaw;
  };
  const made = await finishPixels(bytes, how, limits, onFlaw);
  const damage = heard ?? (isChecked ? undefined : await unheardFlaw(bytes, made));
  const finished = damage === undefined ? made : { ...made, damage };
  const { untouched } = finished;
  if (!provenance) {
    const own = untouched === undefined ? await readProvenance(bytes) : undefined;
    const file = own && (await embedProvenance(finished.bytes, own));
    return file ? { ...finished, bytes: file } : finished;
  }
  if (untouched !== undefined && untouched !== 'nothingToDo') {
    return finished;
  }
  if (untouched && (await hasCredentials(bytes))) {
    return { ...finished, embedded: 'credentials' };
  }
  const file = await embedProvenance(finished.bytes, provenance);
  if (!file) {
    return { ...finished, embedded: 'metadata' };
  }
  const { untouched: _, ...changed } = finished;
  return { ...changed, bytes: file, embedded: true };
}

/** Returns what is wrong with a file that the making of another one did not tell. */
async function unheardFlaw(bytes: Uint8Array, { untouched }: Finished): Promise<string | undefined> {
  if (untouched !== undefined) {
    return flawOf(bytes);
  }
  // Its pixels were read.
  return formatOf(bytes) === 'png' ? (await findDamage(bytes))?.message : undefined;
}

async function finishPixels(
  bytes: Uint8Array,
  how: Finish,
  { onWhite, maxMemory = Infinity }: Pick<FinishSources, 'onWhite' | 'maxMemory'>,
  onFlaw: (flaw: string) => void,
): Promise<Finished> {
  const got = await uprightSize(bytes);
  const given = (untouched: NonNullable<Finished['untouched']>, facts: RenderFacts = {}): Finished => {
    return { bytes, mediaType: mediaTypeOf(bytes), got, size: got, untouched, ...facts };
  };
  const reason = await whyLeftAlone(bytes);
  if (reason) {
    return given(reason);
  }
  if (Object.keys(how).length === 0) {
    return given('nothingToDo');
  }
  const usual = await encodingFor(bytes, how);
  const isAlike = await isSeenAlike(bytes);
  const mayStay = isAlike && how.quality === undefined;
  if (usual.format === formatOf(bytes) && mayStay && !needsPixels(got, how)) {
    return given('nothingToDo');
  }
  requireSize(got);
  const files = onWhite && how.cutout?.by === 'grounds' ? [bytes, onWhite] : [bytes];
  const needed = memoryToFinish(files, got, how, usual);
  if (needed > maxMemory) {
    throw new CodecError(
      `To finish ${got.width} × ${got.height} pixels takes about ${inMegabytes(needed)} MB of memory, more than the ${inMegabytes(maxMemory)} MB that Limner takes for it.`,
    );
  }
  // A picture that becomes transparent is no JPEG file, unless that is asked for.
  const mayChange = how.cutout !== undefined && how.encoding === undefined && usual.format === 'jpeg';
  const { pixels, facts, source, isChanged } = await render(
    bytes,
    how,
    mayChange ? 'png' : usual.format,
    onWhite,
    onFlaw,
  );
  const encoding = mayChange && !isOpaque(pixels) ? transparent : usual;
  if (encoding === transparent && how.quality !== undefined) {
    throw new CodecError(noQuality);
  }
  if (encoding.format === formatOf(bytes) && mayStay && !isChanged) {
    return given('nothingToDo', facts);
  }
  const file = await withColoursOf(await encodeImage(pixels, encoding), source);
  const isRewritten = how.quality !== undefined && !isChanged && encoding.format === formatOf(bytes);
  return {
    bytes: file,
    mediaType: mediaTypeOf(file),
    got,
    size: { width: pixels.width, height: pixels.height },
    ...facts,
    ...(isRewritten && file.length >= bytes.length && { notSmaller: true }),
    ...((await losesColoursOf(file, source)) && { lostColours: true }),
    ...(((await hasCredentials(bytes)) || (await hasCredentials(source))) && { lostCredentials: true }),
  };
}

/** Returns about how many bytes of memory it takes at most to finish a picture, whatever is trimmed of it. */
function memoryToFinish(
  files: readonly Uint8Array[],
  own: Dimensions,
  how: Finish,
  encoding: Encoding,
): number {
  const whole = how.trim && { left: 0, top: 0, ...own };
  const { canvas } = placementOf(own, how, whole);
  const format = 'lossless' in encoding ? 'lossless' : encoding.format;
  return memoryFor(files.map(sourceOf), how.cutout ? workToCut : 0, { ...canvas, format });
}

function inMegabytes(bytes: number): number {
  return Math.round(bytes / 1_000_000);
}

function mediaTypeOf(bytes: Uint8Array): Finished['mediaType'] {
  return `image/${formatOf(bytes)}`;
}

const transparent = { format: 'png' } as const;

/**
 * Returns how to write a picture, if it has to be written.
 * @throws CodecError for a quality that its format doesn't have
 */
async function encodingFor(bytes: Uint8Array, { encoding, quality }: Finish): Promise<Encoding> {
  if (quality === undefined) {
    return encoding ?? encodingLike(bytes);
  }
  const format = encoding?.format ?? formatOf(bytes);
  if (format === 'png') {
    throw new CodecError(noQuality);
  }
  return { format, quality };
}

/** Returns how to write a picture in its own format: without loss if it has none, or else nearly so. */
async function encodingLike(bytes: Uint8Array): Promise<Encoding> {
  const format = formatOf(bytes);
  return format === 'webp' && (await isLossless(bytes))
    ? { format, lossless: true }
    : { format, quality: 92 };
}

async function isLossless(webp: Uint8Array): Promise<boolean> {
  for await (const { type } of webpChunks(new RangeReader(webp))) {
    if (type === 'VP8L') {
      return true;
    }
  }
  return false;
}

/** Whether a picture looks the same in all programs. Some ignore the orientation of PNG and WebP files. */
async function isSeenAlike(bytes: Uint8Array): Promise<boolean> {
  return formatOf(bytes) === 'jpeg' || (await readOrientation(bytes)) === 1;
}

/** Whether the size of a picture does not tell that all of it stays where it is. */
function needsPixels(size: Dimensions, how: Finish): boolean {
  return (
    how.cutout !== undefined ||
    how.trim !== undefined ||
    groundOf(how) !== undefined ||
    !staysInPlace(placementOf(size, how, undefined), size)
  );
}
