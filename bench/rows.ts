/** The rows of the budgets that move pictures: what is done, by whom, and what it may take. */
export type RowName = 'inline' | 'urls' | 'upload';

/**
 * Who does it. `client` is the service's client alone, which decodes to plain files; `engine` also hashes, syncs,
 * publishes and writes down every step, as in the editor; `limner` is the engine as a process of its own. `synced`
 * is `curl` and then `sync` on its files.
 */
export type Contender = 'curl' | 'synced' | 'client' | 'engine' | 'openai' | 'limner';

/** The contenders that have budgets, because they are Limner's own. */
export const ours = ['client', 'engine', 'limner'] as const satisfies Contender[];

/** Which answer the bench's server gives is in the prompt. */
export const prompts: Record<RowName, string> = {
  inline: 'four large pictures inline',
  urls: 'four large pictures as urls',
  upload: 'one small picture from four large ones',
};

export interface Budget {
  /** The greatest ratio of its time to that of another contender. */
  times?: Partial<Record<'curl' | 'openai', number>>;
  /** Memory growth at most, in MB. */
  growth?: number;
  /** Longest stall at most, in milliseconds. */
  stall?: number;
}

export interface Row {
  title: string;
  contenders: readonly Contender[];
  budget: Budget;
}

export const rows: Record<RowName, Row> = {
  inline: {
    title: '4 × 15 MB as base64 JSON → 4 files',
    contenders: ['curl', 'client', 'engine', 'openai', 'limner'],
    budget: { times: { curl: 1.5, openai: 0.45 }, growth: 40, stall: 20 },
  },
  urls: {
    title: '4 × 15 MB from URLs → hashed, synced, published',
    contenders: ['curl', 'synced', 'engine', 'openai', 'limner'],
    budget: { times: { curl: 1.9 }, growth: 60 },
  },
  upload: {
    title: '4 × 20 MB multipart upload',
    contenders: ['curl', 'engine', 'openai', 'limner'],
    budget: { growth: 45 },
  },
};

/** Bytes that a built file may have. */
export const sizes: Record<string, number> = { 'dist/extension.js': 60_000, 'limner.vsix': 1_500_000 };

/** Milliseconds that the event loop may stand still for any one answer without large images. */
export const maxStall = 20;

/** Milliseconds that a frame may take at the median while a brush moves on a large image. */
export const maxFrameTime = 16;
