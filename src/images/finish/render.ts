import * as english from '../../common/english.ts';
import type { Dimensions } from '../formats/dimensions.ts';
import { type Finish, type FinishFacts, isCutoutRefused } from '../formats/finish.ts';
import { maxPixels } from '../formats/limits.ts';
import { amountAt } from '../../common/requestValues.ts';
import { decodeUpright, uprightSize } from '../codecs/applyOrientation.ts';
import { encodeImage, formatOf, type Format } from '../codecs/codecSet.ts';
import { repairTransparency } from '../codecs/masks.ts';
import { CodecError, isOpaque, type Pixels, release } from '../codecs/pixels.ts';
import { resize } from '../codecs/resize.ts';
import { embedProvenance } from '../codecs/embedProvenance.ts';
import { readProvenance } from '../formats/provenance.ts';
import { haveSameColors, withColorsOf } from '../codecs/colorProfile.ts';
import { channelsOf, cut as cutPart, flatten, surround } from './canvas.ts';
import { cutOut, type CutOut, doubted } from './cutOut.ts';
import { isSame, staysInPlace, type Placement, placementOf } from './placement.ts';
import { hasHalvedChroma, sharpenChroma } from './sharpenChroma.ts';
import { seenPart } from './trimming.ts';

/** Changes made to the pixels of an image. */
export type RenderFacts = Pick<FinishFacts, 'scaled' | 'untrimmed' | 'flattened' | 'cutout'>;

interface Rendered {
  pixels: Pixels;
  facts: RenderFacts;
  /** The file with the pixels' color profile. */
  source: Uint8Array;
  /** Whether any pixel differs from the original. */
  isChanged: boolean;
}

const white = '#ffffff';

/** Maximum reduction, beyond which a single pixel takes too much memory. */
const mostReduction = 10_000;

/** Renders the pixels of a finished image. `onFlaw` as for `decodeImage`, errors as for `finish`. */
export async function render(
  bytes: Uint8Array,
  how: Finish,
  format: Format,
  onWhite: Uint8Array | undefined,
  onFlaw?: (flaw: string) => void,
): Promise<Rendered> {
  const { pixels, cut, source = bytes } = await cutIfAsked(bytes, how, onWhite, onFlaw);
  const hasAlpha = !isOpaque(pixels);
  const subject = how.trim && hasAlpha ? seenPart(pixels) : undefined;
  const placement = placementOf(pixels, how, subject);
  const { taken, place, canvas } = placement;
  if (canvas.width * canvas.height > maxPixels) {
    throw new CodecError(
      english.t('{0} × {1} pixels are more than 100 megapixels.', canvas.width, canvas.height),
    );
  }
  if (taken.width > mostReduction * place.width || taken.height > mostReduction * place.height) {
    throw new CodecError(english.t("An image can't be scaled down more than {0} times.", mostReduction));
  }
  const fill = how.fit?.by === 'pad' ? how.fit.fill : 'transparent';
  const isSurrounded = !isSame(place, canvas);
  const wanted = backgroundColor(how);
  const isTransparent = hasAlpha || (isSurrounded && fill === 'transparent');
  const lost = format === 'jpeg' && wanted === undefined && isTransparent ? white : undefined;
  const background = wanted ?? lost;
  // Both a transparent background and a color were asked for.
  const flattened = lost ?? (cut && hasAlpha ? wanted : undefined);
  let finished = replaced(pixels, showPart(pixels, placement));
  if (background !== undefined && hasAlpha) {
    flatten(finished, channelsOf(background));
  }
  if (isSurrounded) {
    const around = fill === 'transparent' ? (background ?? fill) : fill;
    finished = replaced(finished, surround(finished, place, canvas, around));
  }
  return {
    pixels: finished,
    facts: {
      ...scaling(taken, place),
      ...(how.trim && !subject && { untrimmed: hasAlpha ? 'empty' : 'opaque' }),
      ...(flattened !== undefined && { flattened }),
      ...(cut && { cutout: cut.report }),
    },
    source,
    isChanged:
      cut?.isChanged === true || !staysInPlace(placement, pixels) || (background !== undefined && hasAlpha),
  };
}

/** The image as received, and how it was finished. */
export interface Received {
  bytes: Uint8Array;
  how: Finish;
  /** The file of the image on white, if `bytes` is on black. */
  onWhite?: Uint8Array | undefined;
}

/** Most pixels whose transparency is repaired. */
const mostRepaired = 40_000_000;
/** Share of the opaque pixels that must show the same, and how much they may differ in a channel. */
const leastAlike = 0.9;
const likeness = 40;

/**
 * Returns the pixels of an image before its background was removed, in the size and place of the finished file.
 *
 * @returns undefined if they can't be told: the file was changed since, or is another one
 */
export async function sourceOf(file: Uint8Array, received: Received): Promise<Pixels | undefined> {
  const finished = await decodeUpright(file);
  const { how } = received;
  const kept = how.trim && how.cutout && { ...how, cutout: { ...how.cutout, keepAnyway: true as const } };
  // Whether a cutout with a failed check was kept also decides what was trimmed.
  for (const one of kept ? [how, kept] : [how]) {
    const placed = await placedUncut({ ...received, how: one }).catch(() => undefined);
    if (placed && isSame(placed, finished) && isAlike(finished, placed)) {
      return placed;
    }
  }
  return undefined;
}

async function placedUncut({ bytes, how, onWhite }: Received): Promise<Pixels> {
  const { cutout, ...others } = how;
  const uncut = cutout?.by === 'grounds' && onWhite ? onWhite : bytes;
  let subject: ReturnType<typeof seenPart>;
  if (how.trim) {
    // Only the cutout tells what was trimmed.
    const { pixels } = await cutIfAsked(bytes, how, onWhite);
    subject = isOpaque(pixels) ? undefined : seenPart(pixels);
    release(pixels.rgba);
  }
  const pixels = await decodeUpright(uncut);
  const placement = placementOf(pixels, others, subject);
  const shown = replaced(pixels, showPart(pixels, placement));
  return isSame(placement.place, placement.canvas)
    ? shown
    : replaced(shown, surround(shown, placement.place, placement.canvas, 'transparent'));
}

/** Whether the opaque pixels of a cutout are those of an image: nobody moved them since. */
function isAlike({ rgba: cut }: Pixels, { rgba: whole }: Pixels): boolean {
  let [opaque, alike] = [0, 0];
  for (let at = 0; at < cut.length; at += 4) {
    if (cut[at + 3] === 255 && whole[at + 3] !== 0) {
      opaque++;
      alike += amountAt(cut, whole, at) <= likeness ? 1 : 0;
    }
  }
  return alike >= leastAlike * opaque;
}

/**
 * Returns what was cut out of an image, as a PNG of the size of the finished file; undefined as for `sourceOf`.
 *
 * @throws CodecError if the file can't be read, or is too large to be repaired
 */
export async function repairSource(
  file: Uint8Array,
  received: Received | undefined,
): Promise<Uint8Array | undefined> {
  const { width, height } = await uprightSize(file);
  if (width * height > mostRepaired) {
    throw new CodecError(
      english.t('{0} × {1} pixels are more than can be repaired here (40 megapixels).', width, height),
    );
  }
  const source = received && (await sourceOf(file, received));
  return source && withColorsOf(await encodeImage(source, { format: 'png' }), file);
}

/** Repairs the transparency of an image. @throws CodecError as `repairTransparency` */
export async function repair(
  file: Uint8Array,
  alpha: Uint8Array,
  received: Received | undefined,
): Promise<Uint8Array> {
  const source = received && (await sourceOf(file, received));
  const made = await repairTransparency({ file, alpha, source });
  const provenance = await readProvenance(file);
  return (provenance && (await embedProvenance(made, provenance))) ?? made;
}

/** Returns the pixels of an image, cut out if requested, or unchanged if that failed. */
async function cutIfAsked(
  bytes: Uint8Array,
  { cutout }: Finish,
  onWhite: Uint8Array | undefined,
  onFlaw?: (flaw: string) => void,
): Promise<{ pixels: Pixels; cut?: Omit<CutOut, 'pixels'>; source?: Uint8Array }> {
  const isCoarse = cutout?.by === 'key' && (await hasHalvedChroma(bytes));
  const coarse = isCoarse ? (formatOf(bytes) === 'jpeg' ? 'JPEG' : 'WebP') : undefined;
  const decoded = await decodeUpright(bytes, onFlaw, isCoarse ? sharpenChroma : undefined);
  if (!cutout) {
    return { pixels: decoded };
  }
  const { pixels, ...cut } = await cutOut(decoded, cutout.by, onWhite, { ...cutout, coarse });
  if ((cut.isChanged || cutout.by === 'key') && isCutoutRefused(cut.report)) {
    release(pixels.rgba);
    return { pixels: await decodeUpright(bytes), cut: { ...cut, isChanged: false } };
  }
  if (!cut.isChanged || cutout.by !== 'grounds' || !onWhite) {
    return { pixels, cut };
  }
  const report = await colorJudged(cut.report, bytes, onWhite);
  return { pixels, cut: { ...cut, report }, source: onWhite };
}

/** Adds to a report that the compared images have different color profiles. */
async function colorJudged(
  report: CutOut['report'],
  onBlack: Uint8Array,
  onWhite: Uint8Array,
): Promise<CutOut['report']> {
  const text = english.t('The two pictures have different color profiles, so their difference tells less.');
  return (await haveSameColors(onBlack, onWhite)) ? report : doubted(report, 'mismatch', text);
}

/** Returns the color to lay an image on, if any. */
export function backgroundColor({ fit }: Finish): string | undefined {
  return fit?.by === 'pad' && fit.fill.startsWith('#') ? fit.fill : undefined;
}

function showPart(pixels: Pixels, { taken, place }: Placement): Pixels {
  if (!isSame(taken, place)) {
    return resize(pixels, taken, place);
  }
  return isSame(taken, pixels) ? pixels : cutPart(pixels, taken);
}

/** Returns new pixels, and frees the memory of the old ones. */
function replaced(old: Pixels, made: Pixels): Pixels {
  if (made !== old) {
    release(old.rgba);
  }
  return made;
}

function scaling(taken: Dimensions, place: Dimensions): RenderFacts {
  const more = Math.max(place.width - taken.width, place.height - taken.height);
  const less = Math.max(taken.width - place.width, taken.height - place.height);
  if (more > 0.5) {
    return { scaled: 'up' };
  }
  return less > 0.5 ? { scaled: 'down' } : {};
}
