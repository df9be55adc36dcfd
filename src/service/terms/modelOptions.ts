// To add an option, change this file and src/service/wire/; package.json, src/vscode/window/names.ts,
// src/vscode/window/ and src/vscode/generate/; src/studio/protocol/, src/studio/compose/ and src/vscode/studio/;
// src/cli/commands/ (main.ts, help.ts, commands/), src/demo/endpoints/ and docs/service.md.
import * as v from 'valibot';
import * as english from '../../common/english.ts';
import { callStyleSettings } from '../../common/requestValues.ts';
import { meansImages, type PriceList } from './price.ts';

/** The two model families of the service; `native` is the second. */
const families = ['image', 'native'] as const;

export type ModelFamily = (typeof families)[number];

const imageFields = ['image', 'image[]'] as const;

/** A request without its files, as it is sent and stored (docs/service.md, "Generation fields" and "Edit fields"). */
export const requestOptions = v.object({
  prompt: v.string(),
  model: v.string(),
  family: v.picklist(families),
  /** `<width>x<height>`; never sent for the native family. */
  size: v.exactOptional(v.string()),
  /** Never sent for the native family. */
  quality: v.exactOptional(v.string()),
  n: v.pipe(v.number(), v.integer(), v.minValue(1)),
  /** Fields from the model's entry in the settings, merged into the request. */
  extra: v.exactOptional(v.record(v.string(), v.unknown())),
  /** Path to query its task, with `{id}` for the id, if the model's entry has one. */
  taskPath: v.exactOptional(v.string()),
  /** Form field of the input images, `image` by default. */
  imageField: v.exactOptional(v.picklist(imageFields)),
});

const amount = v.pipe(v.number(), v.minValue(0));

/** The price of an image: a number, or an object with currency and amounts for sizes and qualities. */
const priceList = v.union([
  amount,
  v.object({
    amount,
    currency: v.optional(
      v.pipe(
        v.string(),
        v.check((name) => !meansImages(name), english.t('Images are no currency.')),
      ),
    ),
    variants: v.optional(v.record(v.string(), amount)),
  }),
]);

const modelEntry = v.object({
  id: v.pipe(v.string(), v.nonEmpty()),
  /** URL of the model's service; by default, the service in use. */
  service: v.optional(v.string()),
  label: v.optional(v.string()),
  family: v.optional(v.picklist(families), 'image'),
  callStyle: v.optional(v.picklist(callStyleSettings)),
  sizes: v.optional(v.array(v.string())),
  /** The model's own words for the qualities that agents know. */
  qualities: v.optional(v.record(v.picklist(['low', 'medium', 'high']), v.string())),
  maxCount: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1))),
  inputs: v.optional(
    v.object({
      max: v.pipe(v.number(), v.integer(), v.minValue(1)),
      field: v.optional(v.picklist(imageFields), 'image'),
    }),
  ),
  mask: v.optional(v.picklist(['alpha', 'white', 'none'])),
  /** Path below the base URL to query tasks, such as `/v1/tasks/{id}`. */
  taskPath: v.optional(
    v.pipe(
      v.string(),
      v.regex(
        /^\/(?!\/)\S*\{id\}\S*$/u,
        english.t('It must start with / and contain {id}, such as /v1/tasks/{id}.'),
      ),
    ),
  ),
  extra: v.optional(v.record(v.string(), v.unknown())),
  price: v.optional(priceList),
  /** How the model creates a transparent background; by default, Limner removes a flat color. */
  transparent: v.optional(
    v.object({
      by: v.picklist(['alpha', 'key', 'grounds']),
      /** Fields merged into requests for transparent images. */
      extra: v.optional(v.record(v.string(), v.unknown())),
    }),
  ),
});

/** @throws v.ValiError */
export function parsePrices(value: unknown): Record<string, PriceList> {
  return v.parse(v.pipe(noList, v.record(v.string(), priceList)), value);
}

/** Refuses lists where an object is expected: valibot accepts an empty list as an empty object. */
export const noList = v.custom<object>(
  (value) => !Array.isArray(value),
  english.t('It must be an object, not a list.'),
);

/** A model as described by the user; the service has no list of models. */
export type ModelEntry = v.InferOutput<typeof modelEntry>;

/**
 * Reads the value of `limner.models`. Skips invalid entries, so that one typo doesn't remove the other models, and
 * ignores unknown properties. `problems` names both, in one English sentence each.
 *
 * @param name of the source of the value
 */
export function parseModels(
  value: unknown,
  name = 'limner.models',
): { models: ModelEntry[]; problems: string[] } {
  if (!Array.isArray(value)) {
    return { models: [], problems: [english.t(`"{0}" isn't a list.`, name)] };
  }
  const models: ModelEntry[] = [];
  const problems: string[] = [];
  for (const [index, item] of (value as unknown[]).entries()) {
    const parsed = v.safeParse(modelEntry, item);
    if (parsed.success) {
      models.push(parsed.output);
      problems.push(
        ...foreignIn(item).map((foreign) =>
          english.t(
            'Entry {0} of "{1}": "{2}" is ignored: there is no such property.',
            index + 1,
            name,
            foreign,
          ),
        ),
      );
    } else {
      const issue = parsed.issues[0];
      problems.push(
        english.t(
          'Entry {0} of "{1}" is left out: {2}: {3}',
          index + 1,
          name,
          v.getDotPath(issue) ?? 'value',
          issue.message,
        ),
      );
    }
  }
  return { models, problems };
}

function foreignIn(item: unknown): string[] {
  const names = typeof item === 'object' && item !== null ? Object.keys(item) : [];
  return names.filter((name) => !(name in modelEntry.entries));
}
