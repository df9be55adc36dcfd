import * as english from '../../common/english.ts';
import { isAnimated } from './animation.ts';
import { jpegSegments, RangeReader } from './containers.ts';
import { bitsPerChannel, sniffImage } from './sniff.ts';
import * as v from 'valibot';
import { maxPixels, maxRow, maxSide } from './limits.ts';
import { allMultiples, roundedUp } from './dimensions.ts';

export const cutoutWays = ['alpha', 'key', 'grounds'] as const;

export type CutoutWay = (typeof cutoutWays)[number];

export const cutoutFlaws = [
  'opaque',
  'checkerboard',
  'no_ground',
  'same_ground',
  'size',
  'subject',
  'empty',
  'full',
  'corners',
  'cut',
  'remains',
  'half',
  'holes',
  'eaten',
  'pieces',
  'uncertain',
  'mismatch',
  'grey_ground',
  'soft_edges',
] as const;

export type CutoutFlaw = (typeof cutoutFlaws)[number];

/** The reasons to leave an image as it is: the codecs can't write its frames, bit depth, or colors. */
export const reasonsToLeaveAlone = ['animated', '16bit', '12bit', 'cmyk'] as const;

export type ReasonToLeaveAlone = (typeof reasonsToLeaveAlone)[number];

/** Returns why an image is left as it is; undefined if it can be changed. */
export async function whyLeftAlone(bytes: Uint8Array): Promise<ReasonToLeaveAlone | undefined> {
  if (await isAnimated(bytes)) {
    return 'animated';
  }
  if (bitsPerChannel(bytes) > 8) {
    return '16bit';
  }
  return undecodable(bytes);
}

/** Returns why an undamaged JPEG file can't be decoded; undefined if it can. */
export async function undecodable(bytes: Uint8Array): Promise<'12bit' | 'cmyk' | undefined> {
  if (sniffImage(bytes)?.extension !== 'jpg') {
    return undefined;
  }
  const reader = new RangeReader(bytes);
  for await (const { type, start } of jpegSegments(reader)) {
    if (type === 'SOS') {
      return undefined;
    }
    if (type.startsWith('SOF')) {
      // The size is in between.
      const [bits = 8, , , , , channels] = await reader.read(start, 6);
      return bits > 8 ? '12bit' : channels === 4 ? 'cmyk' : undefined;
    }
  }
  return undefined;
}

const encodingProblem = english.t('The format must be "png", "jpeg", or "webp", with a quality or lossless.');
const qualityProblem = english.t('The quality must be a whole number from 1 to 100.');
export const noQuality = english.t('Only JPEG and WebP files have a quality. Choose one of these formats.');
/** Maximum margin on all sides, in pixels, which keeps an image within 100 megapixels. */
const mostMargin = 4000;
const marginProblem = english.t(
  'The margin must be a whole number of "px" up to {0}, or less than 50 "%".',
  mostMargin,
);
const sizeProblem = english.t('The size must have a width and a height, in whole pixels from 1.');
const multiplesProblem = english.t('Sizes can be rounded up to multiples of 16 or to a "powerOfTwo".');
const fitProblem = english.t(
  'The fit must be by "crop" with a focus, by "pad" with a fill, or by "stretch".',
);
const focusProblem = english.t('The focus must lie between 0 and 1 from the left, and from the top.');
const fillProblem = english.t('The fill must be "transparent", "edge", or a color like "#ff8800".');
const cutoutProblem = english.t(
  'The background can be removed by "alpha", by a "key" color, or by two "grounds".',
);
const partsProblem = english.t(
  'A finishing step has only a cutout, an encoding, a quality, a trim, a size, multiples, and a fit.',
);

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
    // Keeps every pixel unchanged, including colors under full transparency.
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

const cutout = v.strictObject(
  {
    by: v.picklist(cutoutWays, cutoutProblem),
    /** Keep the cutout even if its check fails. By default, the image then keeps its background. */
    keepAnyway: v.exactOptional(v.literal(true, cutoutProblem)),
    /** Make half-transparent areas inside the subject opaque: it has neither glass nor smoke. */
    solidInside: v.exactOptional(v.literal(true, cutoutProblem)),
  },
  cutoutProblem,
);

/** How to finish an image between its arrival and its publication, as stored in a task's row. */
export const finish = v.pipe(
  v.strictObject(
    {
      /**
       * How the subject gets a transparent background. `alpha`: the image has one. `key`: it is on a flat color that
       * is removed. `grounds`: it is on black, and another image of it on white.
       */
      cutout: v.exactOptional(cutout),
      /** The format of the file, and the options if it has to be written; by default, the image's own format. */
      encoding: v.exactOptional(encoding),
      /** The quality from 1 to 100. A JPEG or WebP file is written with it even if it needs no other change. */
      quality: v.exactOptional(quality),
      /**
       * Trims the transparent surroundings of a subject, and adds a margin: in pixels of the finished image, or in
       * percent of its shorter side. The margin is part of `size`.
       */
      trim: v.exactOptional(trim),
      /** The size of the finished image in pixels; by default, the image's own, after trimming. */
      size: v.exactOptional(v.strictObject({ width: side, height: side }, sizeProblem)),
      /** Rounds width and height up, for textures. */
      multiples: v.exactOptional(v.picklist(allMultiples, multiplesProblem)),
      /**
       * How the image is fitted to another size. `crop`, the default: it covers the size, and the rest is cropped
       * around the focus, by default the middle, in shares of the upright image. `pad`: all of it lies in the middle,
       * on transparency, on a color that also shows through it, or surrounded by the pixels at its edge. `stretch`:
       * its proportions change.
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

export const cutoutReport = v.object({
  verdict: v.picklist(['good', 'doubtful', 'bad']),
  /** The gravest first, each a sentence in English. */
  reasons: v.array(v.object({ flaw: v.picklist(cutoutFlaws), text: v.string() })),
  /** The check failed, and the cutout was kept nevertheless, as requested. */
  keptAnyway: v.exactOptional(v.literal(true)),
});

const dimensions = v.object({ width: v.number(), height: v.number() });

/** Changes made to an image, as stored in a task's row. */
export const finishFacts = v.object({
  /** The size of the image that arrived, upright, in pixels. */
  got: dimensions,
  /** The reason why the bytes are unchanged: they are left alone, or already meet the request. */
  untouched: v.exactOptional(v.picklist([...reasonsToLeaveAlone, 'nothingToDo'])),
  /** `up` when pixels were invented in at least one direction. */
  scaled: v.exactOptional(v.picklist(['up', 'down'])),
  /** The reason why nothing was trimmed: no pixel is transparent, or all are. */
  untrimmed: v.exactOptional(v.picklist(['opaque', 'empty'])),
  /** The color that replaced transparency, which the format does not have. */
  flattened: v.exactOptional(v.string()),
  /** The format cannot express the meaning of the image's colors. They may look different. */
  lostColours: v.exactOptional(v.literal(true)),
  /** The image's Content Credentials don't hold for its new bytes, and were left out. */
  lostCredentials: v.exactOptional(v.literal(true)),
  /** The file was written again in its own format with another quality, and didn't become smaller. */
  notSmaller: v.exactOptional(v.literal(true)),
  /** The damage in the file that arrived, in English, although it could be read. */
  damage: v.exactOptional(v.string()),
  cutout: v.exactOptional(cutoutReport),
  /** Whether the provenance is in the file, or what kept it out: Content Credentials or metadata that came with it. */
  embedded: v.exactOptional(v.union([v.literal(true), v.picklist(['credentials', 'metadata'])])),
});

export type Encoding = v.InferOutput<typeof encoding>;
export type Finish = v.InferOutput<typeof finish>;
export type Fit = NonNullable<Finish['fit']>;
export type CutoutReport = v.InferOutput<typeof cutoutReport>;
export type FinishFacts = v.InferOutput<typeof finishFacts>;

/** Whether an image kept its background because the check of its cutout failed. */
export function isCutoutRefused(report: CutoutReport | undefined): boolean {
  return report?.verdict === 'bad' && report.keptAnyway === undefined;
}

/** Returns the problem with a finishing step in an English sentence, or undefined if it is valid. */
export function finishProblem(value: unknown): string | undefined {
  return v.safeParse(finish, value).issues?.[0].message;
}

/** Returns why values that are valid one by one can't be combined. */
function conflictIn({ cutout, encoding, quality, trim, size, multiples, fit }: Finish): string | undefined {
  if (quality !== undefined && encoding?.format === 'png') {
    return noQuality;
  }
  if (cutout && encoding?.format === 'jpeg' && !(fit?.by === 'pad' && fit.fill.startsWith('#'))) {
    return english.t("JPEG files can't be transparent. Choose PNG or WebP, or pad with a color.");
  }
  if (size === undefined) {
    return undefined;
  }
  const { width, height } = roundedUp(size, multiples);
  const format = encoding?.format ?? 'png';
  if (Math.max(width, height) > maxSide[format]) {
    return english.t(
      '{0} × {1} pixels are too many for {2}, which goes up to {3} in width and height.',
      width,
      height,
      format,
      maxSide[format],
    );
  }
  if (width > maxRow) {
    return english.t('{0} × {1} pixels are too wide: a row has at most {2}.', width, height, maxRow);
  }
  if (width * height > maxPixels) {
    return english.t('{0} × {1} pixels are more than 100 megapixels.', width, height);
  }
  return trim?.unit === 'px' && 2 * trim.margin >= Math.min(size.width, size.height)
    ? english.t(
        'Margins of {0} pixels leave no room in {1} × {2} pixels.',
        trim.margin,
        size.width,
        size.height,
      )
    : undefined;
}

/** A schema for whole numbers from `least` on, with an error message. */
function whole(least: number, message: string) {
  return v.pipe(v.number(message), v.integer(message), v.minValue(least, message));
}
