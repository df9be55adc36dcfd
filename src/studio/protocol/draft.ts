import * as v from 'valibot';
import { maskHistory } from './maskOperations.ts';

/** What the history is filtered by; nothing given: everything. */
export const historyFilter = v.object({
  text: v.string(),
  status: v.picklist(['any', 'running', 'completed', 'failed']),
  model: v.string(),
  starred: v.boolean(),
  edits: v.boolean(),
});
export type HistoryFilter = v.InferOutput<typeof historyFilter>;

/** Pixels of the screen for one of the picture, and where its top left corner is. */
const zoom = v.object({ scale: v.number(), x: v.number(), y: v.number() });
const result = v.object({ task: v.string(), index: v.number() });

/**
 * The piece of work in the studio. The webview owns it while it lives and tells the host each change; the host keeps it
 * and hands it to the next webview, after hiding, reload or restart.
 */
export const draft = v.object({
  prompt: v.string(),
  /** Prompts that were submitted here, newest first. */
  prompts: v.array(v.string()),
  /** Id of a model; empty: the one that the settings say. */
  model: v.string(),
  callStyle: v.picklist(['auto', 'async', 'sync', 'native', 'nativeStream']),
  /** `<width>x<height>`; empty: the service decides. */
  size: v.string(),
  quality: v.string(),
  count: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(100)),
  /** A path relative to the workspace folder, or absolute; empty: as the settings say. */
  folder: v.string(),
  /** A template without extension; empty: as the settings say. */
  fileName: v.string(),
  /** Ids of input images, in the order in which they are sent. */
  inputs: v.array(v.string()),
  /** What changes of the first input image, unless it is empty. */
  mask: maskHistory,
  keepOutside: v.boolean(),
  /** The tasks of this piece of work, newest first. */
  tasks: v.array(v.string()),
  /** How the panel looks: whatever the webview wants to find again. */
  view: v.object({
    /** What the large area shows. */
    stage: v.picklist(['results', 'mask', 'history']),
    mask: v.nullable(zoom),
    /** The result that is shown large. */
    selected: v.nullable(result),
    /** How far it is zoomed in; nothing: all of it is seen. */
    zoom: v.nullable(zoom),
    /** What it is compared with, a result or (nothing) the original, and how; nothing: it is shown alone. */
    compare: v.nullable(
      v.object({ mode: v.picklist(['slider', 'sideBySide', 'flicker']), other: v.nullable(result) }),
    ),
    history: historyFilter,
  }),
});
export type Draft = v.InferOutput<typeof draft>;

/** An empty piece of work. */
export const emptyDraft: Draft = {
  prompt: '',
  prompts: [],
  model: '',
  callStyle: 'auto',
  size: '',
  quality: '',
  count: 1,
  folder: '',
  fileName: '',
  inputs: [],
  mask: { operations: [], done: 0 },
  keepOutside: true,
  tasks: [],
  view: {
    stage: 'results',
    mask: null,
    selected: null,
    zoom: null,
    compare: null,
    history: { text: '', status: 'any', model: '', starred: false, edits: false },
  },
};
