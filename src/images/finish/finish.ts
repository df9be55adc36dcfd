import * as english from '../../common/english.ts';
import { findDamage, isCut } from '../formats/findDamage.ts';
import { webpChunks, RangeReader } from '../formats/containers.ts';
import { hasCredentials, type Provenance, readProvenance } from '../formats/provenance.ts';
import type { Dimensions } from '../formats/dimensions.ts';
import { type Encoding, type Finish, type FinishFacts, noQuality, whyLeftAlone } from '../formats/finish.ts';
import { memoryFor } from '../formats/limits.ts';
import { readOrientation } from '../formats/animation.ts';
import type { ImageFormat } from '../formats/sniff.ts';
import { uprightSize } from '../codecs/applyOrientation.ts';
import { encodeImage, formatOf, requireSize, sourceOf, flawOf } from '../codecs/codecSet.ts';
import { embedProvenance } from '../codecs/embedProvenance.ts';
import { losesColorsOf, withColorsOf } from '../codecs/colorProfile.ts';
import { CodecError, isOpaque } from '../codecs/pixels.ts';
import { staysInPlace, placementOf } from './placement.ts';
import { backgroundColor, render, type RenderFacts } from './render.ts';

/** Bytes of working memory per pixel to cut out a subject. */
const workToCut = 2;

export interface Finished extends FinishFacts {
  bytes: Uint8Array;
  mediaType: ImageFormat['mediaType'];
  size: Dimensions;
}

/** Optional inputs besides the image's own bytes. */
export interface FinishSources {
  provenance?: Provenance;
  /** The file of the image on white, if the other one is on black. */
  onWhite?: Uint8Array;
  /** Whether the image was already checked for damage. */
  isChecked?: true;
  /** Maximum memory to use, in bytes. */
  maxMemory?: number;
}

/**
 * Gives an image the requested format, size, and margins. Applies its EXIF orientation, and keeps its color profile. A
 * file that already meets the request stays as it is, byte by byte, unless a quality is requested; only its provenance
 * is added. Provenance that came with the file is kept. A damaged file is finished as far as it can be decoded.
 *
 * @throws CodecError for a file that can't be decoded, is truncated or of an unknown format, for a result of more than
 *   100 megapixels or larger than its format allows, for margins that leave no room, and for a quality with PNG
 */
export async function finish(
  bytes: Uint8Array,
  how: Finish,
  { provenance, isChecked, ...limits }: FinishSources = {},
): Promise<Finished> {
  if (await isCut(bytes, bytes.length)) {
    throw new CodecError(english.t('The image is damaged: its file ends too early.'));
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

/** Returns damage in a file that finishing it didn't reveal. */
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
      english.t(
        'To finish {0} × {1} pixels takes about {2} MB of memory, more than the {3} MB that Limner takes for it.',
        got.width,
        got.height,
        inMegabytes(needed),
        inMegabytes(maxMemory),
      ),
    );
  }
  // An image that becomes transparent can't stay a JPEG file, unless that is requested.
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
  const file = await withColorsOf(await encodeImage(pixels, encoding), source);
  const isRewritten = how.quality !== undefined && !isChanged && encoding.format === formatOf(bytes);
  return {
    bytes: file,
    mediaType: mediaTypeOf(file),
    got,
    size: { width: pixels.width, height: pixels.height },
    ...facts,
    ...(isRewritten && file.length >= bytes.length && { notSmaller: true }),
    ...((await losesColorsOf(file, source)) && { lostColours: true }),
    ...(((await hasCredentials(bytes)) || (await hasCredentials(source))) && { lostCredentials: true }),
  };
}

/** Returns the approximate maximum memory to finish an image, in bytes, whatever is trimmed. */
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

/** Returns the encoding to use. @throws CodecError for a quality that its format doesn't have */
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

/** Returns the encoding for an image in its own format: lossless if it is lossless, otherwise nearly so. */
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

/** Whether an image looks the same in all programs. Some ignore the orientation of PNG and WebP files. */
async function isSeenAlike(bytes: Uint8Array): Promise<boolean> {
  return formatOf(bytes) === 'jpeg' || (await readOrientation(bytes)) === 1;
}

/** Whether only the pixels of an image, not its size, can tell that all of it stays in place. */
function needsPixels(size: Dimensions, how: Finish): boolean {
  return (
    how.cutout !== undefined ||
    how.trim !== undefined ||
    backgroundColor(how) !== undefined ||
    !staysInPlace(placementOf(size, how, undefined), size)
  );
}
