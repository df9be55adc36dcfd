import * as v from 'valibot';
import { invalidRequest } from './apiError.ts';

/** Bounds of what the demo paints; the document shows none. Sides in pixels. */
const SMALLEST_SIDE = 16;
const LARGEST_SIDE = 4096;
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
    stream: v.optional(v.boolean('stream must be a boolean.')),
  },
  describeObject,
);

export type GenerationBody = v.InferOutput<typeof GenerationBody>;

/**
 * Checks the body of an image generation (service-api.md, "Request fields, image generation"). Fields that the
 * document does not list are ignored.
 * @throws ApiError 400 that says what is wrong
 */
export function parseGeneration(body: unknown): GenerationBody {
  return check(GenerationBody, body);
}

/**
 * Reads `<width>x<height>`, in pixels.
 * @throws ApiError 400 for another shape or a size that the demo does not paint
 */
export function parseSize(size: string): { width: number; height: number } {
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

function describeObject(issue: v.ObjectIssue): string {
  const [item] = issue.path ?? [];
  return item === undefined ? 'The body must be a JSON object.' : `${String(item.key)} is missing.`;
}
