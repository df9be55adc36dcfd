// A new option is added here and in src/service/requests/; in package.json with src/editor/names.ts, src/editor/window/
// and src/editor/paint/; in src/studio/protocol/, src/studio/compose/fields/ and src/editor/studioPanel/ with
// src/editor/studioHandlers/; in src/cli/ (main.ts, help.ts, commands/), in src/demo/endpoints/ and in docs/service.md.
import * as v from 'valibot';
import { callStyleSettings } from '../common/callStyle.ts';
import type { PriceList } from './price.ts';

/** The two model families of the service; `native` is its second one. */
const families = ['image', 'native'] as const;

export type ModelFamily = (typeof families)[number];

const imageFields = ['image', 'image[]'] as const;

/** A request without its files, as it is sent and kept (docs/service.md, "Generation fields" and "Edit fields"). */
export const requestOptions = v.object({
  prompt: v.string(),
  model: v.string(),
  family: v.picklist(families),
  /** `<width>x<height>`; never sent for the native family. */
  size: v.exactOptional(v.string()),
  /** Never sent for the native family. */
  quality: v.exactOptional(v.string()),
  /** Number of images. */
  n: v.pipe(v.number(), v.integer(), v.minValue(1)),
  /** Merged into the request, from the model's entry in the settings. */
  extra: v.exactOptional(v.record(v.string(), v.unknown())),
  /** Where its task is asked for, if the model says so: a path in which `{id}` stands for the id. */
  taskPath: v.exactOptional(v.string()),
  /** Form field of the input images, `image` unless the model says otherwise. */
  imageField: v.exactOptional(v.picklist(imageFields)),
});

const amount = v.pipe(v.number(), v.minValue(0));

/** What one image costs: a number, or with its currency and other amounts for sizes and qualities. */
const priceList = v.union([
  amount,
  v.object({
    amount,
    currency: v.optional(v.string()),
    variants: v.optional(v.record(v.string(), amount)),
  }),
]);

const modelEntry = v.object({
  id: v.pipe(v.string(), v.nonEmpty()),
  /** URL of the service that has it; without one, the service in use is meant. */
  service: v.optional(v.string()),
  label: v.optional(v.string()),
  family: v.optional(v.picklist(families), 'image'),
  callStyle: v.optional(v.picklist(callStyleSettings)),
  sizes: v.optional(v.array(v.string())),
  maxCount: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1))),
  inputs: v.optional(
    v.object({
      max: v.pipe(v.number(), v.integer(), v.minValue(1)),
      field: v.optional(v.picklist(imageFields), 'image'),
    }),
  ),
  mask: v.optional(v.picklist(['alpha', 'white', 'none'])),
  /** Where the service is asked for its tasks, below the base URL, such as `/v1/tasks/{id}`. */
  taskPath: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^\/(?!\/)\S*\{id\}\S*$/u, 'It must start with / and contain {id}, such as /v1/tasks/{id}.'),
    ),
  ),
  extra: v.optional(v.record(v.string(), v.unknown())),
  price: v.optional(priceList),
  /** How it makes images with a transparent background; without it, they are cut out of a flat color. */
  transparent: v.optional(
    v.object({
      by: v.picklist(['alpha', 'key', 'grounds']),
      /** Merged into the request where such an image is asked for. */
      extra: v.optional(v.record(v.string(), v.unknown())),
    }),
  ),
});

/**
 * Reads prices by the ID of their model.
 *
 * @throws v.ValiError
 */
export function parsePrices(value: unknown): Record<string, PriceList> {
  return v.parse(v.pipe(noList, v.record(v.string(), priceList)), value);
}

/** Refuses a list where an object is meant: without this, one with nothing in it is an object with nothing in it. */
export const noList = v.custom<object>((value) => !Array.isArray(value), 'It must be an object, not a list.');

/** A model as the person described it; the service itself has no list of models. */
export type ModelEntry = v.InferOutput<typeof modelEntry>;

/**
 * Reads the value of `limner.models`. Invalid entries are left out, so that one typing mistake does not take the other
 * models away, and properties that there are not are passed over. Both are named in `problems`, one English sentence
 * each.
 *
 * @param name of where the value comes from
 */
export function parseModels(
  value: unknown,
  name = 'limner.models',
): { models: ModelEntry[]; problems: string[] } {
  if (!Array.isArray(value)) {
    return { models: [], problems: [`"${name}" isn't a list.`] };
  }
  const models: ModelEntry[] = [];
  const problems: string[] = [];
  for (const [index, item] of (value as unknown[]).entries()) {
    const parsed = v.safeParse(modelEntry, item);
    const entry = `Entry ${index + 1} of "${name}"`;
    if (parsed.success) {
      models.push(parsed.output);
      problems.push(
        ...foreignIn(item).map((foreign) => `${entry}: "${foreign}" is ignored: there is no such property.`),
      );
    } else {
      const issue = parsed.issues[0];
      problems.push(`${entry} is left out: ${v.getDotPath(issue) ?? 'value'}: ${issue.message}`);
    }
  }
  return { models, problems };
}

/** Returns the names of the properties that a model's entry does not have. */
function foreignIn(item: unknown): string[] {
  const names = typeof item === 'object' && item !== null ? Object.keys(item) : [];
  return names.filter((name) => !(name in modelEntry.entries));
}
