/** The first three rows of the budgets: what is done, and what it may take. */
export type RowName = 'inline' | 'urls' | 'upload';

/** Which answer the bench's server gives is in the prompt. */
export const prompts: Record<RowName, string> = {
  inline: 'four large pictures inline',
  urls: 'four large pictures as urls',
  upload: 'one small picture from four large ones',
};

export interface Budget {
  /** Time at most so many times that of another contender. */
  times?: Partial<Record<'curl' | 'openai', number>>;
  /** Memory growth at most, in MB. */
  growth?: number;
  /** Longest stall at most, in milliseconds. */
  stall?: number;
}

export const rows: Record<RowName, { title: string; budget: Budget }> = {
  inline: {
    title: '4 × 15 MB as base64 JSON → 4 files',
    budget: { times: { curl: 1.5, openai: 0.45 }, growth: 40, stall: 20 },
  },
  urls: {
    title: '4 × 15 MB from URLs → hashed, synced, published',
    budget: { times: { curl: 1.9 }, growth: 60 },
  },
  upload: { title: '4 × 20 MB multipart upload', budget: { growth: 45 } },
};
