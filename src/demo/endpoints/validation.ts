import * as v from 'valibot';
import { invalidRequest } from '../http/apiError.ts';
import type { Size } from '../http/modelCatalog.ts';
import type { Form, FormFile } from '../http/formReader.ts';

/** Bounds of what the demo paints (docs/service.md, "Limits"). Sides in pixels. */
const SMALLEST_SIDE = 16;
export const LARGEST_SIDE = 4096;
export const MOST_PIXELS = LARGEST_SIDE * LARGEST_SIDE;
const MOST_IMAGES = 10;
const LONGEST_PROMPT = 32_000;

const text = (name: string): v.GenericSchema<unknown, string> =>
  v.pipe(
    v.string(`${name} must be a string.`),
    v.check((value) => value.trim() !== '', `${name} must not be empty.`),
  );

const prompt = v.pipe(
  text('prompt'),
  v.maxLength(LONGEST_PROMPT, `prompt may have at most ${LONGEST_PROMPT} characters.`),
);

const count = v.pipe(
  v.number('n must be an integer.'),
  v.integer('n must be an integer.'),
  v.minValue(1, 'n must be at least 1.'),
  v.maxValue(MOST_IMAGES, `n must be at most ${MOST_IMAGES}.`),
);

const responseFormat = v.picklist(['b64_json', 'url'], 'response_format must be b64_json or url.');
const outputFormat = v.picklist(['png', 'jpeg', 'webp'], 'output_format must be png, jpeg or webp.');

const GenerationBody = v.object(
  {
    model: text('model'),
    prompt,
    size: v.optional(v.string('size must be a string.')),
    quality: v.optional(v.string('quality must be a string.')),
    n: v.optional(count, 1),
    response_format: v.optional(responseFormat),
    output_format: v.optional(outputFormat),
    background: v.optional(v.unknown()),
    stream: v.optional(v.boolean('stream must be a boolean.')),
  },
  describeObject,
);

export type GenerationBody = v.InferOutput<typeof GenerationBody>;

/** Checks a generation (docs/service.md, "Generation fields"). @throws ApiError 400 */
export function parseGeneration(body: unknown): GenerationBody {
  return check(GenerationBody, body);
}

const EditTexts = v.object(
  {
    model: text('model'),
    prompt,
    size: v.optional(v.string()),
    quality: v.optional(v.string()),
    n: v.optional(
      v.pipe(
        v.string(),
        v.regex(/^\d{1,4}$/u, 'n must be an integer.'),
        v.transform((digits) => Number(digits)),
        count,
      ),
      '1',
    ),
    response_format: v.optional(responseFormat),
    output_format: v.optional(outputFormat),
    stream: v.optional(v.picklist(['true', 'false'], 'stream must be true or false.')),
  },
  describeObject,
);

/** A file of an edit with its name in errors: its field, and its number among several. */
export interface EditFile extends FormFile {
  label: string;
}

export type EditForm = v.InferOutput<typeof EditTexts> & {
  images: [EditFile, ...EditFile[]];
  mask?: EditFile;
};

/** The field names for the input images. The first is the usual one. */
const IMAGE_FIELDS = ['image', 'image[]'];

/** Checks the form of an edit (docs/service.md, "Edit fields"). @throws ApiError 400 */
export function parseEdit({ texts, files }: Form): EditForm {
  for (const name of [...IMAGE_FIELDS, 'mask']) {
    if (texts.has(name)) {
      throw invalidRequest(`${name} must be a file.`);
    }
  }
  for (const name of Object.keys(EditTexts.entries)) {
    if (files.has(name)) {
      throw invalidRequest(`${name} must be text, not a file.`);
    }
    if ((texts.get(name)?.length ?? 0) > 1) {
      throw invalidRequest(`${name} is given more than once.`);
    }
  }
  const fields = check(EditTexts, Object.fromEntries([...texts].map(([name, [value]]) => [name, value])));
  const all = IMAGE_FIELDS.flatMap((field) => (files.get(field) ?? []).map((file) => ({ field, file })));
  const [first, ...others] = all.map(({ field, file }, index): EditFile => {
    const label = all.length > 1 ? `${field} (${index + 1} of ${all.length})` : field;
    return { label, bytes: file.bytes, mediaType: file.mediaType };
  });
  if (first === undefined) {
    throw invalidRequest('image is missing.');
  }
  const [mask, ...moreMasks] = files.get('mask') ?? [];
  if (moreMasks.length > 0) {
    throw invalidRequest('mask is given more than once.');
  }
  return {
    ...fields,
    images: [first, ...others],
    ...(mask !== undefined && { mask: { ...mask, label: 'mask' } }),
  };
}

const modality = v.picklist(['TEXT', 'IMAGE'], 'responseModalities may hold TEXT and IMAGE.');

const partsOf = <const TPart extends v.GenericSchema>(part: TPart) =>
  v.pipe(v.array(part, 'parts must be an array.'), v.minLength(1, 'parts must not be empty.'));

/** The user sends text. Earlier replies of the model may contain images. */
const Content = v.variant(
  'role',
  [
    v.object(
      {
        role: v.literal('user'),
        parts: partsOf(v.object({ text: v.string('text must be a string.') }, describePart)),
      },
      describeObject,
    ),
    v.object(
      { role: v.literal('model'), parts: partsOf(v.looseObject({}, 'A part must be an object.')) },
      describeObject,
    ),
  ],
  'Each of contents must have a role, user or model, and parts.',
);

const NativeBody = v.object(
  {
    contents: v.pipe(
      v.array(Content, 'contents must be an array.'),
      v.minLength(1, 'contents must not be empty.'),
    ),
    generationConfig: v.optional(
      v.object(
        { responseModalities: v.optional(v.array(modality, 'responseModalities must be an array.'), []) },
        'generationConfig must be an object.',
      ),
      {},
    ),
  },
  describeObject,
);

export interface NativeRequest {
  prompt: string;
  /** Whether the reply contains an image, which requires both modalities. */
  wantsImage: boolean;
}

/**
 * Checks the body of a native call (docs/service.md, "Native fields"). The prompt is the user's last text.
 *
 * @throws ApiError 400 that says what is wrong
 */
export function parseNative(body: unknown): NativeRequest {
  const { contents, generationConfig } = check(NativeBody, body);
  const said = contents.findLast((content) => content.role === 'user')?.parts ?? [];
  const { responseModalities } = generationConfig;
  return {
    prompt: check(text('text'), said.map((part) => part.text).join('\n')),
    wantsImage: responseModalities.includes('TEXT') && responseModalities.includes('IMAGE'),
  };
}

/** @throws ApiError 400 for another shape than `<width>x<height>`, or an unsupported size */
export function parseSize(size: string): Size {
  const match = /^([1-9]\d{0,4})x([1-9]\d{0,4})$/u.exec(size);
  if (match === null) {
    throw invalidRequest('size must have the shape <width>x<height>.', 'invalid_size');
  }
  const [width, height] = [Number(match[1]), Number(match[2])];
  if (Math.min(width, height) < SMALLEST_SIDE || Math.max(width, height) > LARGEST_SIDE) {
    throw invalidRequest(
      `size: each side must have ${SMALLEST_SIDE} to ${LARGEST_SIDE} pixels.`,
      'invalid_size',
    );
  }
  return { width, height };
}

function check<const TSchema extends v.GenericSchema>(
  schema: TSchema,
  value: unknown,
): v.InferOutput<TSchema> {
  const result = v.safeParse(schema, value, { abortEarly: true });
  if (!result.success) {
    throw invalidRequest(result.issues[0].message);
  }
  return result.output;
}

function describePart(issue: v.ObjectIssue): string {
  return `Only parts with text are taken here: ${describeObject(issue)}`;
}

function describeObject(issue: v.ObjectIssue): string {
  const [item] = issue.path ?? [];
  return item === undefined ? 'The body must be a JSON object.' : `${String(item.key)} is missing.`;
}
