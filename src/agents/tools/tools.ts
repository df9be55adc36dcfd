import * as v from 'valibot';
import { fits } from '../../common/requestValues.ts';
import { LimnerError, notSent } from '../../common/limnerError.ts';
import { mostInputs } from '../../engine/operations/modelRules.ts';

const longestAltText = 1000;
/** Most images of one call: no more than an agent looks at, and no surprising bill. */
const maxVariants = 10;

const target =
  'Where to save the file: relative to the workspace folder, ending in .png, .jpg, or .webp, for example public/images/hero.webp. The extension decides the format. Folders are created.';
const sizeText =
  'Exact size of the saved file in pixels, WIDTHxHEIGHT, for example 1200x630. Whatever the service sends is fitted to it.';
const fitText =
  'How an image of another shape becomes that size: crop (default) covers it and crops the rest, pad surrounds the image, stretch changes its proportions.';
const paintFitText = `${fitText} With off, the image stays as the service sends it, whatever its size.`;

const filled = v.pipe(v.string(), v.nonEmpty());
const size = v.pipe(
  v.string(),
  v.regex(/^[1-9]\d*x[1-9]\d*$/, 'Use WIDTHxHEIGHT in pixels, such as 1200x630.'),
);
const fit = v.picklist(fits.filter((way) => way !== 'off'));
const paintFit = v.picklist(fits);
const described = <T extends v.GenericSchema>(schema: T, text: string) => v.pipe(schema, v.description(text));
const optional = <T extends v.GenericSchema>(schema: T, text: string) =>
  v.optional(v.pipe(schema, v.description(text)));

const painting = {
  path: described(filled, target),
  size: optional(size, sizeText),
  fit: optional(paintFit, paintFitText),
  transparent: optional(
    v.boolean(),
    'Whether the subject gets a transparent background. The file must be .png or .webp. Some models make two images for it, which are both billed.',
  ),
  n: optional(
    v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(maxVariants)),
    'Number of variants, 1 by default. Each is billed; they are saved as name.png, name-2.png, and so on.',
  ),
  quality: optional(filled, 'Quality in the words of the service, only if the user named one.'),
  model: optional(filled, 'ID of the model, only if the user named one.'),
  altText: optional(
    v.pipe(v.string(), v.maxLength(longestAltText)),
    'Alternative text for the page that shows the image. It comes back with the result.',
  ),
  overwrite: optional(
    v.boolean(),
    'Whether to replace an existing file at this path. The user is asked first. Without it, no file is ever replaced.',
  ),
};

const schemas = {
  limner_generate_image: v.strictObject({
    prompt: described(filled, 'What the image shows: subject, style, light, colors, composition.'),
    ...painting,
  }),
  limner_edit_image: v.strictObject({
    prompt: described(filled, 'What to change. Everything else should stay the same.'),
    images: described(
      v.pipe(v.array(filled), v.minLength(1), v.maxLength(mostInputs)),
      'Paths of the images in the workspace: the one to edit first, then others for models that take several.',
    ),
    mask: optional(
      filled,
      'Path of a PNG in the workspace, of the same size as the first image. Only its transparent area is edited.',
    ),
    ...painting,
  }),
  limner_list_tasks: v.strictObject({
    taskId: optional(filled, 'Only this task.'),
    resume: optional(
      v.boolean(),
      'With taskId: continues a task that was stopped or whose images were not saved, and waits for it. Costs nothing.',
    ),
    limit: optional(
      v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(50)),
      'Number of tasks, newest first, 10 by default.',
    ),
  }),
  limner_finish_image: v.strictObject({
    image: described(filled, 'Path of a PNG, JPEG, or WebP image in the workspace.'),
    path: described(filled, target),
    size: optional(size, 'Size of the new file in pixels, WIDTHxHEIGHT, for example 512x512.'),
    fit: optional(fit, fitText),
    fill: optional(filled, 'With fit "pad": transparent (default), edge, or a color like #ff8800.'),
    transparent: optional(v.boolean(), 'Whether a background of one flat color is removed.'),
    trim: optional(
      v.pipe(v.string(), v.regex(/^\d+(?:\.\d+)?(?:px|%)$/, 'Use a margin such as 8px or 5%.')),
      'Trims the transparent area around the subject, up to a margin such as 8px or 5%.',
    ),
    quality: optional(
      v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(100)),
      'Quality of a JPEG or WebP file, 1 to 100.',
    ),
    lossless: optional(v.boolean(), 'Whether a WebP file keeps every pixel.'),
    overwrite: optional(
      v.boolean(),
      'Whether to replace an existing file at this path, including the image itself. The user is asked first.',
    ),
  }),
};

export type ToolName = keyof typeof schemas;

type InputOf<Name extends ToolName> = v.InferOutput<(typeof schemas)[Name]>;

/** The arguments of the two tools that generate images; only an edit has `images` and `mask`. */
export type PaintInput = InputOf<'limner_generate_image'> &
  Partial<Pick<InputOf<'limner_edit_image'>, 'images' | 'mask'>>;
export type ListInput = InputOf<'limner_list_tasks'>;
export type FinishInput = InputOf<'limner_finish_image'>;

export type ToolCall = PaintCall | ListCall | FinishCall;

export interface PaintCall {
  tool: 'limner_generate_image' | 'limner_edit_image';
  input: PaintInput;
}

export interface ListCall {
  tool: 'limner_list_tasks';
  input: ListInput;
}

export interface FinishCall {
  tool: 'limner_finish_image';
  input: FinishInput;
}

export interface Tool {
  name: ToolName;
  title: string;
  /** Tells a language model what the tool does, when to use it, and what it costs. */
  description: string;
  schema: (typeof schemas)[ToolName];
}

/** The tools, in the order in which agents see them. */
export const tools: readonly Tool[] = [
  {
    name: 'limner_generate_image',
    title: 'Generate Image',
    description:
      'Generates an image from a prompt and saves it as a file in the workspace, in exactly the format and size asked for. Each image may be billed. Returns the path, the sizes, and a small picture to check. To change an image that exists, use limner_edit_image.',
    schema: schemas.limner_generate_image,
  },
  {
    name: 'limner_edit_image',
    title: 'Edit Image',
    description:
      'Makes a new image from one or more images of the workspace and a prompt, and saves it as another file. Each image may be billed. To change only size, format, or background of a file, use limner_finish_image, which is free.',
    schema: schemas.limner_edit_image,
  },
  {
    name: 'limner_list_tasks',
    title: 'List Image Tasks',
    description:
      'Lists the image tasks of this workspace: what they are, where their files are, what went wrong. With resume, fetches images that were paid for and did not arrive. Costs nothing.',
    schema: schemas.limner_list_tasks,
  },
  {
    name: 'limner_finish_image',
    title: 'Finish Image',
    description:
      'Makes a new file from an image in the workspace: another size, format, or a transparent background. Runs on this computer, costs nothing, and sends nothing.',
    schema: schemas.limner_finish_image,
  },
];

/** Checks the arguments of a call. @throws LimnerError `invalid_request` that names the argument */
export function readCall(tool: ToolName, input: unknown): ToolCall {
  switch (tool) {
    case 'limner_generate_image':
      return { tool, input: read(schemas.limner_generate_image, input) };
    case 'limner_edit_image':
      return { tool, input: read(schemas.limner_edit_image, input) };
    case 'limner_list_tasks':
      return { tool, input: read(schemas.limner_list_tasks, input) };
    case 'limner_finish_image':
      return { tool, input: read(schemas.limner_finish_image, input) };
  }
}

function read<T>(schema: v.GenericSchema<unknown, T>, input: unknown): T {
  const parsed = v.safeParse(schema, input ?? {});
  if (!parsed.success) {
    const [issue] = parsed.issues;
    const name = v.getDotPath(issue) ?? 'arguments';
    throw new LimnerError('invalid_request', `Invalid argument "${name}": ${issue.message}`, notSent);
  }
  return parsed.output;
}
