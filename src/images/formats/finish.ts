import * as v from 'valibot';
import { maxPixels, maxRow, maxSide } from './limits.ts';
import { cutoutFlaws, cutoutWays } from './cutout.ts';
import { reasonsToLeaveAlone } from './leftAlone.ts';
import { allMultiples, roundedUp } from './roundedUp.ts';

const encodingProblem = 'The format must be "png", "jpeg", or "webp", with a quality or lossless.';
const qualityProblem = 'The quality must be a whole number from 1 to 100.';
export const noQuality = 'Only JPEG and WebP files have a quality. Choose one of these formats.';
/** A margin on all sides, in pixels: with it, a picture stays within 100 megapixels. */
const mostMargin = 4000;
const marginProblem = `The margin must be a whole number of "px" up to ${mostMargin}, or less than 50 "%".`;
const sizeProblem = 'The size must have a width and a height, in whole pixels from 1.';
const multiplesProblem = 'Sizes can be rounded up to multiples of 16 or to a "powerOfTwo".';
const fitProblem = 'The fit must be by "crop" with a focus, by "pad" with a fill, or by "stretch".';
const focusProblem = 'The focus must lie between 0 and 1 from the left, and from the top.';
const fillProblem = 'The fill must be "transparent", "edge", or a color like "#ff8800".';
const cutoutProblem = 'The background can be removed by "alpha", by a "key" color, or by two "grounds".';
const partsProblem =
  'A finishing step has only a cutout, an encoding, a quality, a trim, a size, multiples, and a fit.';

const quality = v.pipe(whole(1, qualityProblem), v.maxValue(100, qualityProblem));

const encoding = v.variant(
  'format',
  [
    v.strictObject(
      {
        format: v.picklist(['png', 'jpeg', 'webp']),
        /** From 1 to 100. PNG is lossless and has no quality. */
        quality: v.exactOptional(quality),
      },
      encodingProblem,
    ),
    // Keeps every pixel unchanged, colours under full transparency too.
    v.strictObject({ format: v.literal('webp'), lossless: v.literal(true) }, encodingProblem),
  ],
  encodingProblem,
);

const trim = v.variant(
  'unit',
  [
    v.strictObject(
      {
        unit: v.literal('px'),
        margin: v.pipe(whole(0, marginProblem), v.maxValue(mostMargin, marginProblem)),
      },
      marginProblem,
    ),
    v.strictObject(
      {
        unit: v.literal('%'),
        margin: v.pipe(v.number(marginProblem), v.minValue(0, marginProblem), v.ltValue(50, marginProblem)),
      },
      marginProblem,
    ),
  ],
  marginProblem,
);

const side = v.pipe(whole(1, sizeProblem), v.maxValue(maxPixels, sizeProblem));

const share = v.pipe(v.number(focusProblem), v.minValue(0, focusProblem), v.maxValue(1, focusProblem));

const fill = v.union(
  [v.picklist(['transparent', 'edge']), v.pipe(v.string(), v.regex(/^#[0-9a-f]{6}$/iu, fillProblem))],
  fillProblem,
);

const fit = v.variant(
  'by',
  [
    v.strictObject(
      {
        by: v.literal('crop'),
        focus: v.exactOptional(v.strictObject({ x: share, y: share }, focusProblem)),
      },
      fitProblem,
    ),
    v.strictObject({ by: v.literal('pad'), fill }, fitProblem),
    v.strictObject({ by: v.literal('stretch') }, fitProblem),
  ],
  fitProblem,
);

const cutout = v.strictObject({ by: v.picklist(cutoutWays, cutoutProblem) }, cutoutProblem);

/** What becomes of a picture between its arrival and its publication, as it stands in a task's row. */
export const finish = v.pipe(
  v.strictObject(
    {
      /**
       * How the subject gets a transparent background. `alpha`: the picture has one. `key`: it is on a flat color that
       * is removed. `grounds`: it is on black, and another picture of it on white.
       */
      cutout: v.exactOptional(cutout),
      /** The format of the file, and how to write it if it has to be written; without it, the picture's own format. */
      encoding: v.exactOptional(encoding),
      /** The quality of the JPEG or WebP file, from 1 to 100: it is written in it even if it is as wanted otherwise. */
      quality: v.exactOptional(quality),
      /**
       * Cuts off the transparent surroundings of a subject, and puts a margin around it: in pixels of the finished
       * picture, or in percent of its shorter side. The margin is part of `size`.
       */
      trim: v.exactOptional(trim),
      /** The size of the finished picture in pixels; without it, the picture's own, trimmed where that is asked for. */
      size: v.exactOptional(v.strictObject({ width: side, height: side }, sizeProblem)),
      /** What width and height are rounded up to, for textures. */
      multiples: v.exactOptional(v.picklist(allMultiples, multiplesProblem)),
      /**
       * How the picture gets another size. `crop`, which is the default: it covers the size, and what is too much is
       * cut off around the focus, by default the middle, in shares of the upright picture. `pad`: all of it lies in
       * the middle, on nothing, on a colour that shows through it too, or surrounded by the pixels at its edge.
       * `stretch`: its proportions change.
       */
      fit: v.exactOptional(fit),
    },
    partsProblem,
  ),
  v.rawCheck(({ dataset, addIssue }) => {
    const message = dataset.typed ? conflictIn(dataset.value) : undefined;
    if (message !== undefined) {
      addIssue({ message });
    }
  }),
);

/** How far a cut-out can be trusted, and what speaks against it. */
export const cutoutReport = v.object({
  verdict: v.picklist(['good', 'doubtful', 'bad']),
  /** The gravest first, each a sentence in English. */
  reasons: v.array(v.object({ flaw: v.picklist(cutoutFlaws), text: v.string() })),
});

const dimensions = v.object({ width: v.number(), height: v.number() });

/** What had to be done to a picture, as it stands in a task's row. */
export const finishFacts = v.object({
  /** The size of the picture that arrived, upright, in pixels. */
  got: dimensions,
  /** There when the bytes are those that arrived, and why: they are left alone, or are what was asked for. */
  untouched: v.exactOptional(v.picklist([...reasonsToLeaveAlone, 'nothingToDo'])),
  /** `up` when pixels were invented in at least one direction. */
  scaled: v.exactOptional(v.picklist(['up', 'down'])),
  /** Why there was nothing to trim: no pixel is transparent, or all are. */
  untrimmed: v.exactOptional(v.picklist(['opaque', 'empty'])),
  /** The colour that took the place of transparency, which the format does not have. */
  flattened: v.exactOptional(v.string()),
  /** The format cannot express what the colours of the picture mean. They may look different. */
  lostColours: v.exactOptional(v.literal(true)),
  /** The picture's Content Credentials do not hold for its new bytes, and were left out. */
  lostCredentials: v.exactOptional(v.literal(true)),
  /** The file was written once more in its own format, in another quality, and is as large as before, or larger. */
  notSmaller: v.exactOptional(v.literal(true)),
  /** What is wrong with the file that arrived, in English, although it could be read. */
  damage: v.exactOptional(v.string()),
  /** How well the subject was cut out. */
  cutout: v.exactOptional(cutoutReport),
  /** The provenance is in the file, or what kept it out: Content Credentials or metadata that came with it. */
  embedded: v.exactOptional(v.union([v.literal(true), v.picklist(['credentials', 'metadata'])])),
});

/** A file format with its options. */
export type Encoding = v.InferOutput<typeof encoding>;
export type Finish = v.InferOutput<typeof finish>;
export type Fit = NonNullable<Finish['fit']>;
export type CutoutReport = v.InferOutput<typeof cutoutReport>;
export type FinishFacts = v.InferOutput<typeof finishFacts>;

/** Returns what is wrong with a finishing step in an English sentence, or undefined if it can be carried out. */
export function finishProblem(value: unknown): string | undefined {
  return v.safeParse(finish, value).issues?.[0].message;
}

/** Returns why values that are valid one by one cannot be had together. */
function conflictIn({ cutout, encoding, quality, trim, size, multiples, fit }: Finish): string | undefined {
  if (quality !== undefined && encoding?.format === 'png') {
    return noQuality;
  }
  if (cutout && encoding?.format === 'jpeg' && !(fit?.by === 'pad' && fit.fill.startsWith('#'))) {
    return "JPEG files can't be transparent. Choose PNG or WebP, or pad with a color.";
  }
  if (size === undefined) {
    return undefined;
  }
  const { width, height } = roundedUp(size, multiples);
  const format = encoding?.format ?? 'png';
  if (Math.max(width, height) > maxSide[format]) {
    return `${width} × ${height} pixels are too many for ${format}, which goes up to ${maxSide[format]} in width and height.`;
  }
  if (width > maxRow) {
    return `${width} × ${height} pixels are too wide: a row has at most ${maxRow}.`;
  }
  if (width * height > maxPixels) {
    return `${width} × ${height} pixels are more than 100 megapixels.`;
  }
  return trim?.unit === 'px' && 2 * trim.margin >= Math.min(size.width, size.height)
    ? `Margins of ${trim.margin} pixels leave no room in ${size.width} × ${size.height} pixels.`
    : undefined;
}

/** A whole number from `least` on, or else a sentence. */
function whole(least: number, message: string) {
  return v.pipe(v.number(message), v.integer(message), v.minValue(least, message));
}
