import * as v from 'valibot';
import { fits } from '../../common/requestValues.ts';
import { LimnerError, notSent } from '../../common/limnerError.ts';
import { largestSet } from '../../engine/operations/imageSet.ts';
import { mostInputs } from '../../engine/operations/modelRules.ts';

const longestAltText = 1000;
/** Most images of one call: no more than an agent looks at, and no surprising bill. */
const maxVariants = 10;
const longestTitle = 100;

const target =
  'File to save, relative to the workspace folder, ending in .png, .jpg, or .webp, which decides the format: public/images/hero.webp.';
const fitText =
  'If the service sends another shape: crop (default) covers the size and crops the rest, pad surrounds the image, stretch distorts it';

const size = v.pipe(
  v.string(),
  v.regex(/^[1-9]\d*x[1-9]\d*$/, 'Use WIDTHxHEIGHT in pixels, such as 1200x630.'),
);
const fit = v.picklist(fits.filter((way) => way !== 'off'));
const described = <T extends v.GenericSchema>(schema: T, text: string) => v.pipe(schema, v.description(text));
const optional = <T extends v.GenericSchema>(schema: T, text: string) =>
  v.optional(v.pipe(schema, v.description(text)));

const picture = v.optional(v.boolean());
const taskId = v.string();

/** What is said of an argument that another tool describes. */
const again = 'As in limner_generate_image.';
const saved = 'File to save, as in limner_generate_image.';
const [anyFit, variants] = [
  v.picklist(fits),
  v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(maxVariants)),
];

const painting = {
  path: described(v.string(), target),
  fit: optional(anyFit, `${fitText}, off keeps whatever the service sends.`),
  transparent: optional(
    v.boolean(),
    'Makes the background transparent, in .png or .webp. Some models need two billed images for it.',
  ),
  n: optional(variants, 'Number of variants, each billed, saved as name.png, name-2.png, …'),
  quality: optional(v.string(), 'low, medium, high, or a word of the service. Only if the user named one.'),
  model: optional(v.string(), 'Only if the user named one.'),
  style: optional(
    v.string(),
    "Name of a style of the project, as limner_describe lists them: common words, size, format. Other arguments win over it. By default the user's choice; none for none.",
  ),
  altText: optional(v.pipe(v.string(), v.maxLength(longestAltText)), 'Comes back with the result.'),
  overwrite: optional(v.boolean(), 'Replaces an existing file, which the user is asked about.'),
  picture: optional(v.boolean(), 'false leaves out the preview.'),
};

const schemas = {
  limner_generate_image: v.strictObject({
    prompt: described(v.string(), 'Subject, style, light, colors, composition.'),
    ...painting,
    size: optional(size, 'Exact size of the file, WIDTHxHEIGHT, such as 1200x630.'),
  }),
  limner_generate_set: v.strictObject({
    images: described(
      v.pipe(
        v.array(
          v.strictObject({
            path: described(v.string(), saved),
            prompt: described(v.string(), 'The style in the same words for each.'),
          }),
        ),
        v.minLength(1),
        v.maxLength(largestSet),
      ),
      'Each as its own file.',
    ),
    title: optional(v.pipe(v.string(), v.maxLength(longestTitle)), 'What the user sees: Toolbar icons.'),
    size: optional(size, again),
    fit: optional(anyFit, again),
    transparent: optional(v.boolean(), again),
    quality: optional(v.string(), again),
    model: optional(v.string(), again),
    style: optional(v.string(), again),
    picture,
  }),
  limner_edit_image: v.strictObject({
    prompt: described(v.string(), 'What to change.'),
    images: described(
      v.pipe(v.array(v.string()), v.minLength(1), v.maxLength(mostInputs)),
      'Paths in the workspace: the image to edit first, then others for models that take several.',
    ),
    mask: optional(
      v.string(),
      'Path of a PNG as large as the first image; only its transparent area is edited.',
    ),
    ...painting,
    path: described(v.string(), saved),
    fit: optional(anyFit, again),
    transparent: optional(v.boolean(), again),
    n: optional(variants, again),
    style: optional(v.string(), 'As in limner_generate_image. By default none.'),
    overwrite: optional(v.boolean(), again),
    size: optional(size, 'By default that of the first image.'),
  }),
  limner_list_tasks: v.strictObject({
    taskId: optional(taskId, 'Only this task.'),
    limit: optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(50)), '10 by default.'),
  }),
  limner_resume_task: v.strictObject({ taskId, picture }),
  limner_finish_image: v.strictObject({
    image: described(v.string(), 'Path of a PNG, JPEG, or WebP file in the workspace.'),
    path: described(v.string(), saved),
    size: optional(size, 'WIDTHxHEIGHT in pixels.'),
    fit: optional(fit, again),
    fill: optional(v.string(), 'With pad: transparent (default), edge, or a color like #ff8800.'),
    transparent: optional(v.boolean(), 'Removes a background of one flat color.'),
    trim: optional(
      v.pipe(v.string(), v.regex(/^\d+(?:\.\d+)?(?:px|%)$/, 'Use a margin such as 8px or 5%.')),
      'Trims the transparent area, up to a margin such as 8px or 5%.',
    ),
    quality: optional(
      v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(100)),
      'Of a JPEG or WebP file, 1 to 100.',
    ),
    lossless: optional(v.boolean(), 'For WebP.'),
    overwrite: optional(
      v.boolean(),
      'Replaces an existing file, also the image itself, which the user is asked about.',
    ),
    picture,
  }),
  limner_find_missing_images: v.strictObject({ file: v.string() }),
  limner_replace_placeholder: v.strictObject({
    file: v.string(),
    placeholder: described(v.string(), 'Its address, as listed.'),
    image: described(v.string(), 'Path of an image in the workspace.'),
    line: optional(v.pipe(v.number(), v.integer()), 'If it stands for several images.'),
  }),
  limner_describe: v.strictObject({}),
};

export type ToolName = keyof typeof schemas;

type InputOf<Name extends ToolName> = v.InferOutput<(typeof schemas)[Name]>;

/** The arguments of the two tools that generate images; only an edit has `images` and `mask`. */
export type PaintInput = InputOf<'limner_generate_image'> &
  Partial<Pick<InputOf<'limner_edit_image'>, 'images' | 'mask'>>;
export type SetInput = InputOf<'limner_generate_set'>;
export type ListInput = InputOf<'limner_list_tasks'>;
export type ResumeInput = InputOf<'limner_resume_task'>;
export type FinishInput = InputOf<'limner_finish_image'>;
export type FindInput = InputOf<'limner_find_missing_images'>;
export type PlaceInput = InputOf<'limner_replace_placeholder'>;

export interface PaintCall {
  tool: 'limner_generate_image' | 'limner_edit_image';
  input: PaintInput;
}

export interface SetCall {
  tool: 'limner_generate_set';
  input: SetInput;
}

export interface FinishCall {
  tool: 'limner_finish_image';
  input: FinishInput;
}

export type ToolCall =
  | PaintCall
  | SetCall
  | FinishCall
  | { tool: 'limner_list_tasks'; input: ListInput }
  | { tool: 'limner_resume_task'; input: ResumeInput }
  | { tool: 'limner_find_missing_images'; input: FindInput }
  | { tool: 'limner_replace_placeholder'; input: PlaceInput }
  | { tool: 'limner_describe'; input: object };

/** Hints that help a client decide whether to ask, by their names in MCP. */
export interface ToolHints {
  readOnlyHint: boolean;
  destructiveHint: boolean;
  idempotentHint: boolean;
  openWorldHint: boolean;
}

export interface Tool {
  name: ToolName;
  title: string;
  /** Tells a language model what the tool does, when to use it, and what it costs. */
  description: string;
  schema: (typeof schemas)[ToolName];
  hints: ToolHints;
}

const reads = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };
const replaces = { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true };

/** The tools, in the order in which agents see them. */
export const tools: readonly Tool[] = [
  {
    name: 'limner_generate_image',
    title: 'Generate Image',
    description:
      'Generates an image from a prompt and saves it in exactly the format and size asked for. Each image may be billed. Returns path, sizes, and a small preview. To change an existing image, use limner_edit_image.',
    schema: schemas.limner_generate_image,
    hints: replaces,
  },
  {
    name: 'limner_generate_set',
    title: 'Generate Set of Images',
    description:
      'Generates several images that belong together, such as icons, with one setting for all; the user is asked once. Each may be billed. Calling it again with the same arguments makes only what is missing.',
    schema: schemas.limner_generate_set,
    hints: { ...replaces, destructiveHint: false, idempotentHint: true },
  },
  {
    name: 'limner_edit_image',
    title: 'Edit Image',
    description:
      'Makes a new image from images of the workspace and a prompt, and saves it as another file. Each image may be billed. For size, format, or background alone, use limner_finish_image.',
    schema: schemas.limner_edit_image,
    hints: replaces,
  },
  {
    name: 'limner_list_tasks',
    title: 'List Image Tasks',
    description: 'Lists the image tasks of this workspace: files, states, errors. Free.',
    schema: schemas.limner_list_tasks,
    hints: reads,
  },
  {
    name: 'limner_resume_task',
    title: 'Resume Image Task',
    description:
      'Waits for a task that is still running, or fetches paid images that did not arrive. Free: it never pays again.',
    schema: schemas.limner_resume_task,
    hints: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  },
  {
    name: 'limner_finish_image',
    title: 'Finish Image',
    description:
      'Makes a new file from an image of the workspace: another size, format, or a transparent background. Free, on this computer.',
    schema: schemas.limner_finish_image,
    hints: { ...replaces, openWorldHint: false },
  },
  {
    name: 'limner_find_missing_images',
    title: 'Find Missing Images',
    description:
      'Lists the missing images and placeholders of a document (Markdown, HTML, JSX, CSS, …), with files to make, sizes, and prompts. Free.',
    schema: schemas.limner_find_missing_images,
    hints: reads,
  },
  {
    name: 'limner_replace_placeholder',
    title: 'Replace Placeholder',
    description:
      'Makes a document name an existing image in the place of a placeholder or a missing one. Free.',
    schema: schemas.limner_replace_placeholder,
    hints: { ...replaces, idempotentHint: true, openWorldHint: false },
  },
  {
    name: 'limner_describe',
    title: 'Describe Image Service',
    description:
      'Tells the models with sizes and prices, what is left of limits and budget, and the folders with images. Free.',
    schema: schemas.limner_describe,
    hints: reads,
  },
];

/** Checks the arguments of a call. @throws LimnerError `invalid_request` that names the argument */
export function readCall(tool: ToolName, input: unknown): ToolCall {
  switch (tool) {
    case 'limner_generate_image':
      return { tool, input: read(schemas.limner_generate_image, input) };
    case 'limner_generate_set':
      return { tool, input: read(schemas.limner_generate_set, input) };
    case 'limner_edit_image':
      return { tool, input: read(schemas.limner_edit_image, input) };
    case 'limner_list_tasks':
      return { tool, input: read(schemas.limner_list_tasks, input) };
    case 'limner_resume_task':
      return { tool, input: read(schemas.limner_resume_task, input) };
    case 'limner_finish_image':
      return { tool, input: read(schemas.limner_finish_image, input) };
    case 'limner_find_missing_images':
      return { tool, input: read(schemas.limner_find_missing_images, input) };
    case 'limner_replace_placeholder':
      return { tool, input: read(schemas.limner_replace_placeholder, input) };
    case 'limner_describe':
      return { tool, input: read(schemas.limner_describe, input) };
  }
}

/** Arguments that models guess, with what to use. */
const guesses: Readonly<Record<string, string>> = {
  width: 'use size, such as "1200x630"',
  height: 'use size, such as "1200x630"',
  aspect_ratio: 'use size, such as "1600x900"',
  aspectRatio: 'use size, such as "1600x900"',
  resume: 'use limner_resume_task',
};

function read<T extends v.StrictObjectSchema<v.ObjectEntries, undefined>>(
  schema: T,
  input: unknown,
): v.InferOutput<T> {
  const parsed = v.safeParse(schema, withoutEmpty(input));
  if (!parsed.success) {
    const [issue] = parsed.issues;
    const name = v.getDotPath(issue) ?? '';
    const isUnknown = name !== '' && !name.includes('.') && !(name in schema.entries);
    const known = Object.keys(schema.entries).join(', ');
    throw new LimnerError(
      'invalid_request',
      isUnknown
        ? `There is no argument "${name}": ${guesses[name] ?? `use ${known === '' ? 'none' : known}`}.`
        : issue.received === 'undefined'
          ? `The argument "${name}" is missing.`
          : `Invalid argument "${name || 'arguments'}": ${issue.message}`,
      notSent,
    );
  }
  return parsed.output;
}

/** Leaves out arguments that are null or empty: models send them for what is optional. */
function withoutEmpty(input: unknown): unknown {
  return typeof input === 'object' && input !== null && !Array.isArray(input)
    ? Object.fromEntries(Object.entries(input).filter(([, value]) => value != null && value !== ''))
    : (input ?? {});
}
