import * as v from 'valibot';

/** What the history is filtered by; nothing given: everything. */
export const historyFilter = v.object({
  text: v.string(),
  status: v.picklist(['any', 'running', 'completed', 'failed']),
  model: v.string(),
  starred: v.boolean(),
  edits: v.boolean(),
});
export type HistoryFilter = v.InferOutput<typeof historyFilter>;
