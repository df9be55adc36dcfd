import * as v from 'valibot';
import { callStyleSettings } from '../common/callStyle.ts';

const modelEntry = v.object({
  id: v.pipe(v.string(), v.nonEmpty()),
  label: v.optional(v.string()),
  family: v.optional(v.picklist(['image', 'native']), 'image'),
  callStyle: v.optional(v.picklist(callStyleSettings)),
  sizes: v.optional(v.array(v.string())),
  maxCount: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1))),
  inputs: v.optional(
    v.object({
      max: v.pipe(v.number(), v.integer(), v.minValue(1)),
      field: v.optional(v.picklist(['image', 'image[]']), 'image'),
    }),
  ),
  mask: v.optional(v.picklist(['alpha', 'white', 'none'])),
  extra: v.optional(v.record(v.string(), v.unknown())),
});

/** What the person told Limner about one model; the service itself has no list of models. */
export type ModelEntry = v.InferOutput<typeof modelEntry>;

/**
 * Reads the value of `limner.models`. Entries that do not fit are left out and named in `problems`, one English
 * sentence each, so that one typing mistake does not take the other models away.
 */
export function parseModels(value: unknown): { models: ModelEntry[]; problems: string[] } {
  if (!Array.isArray(value)) {
    return { models: [], problems: ['"limner.models" isn\'t a list.'] };
  }
  const models: ModelEntry[] = [];
  const problems: string[] = [];
  for (const [index, item] of (value as unknown[]).entries()) {
    const parsed = v.safeParse(modelEntry, item);
    if (parsed.success) {
      models.push(parsed.output);
    } else {
      const issue = parsed.issues[0];
      problems.push(
        `Entry ${index + 1} of "limner.models": ${v.getDotPath(issue) ?? 'value'}: ${issue.message}`,
      );
    }
  }
  return { models, problems };
}
