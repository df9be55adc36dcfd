import type { Order } from './order.ts';

/** The rows that move pictures. */
export type RowName = 'everyday' | 'inline' | 'urls' | 'upload';

/** Limner's own contenders, which have budgets: the engine as in the editor, and `limner` as a process of its own. */
export const ours = ['engine', 'limner'] as const;

/** What the work costs without any program of ours: `curl` to a file, and all of it by the system's own tools. */
export const floors = ['curl', 'pipeline'] as const;

/**
 * Who does it. `client` is the service's client alone. `openai`, `genai` and `ai` are the work of the packages
 * `openai`, `@google/genai` and `ai`, measured in the process; `script` is the process of a script with `openai`.
 */
export type Contender =
  (typeof ours)[number] | (typeof floors)[number] | 'client' | 'openai' | 'genai' | 'ai' | 'script';

export interface Row {
  title: string;
  /** What the service answers with. */
  order: Order;
  /** What is uploaded: how many pictures, and the bytes of each. */
  upload?: { count: number; size: number };
  contenders: readonly Contender[];
  /** The greatest ratio of a time to that of another contender. */
  times: Partial<Record<(typeof ours)[number], { to: Contender; limit: number }>>;
}

export const rows: Record<RowName, Row> = {
  everyday: {
    title: '1 × 1 MB as base64 JSON → 1 file',
    order: { count: 1, size: 1_000_000, delivery: 'inline' },
    contenders: [...floors, 'engine', 'openai', 'genai', 'ai', 'limner', 'script'],
    times: { limner: { to: 'script', limit: 0.9 } },
  },
  inline: {
    title: '4 × 15 MB as base64 JSON → 4 files',
    order: { count: 4, size: 15_000_000, delivery: 'inline' },
    contenders: [...floors, 'client', 'engine', 'openai', 'genai', 'ai', 'limner', 'script'],
    times: { engine: { to: 'openai', limit: 0.4 }, limner: { to: 'script', limit: 0.65 } },
  },
  urls: {
    title: '4 × 15 MB from URLs → 4 files',
    order: { count: 4, size: 15_000_000, delivery: 'urls' },
    contenders: [...floors, 'engine', 'openai', 'limner', 'script'],
    times: { engine: { to: 'openai', limit: 0.6 }, limner: { to: 'script', limit: 0.95 } },
  },
  upload: {
    title: '4 × 20 MB multipart upload → 1 small file',
    order: { count: 1, size: 1000, delivery: 'inline' },
    upload: { count: 4, size: 20_000_000 },
    contenders: [...floors, 'engine', 'openai', 'ai', 'limner', 'script'],
    times: { engine: { to: 'openai', limit: 0.4 }, limner: { to: 'script', limit: 0.7 } },
  },
};

/** Memory growth at most, in MB, in every row that moves pictures. */
export const maxGrowth = 30;

/** Milliseconds that the event loop may stand still at most while pictures are moved. */
export const maxTransferStall = 10;

/** What finishing a picture of 4096 × 4096 pixels may take: milliseconds, MB, and milliseconds of the event loop. And the error of edges. */
export const finishing = { time: 3000, growth: 500, stall: 10, edges: 5, halvedEdges: 25 };

/** The greatest ratio of the time of a start of `limner` to that of `node -e 0`. */
export const starts = { 'limner --version': 1.6, 'limner tasks': 3 };

/** Bytes that a built file may have. */
export const sizes: Record<string, number> = { 'dist/extension.js': 60 * 1024, 'limner.vsix': 1536 * 1024 };

/** Milliseconds that the event loop may stand still for any one answer without large images. */
export const maxStall = 20;

/** Milliseconds that the event loop may stand still for any document of 1 MB, and that it may be read, on a slow machine. */
export const maxDocumentStall = 50;
export const maxDocumentTime = 10_000;

/** Milliseconds that a frame may take at the median while a brush moves on a large image. */
export const maxFrameTime = 16;

/** The greatest exponent by which a cost may grow, and the greatest ratio of polls to those that tasks need. */
export const maxExponent = 1.1;
export const maxPolls = 1.1;
