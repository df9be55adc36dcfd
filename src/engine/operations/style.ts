import { createHash } from 'node:crypto';
import * as v from 'valibot';
import * as english from '../../common/english.ts';
import { pathOfUri, realWayInto, wayInto } from '../../common/fileUris.ts';
import { LimnerError, messageOf, notSent } from '../../common/limnerError.ts';
import { fits, type FitSetting } from '../../common/requestValues.ts';
import type { ModelEntry } from '../../service/terms/modelOptions.ts';
import { askedFormat, foreignExtension, withoutExtension } from '../task/fileNames.ts';
import type { TaskInput, TaskRequest } from '../task/task.ts';
import { maxInputsOf, mostInputs } from './modelRules.ts';

/** The folder of a project's styles, below its root. */
export const stylesFolder = '.limner/styles';

/** Stands for no style, where an empty text can't be given. */
export const noStyle = 'none';

/** The largest file of a style, in bytes. */
export const largestStyle = 64 * 1024;

const about = <T extends v.GenericSchema>(schema: T, text: string) =>
  v.exactOptional(v.pipe(schema, v.description(text)));
const words = v.pipe(v.string(), v.maxLength(4000));
const color =
  /^(?:#(?:[\dA-Fa-f]{3,4}|[\dA-Fa-f]{6}|[\dA-Fa-f]{8})|[A-Za-z]+|(?:rgb|hsl|hwb|lab|lch|oklab|oklch)a?\([^()\n]{1,60}\))$/;
const relativePath = /^(?![/\\]|[A-Za-z][A-Za-z\d+.-]*:)[^\\]+$/;

/** Contents of a style's file. `media/style.schema.json` is written from it. */
export const styleFile = v.strictObject({
  $schema: v.exactOptional(v.string()),
  before: about(words, 'Words before each prompt, such as "Flat icon of".'),
  after: about(words, 'Words after each prompt, such as "thick outlines, one light from the left".'),
  avoid: about(words, 'What the images must not show, such as "text, shadows, photos".'),
  palette: about(
    v.pipe(
      v.array(v.pipe(v.string(), v.regex(color, 'Use CSS colors, such as "#ff8800" or "navy".'))),
      v.maxLength(32),
    ),
    'The colors to use: CSS colors, such as "#ff8800" or "navy". The model is told them in words.',
  ),
  images: about(
    v.pipe(
      v.array(
        v.pipe(
          v.string(),
          v.nonEmpty(),
          v.regex(relativePath, 'Use paths with slashes, relative to the file of the style.'),
        ),
      ),
      v.maxLength(mostInputs),
    ),
    'Images whose look is to be kept: paths of PNG, JPEG, or WebP files in the project, relative to this file. They are sent along with each prompt, as far as the model takes input images.',
  ),
  model: about(v.pipe(v.string(), v.nonEmpty()), 'ID of the model.'),
  size: about(
    v.pipe(
      v.string(),
      v.regex(/^[1-9]\d{0,4}x[1-9]\d{0,4}$/, 'Use WIDTHxHEIGHT in pixels, such as "64x64".'),
    ),
    'Size of the files in pixels, such as "64x64".',
  ),
  fit: about(
    v.picklist(fits),
    'If the service sends another size: "crop" covers the size and crops the rest, "pad" surrounds the image, "stretch" distorts it, "off" keeps what it sends. With a size, "crop" by default.',
  ),
  quality: about(v.pipe(v.string(), v.nonEmpty()), 'Quality in the words of the service, such as "high".'),
  format: about(v.picklist(['png', 'jpg', 'webp']), 'Format of the files.'),
  transparent: about(v.boolean(), 'Whether the background becomes transparent, in PNG and WebP files.'),
});

type StyleFile = v.InferOutput<typeof styleFile>;

/** A style, as its file has it. */
export interface Style extends Pick<
  StyleFile,
  'model' | 'size' | 'fit' | 'quality' | 'format' | 'transparent'
> {
  name: string;
  /** Words before and after the prompt, as they are sent. */
  before?: string;
  after?: string;
  /** Its reference images, as the file names them. */
  images: readonly string[];
  /** Changes with each change of the file. */
  hash: string;
}

/** The part of a style that goes into a request. */
export type SentStyle = NonNullable<TaskRequest['style']>;

/** Whether a text can name a style, whose file then has that name. */
export function isStyleName(name: string): boolean {
  return /^[\p{L}\p{N}](?:[\p{L}\p{M}\p{N} ._-]{0,62}[\p{L}\p{M}\p{N}])?$/u.test(name) && name !== noStyle;
}

/**
 * Reads a style.
 *
 * @param file its path, as users know it
 * @throws LimnerError `invalid_request` that names the file and what is wrong in it
 */
export function readStyle(text: string, name: string, file: string): Style {
  const value = parse(text, file);
  const parsed = v.safeParse(styleFile, Array.isArray(value) ? undefined : value);
  if (!parsed.success) {
    const [issue] = parsed.issues;
    const key = v.getDotPath(issue) ?? '';
    throw invalid(
      issue.expected === 'never'
        ? english.t(
            'The style {0} has the unknown key "{1}". Known keys are {2}.',
            file,
            key,
            Object.keys(styleFile.entries)
              .filter((known) => !known.startsWith('$'))
              .join(', '),
          )
        : key === ''
          ? english.t('The style {0} must be an object in braces.', file)
          : english.t('The style {0} has an invalid value of "{1}": {2}', file, key, issue.message),
    );
  }
  const {
    $schema: _,
    before = '',
    after = '',
    avoid = '',
    palette = [],
    images = [],
    ...others
  } = parsed.output;
  const [start, end] = [before.trim(), wordsAfter(after.trim(), palette, avoid.trim())];
  return {
    ...others,
    name,
    ...(start !== '' && { before: start }),
    ...(end !== '' && { after: end }),
    images,
    hash: createHash('sha256').update(text).digest('hex'),
  };
}

function parse(text: string, file: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/u, ''));
  } catch (error) {
    const [why = ''] = messageOf(error).split(/ in JSON| at position|, "|\.\.\./u);
    const at = Number(/at position (\d+)/u.exec(messageOf(error))?.[1] ?? text.length);
    const lines = text.slice(0, at).split('\n');
    const place = [lines.length, (lines.at(-1)?.length ?? 0) + 1] as const;
    throw invalid(
      english.t("The style {0} isn't valid JSON at line {1}, column {2}: {3}", file, ...place, why),
    );
  }
}

function wordsAfter(after: string, palette: readonly string[], avoid: string): string {
  const colors = palette.map((one) => `${one}${hueWord(one)}`).join(', ');
  return [
    ...(after === '' ? [] : [after]),
    ...(colors === '' ? [] : [`Colors: only ${colors}.`]),
    ...(avoid === '' ? [] : [`Avoid: ${avoid}`]),
  ].join('\n');
}

const hues = [
  'red',
  'orange',
  'yellow',
  'lime',
  'green',
  'green',
  'cyan',
  'blue',
  'blue',
  'purple',
  'magenta',
  'pink',
];

/** Returns a word for a color in hexadecimal, in parentheses: models and the choice of a key color read words. */
function hueWord(written: string): string {
  const digits = /^#([\da-f]{3,8})$/iu.exec(written)?.[1];
  if (digits === undefined) {
    return '';
  }
  const width = digits.length < 6 ? 1 : 2;
  const [red = 0, green = 0, blue = 0] = [0, 1, 2].map((index) => {
    const level = digits.slice(index * width, (index + 1) * width);
    return Number.parseInt(width === 1 ? level + level : level, 16);
  });
  const [most, least] = [Math.max(red, green, blue), Math.min(red, green, blue)];
  if (most - least < 24) {
    return most < 48 ? ' (black)' : least > 215 ? ' (white)' : ' (gray)';
  }
  const share = most - least;
  const sixth =
    most === red
      ? (green - blue) / share
      : most === green
        ? 2 + (blue - red) / share
        : 4 + (red - green) / share;
  return ` (${hues[Math.round(sixth * 2 + 12) % 12] ?? ''})`;
}

/** Returns the prompt as it is sent: with the words of its style. */
export function promptAsSent({
  prompt,
  style = { name: '' },
}: Pick<TaskRequest, 'prompt' | 'style'>): string {
  const { before, after } = style;
  const start = before === undefined ? prompt : `${before} ${prompt}`;
  return after === undefined ? start : `${start}${/^[,.;:!?，。；：]/u.test(after) ? '' : '\n'}${after}`;
}

/** The parts of a request that a style can decide. A given text is kept, even an empty one. */
export interface StyledParts {
  model?: string | undefined;
  size?: string | undefined;
  fit?: FitSetting | undefined;
  quality?: string | undefined;
  background?: 'transparent' | undefined;
  fileName?: string | undefined;
}

/**
 * Returns what was given with what the style says of the rest.
 *
 * @param keeps what the style doesn't decide: the size of a masked edit, the background of what must have one
 */
export function styled<T extends StyledParts>(
  given: T,
  style: Style | undefined,
  keeps: { size?: boolean; background?: boolean } = {},
): T {
  if (!style) {
    return given;
  }
  const { model, size, fit = size === undefined ? undefined : 'crop', quality, transparent } = style;
  const isSized = given.size === undefined && !keeps.size;
  const isOpaque = keeps.background || askedFormat(given.fileName ?? '')?.format === 'jpeg';
  const parts: StyledParts = {
    ...(given.model === undefined && model !== undefined && { model }),
    ...(isSized && size !== undefined && { size }),
    ...(given.fit === undefined && !keeps.size && (isSized || style.fit) && fit !== undefined && { fit }),
    ...(given.quality === undefined && quality !== undefined && { quality }),
    ...(given.background === undefined && transparent && !isOpaque && { background: 'transparent' as const }),
  };
  return { ...given, ...parts };
}

/**
 * Returns a template of file names in the format of a style.
 *
 * @param isUsual whether it is that of the settings, whose extension the style replaces
 */
export function inFormat(template: string, format: Style['format'], isUsual = false): string {
  const hasOne = (askedFormat(template) ?? foreignExtension(template)) !== undefined;
  return format === undefined || (hasOne && !isUsual) ? template : `${withoutExtension(template)}.${format}`;
}

/**
 * Returns the URIs of a style's reference images.
 *
 * @param file URI of its file
 * @param root URI of the folder that they must lie in, also where links lead
 * @throws LimnerError `invalid_request` for one that lies elsewhere
 */
export async function styleImages({ images, name }: Style, file: string, root: string): Promise<string[]> {
  return Promise.all(
    images.map(async (image) => {
      const uri = resolved(file, image);
      const isWithin =
        wayInto(root, uri) !== undefined &&
        (!uri.startsWith('file:') || (await realWayInto(pathOfUri(root), pathOfUri(uri))) !== undefined);
      if (!isWithin) {
        throw invalid(english.t('The style {0} names an image outside of the project: {1}', name, image));
      }
      return uri;
    }),
  );
}

function resolved(file: string, path: string): string {
  const segments = file.split('/').slice(0, -1);
  for (const part of path.split('/')) {
    if (part === '..') {
      // Not above the authority.
      segments.splice(Math.max(3, segments.length - 1));
    } else if (part !== '.' && part !== '') {
      segments.push(encodeURIComponent(part));
    }
  }
  return segments.join('/');
}

/**
 * Returns what a request has of a style, with as many of its images as the model takes beside those of the request.
 *
 * @param given its images that can be sent
 * @returns also what the user should know about that, in a sentence
 */
export function sentStyle(
  { name, before, after }: Pick<Style, 'name' | 'before' | 'after'>,
  given: readonly TaskInput[],
  { model, inputs }: { model: ModelEntry; inputs: number },
): { style: SentStyle; note?: string } {
  const most = Math.max(0, maxInputsOf(model) - inputs);
  const images = given.slice(0, most);
  const style = {
    name,
    ...(before !== undefined && { before }),
    ...(after !== undefined && { after }),
    ...(images.length > 0 && { images }),
  };
  return images.length === given.length
    ? { style }
    : {
        style,
        note: english.t(
          '{0} takes at most {1} input images: of the {2} images of the style {3}, {4} are sent.',
          model.label ?? model.id,
          maxInputsOf(model),
          given.length,
          name,
          images.length,
        ),
      };
}

/** Returns the refusal of a style one of whose images can't be sent. @param error tells why, and names its file */
export function unusableStyle(name: string, error: unknown): LimnerError {
  return invalid(english.t("The style {0} names an image that can't be used: {1}", name, messageOf(error)));
}

/** Returns the refusal of a style that isn't there. @param names those that are */
export function unknownStyle(name: string, names: readonly string[]): LimnerError {
  return invalid(
    names.length === 0
      ? english.t('There is no style "{0}": {1} has no styles.', name, stylesFolder)
      : english.t('There is no style "{0}". {1} has {2}.', name, stylesFolder, names.join(', ')),
  );
}

function invalid(message: string): LimnerError {
  return new LimnerError('invalid_request', message, notSent);
}
