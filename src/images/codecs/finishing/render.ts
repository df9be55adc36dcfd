import type { Dimensions } from '../../formats/dimensions.ts';
import type { Finish, FinishFacts } from '../../formats/finish.ts';
import { maxPixels } from '../../formats/limits.ts';
import { decodeUpright } from '../applyOrientation.ts';
import type { Format } from '../codecSet.ts';
import { CodecError, isOpaque, type Pixels, release } from '../pixels.ts';
import { resize } from '../resize.ts';
import { haveSameColours } from '../sameColours.ts';
import { channelsOf, cut as cutPart, flatten, surround } from './canvas.ts';
import { cutOut, type CutOut, doubted } from './cutOut.ts';
import { isSame, staysInPlace, type Placement, placementOf } from './placement.ts';
import { seenPart } from './trimming.ts';

/** What had to be done to the pixels of a picture. */
export type RenderFacts = Pick<FinishFacts, 'scaled' | 'untrimmed' | 'flattened' | 'cutout'>;

interface Rendered {
  pixels: Pixels;
  facts: RenderFacts;
  /** The file that the pixels come from, which tells what their colours mean. */
  source: Uint8Array;
  /** Whether a pixel is not what it was, where it was. */
  isChanged: boolean;
}

const white = '#ffffff';

/** Beyond that, what becomes one pixel takes too much memory. */
const mostReduction = 10_000;

/**
 * Makes the pixels of a finished picture.
 *
 * @param onFlaw as for `decodeImage`
 * @throws CodecError as `finish`
 */
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
    throw new CodecError(`${canvas.width} × ${canvas.height} pixels are more than 100 megapixels.`);
  }
  if (taken.width > mostReduction * place.width || taken.height > mostReduction * place.height) {
    throw new CodecError(`An image can't be scaled down more than ${mostReduction} times.`);
  }
  const fill = how.fit?.by === 'pad' ? how.fit.fill : 'transparent';
  const isSurrounded = !isSame(place, canvas);
  const wanted = groundOf(how);
  const isTransparent = hasAlpha || (isSurrounded && fill === 'transparent');
  const lost = format === 'jpeg' && wanted === undefined && isTransparent ? white : undefined;
  const ground = wanted ?? lost;
  // A transparent background was asked for, and a colour.
  const flattened = lost ?? (cut && hasAlpha ? wanted : undefined);
  let finished = replaced(pixels, showPart(pixels, placement));
  if (ground !== undefined && hasAlpha) {
    flatten(finished, channelsOf(ground));
  }
  if (isSurrounded) {
    const around = fill === 'transparent' ? (ground ?? fill) : fill;
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
      cut?.isChanged === true || !staysInPlace(placement, pixels) || (ground !== undefined && hasAlpha),
  };
}

/** Returns the pixels of a picture, cut out if that is asked for: as they were where nothing good came of it. */
async function cutIfAsked(
  bytes: Uint8Array,
  { cutout }: Finish,
  onWhite: Uint8Array | undefined,
  onFlaw?: (flaw: string) => void,
): Promise<{ pixels: Pixels; cut?: Omit<CutOut, 'pixels'>; source?: Uint8Array }> {
  const decoded = await decodeUpright(bytes, onFlaw);
  if (!cutout) {
    return { pixels: decoded };
  }
  const { pixels, ...cut } = await cutOut(decoded, cutout.by, onWhite);
  if (cut.isChanged && cut.report.verdict === 'bad') {
    release(pixels.rgba);
    return { pixels: await decodeUpright(bytes), cut: { ...cut, isChanged: false } };
  }
  if (!cut.isChanged || cutout.by !== 'grounds' || !onWhite) {
    return { pixels, cut };
  }
  const report = await colourJudged(cut.report, bytes, onWhite);
  return { pixels, cut: { ...cut, report }, source: onWhite };
}

/** Adds to a report that pixels were compared which do not mean the same colours. */
async function colourJudged(
  report: CutOut['report'],
  onBlack: Uint8Array,
  onWhite: Uint8Array,
): Promise<CutOut['report']> {
  const text = 'The two pictures have different color profiles, so their difference tells less.';
  return (await haveSameColours(onBlack, onWhite)) ? report : doubted(report, 'mismatch', text);
}

/** Returns the colour that a picture is to be laid on, if any. */
export function groundOf({ fit }: Finish): string | undefined {
  return fit?.by === 'pad' && fit.fill.startsWith('#') ? fit.fill : undefined;
}

/** Returns what is seen of a picture in the size that it gets. */
function showPart(pixels: Pixels, { taken, place }: Placement): Pixels {
  if (!isSame(taken, place)) {
    return resize(pixels, taken, place);
  }
  return isSame(taken, pixels) ? pixels : cutPart(pixels, taken);
}

/** Returns pixels, and gives the memory back of those that they were made of. */
function replaced(old: Pixels, made: Pixels): Pixels {
  if (made !== old) {
    release(old.rgba);
  }
  return made;
}

/** Says in which direction pixels are scaled, beyond what rounding does. */
function scaling(taken: Dimensions, place: Dimensions): RenderFacts {
  const more = Math.max(place.width - taken.width, place.height - taken.height);
  const less = Math.max(taken.width - place.width, taken.height - place.height);
  if (more > 0.5) {
    return { scaled: 'up' };
  }
  return less > 0.5 ? { scaled: 'down' } : {};
}
