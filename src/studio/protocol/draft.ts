import * as v from 'valibot';
import { callStyleSettings, fits } from '../../common/requestValues.ts';
import { maskHistory, maskOperation } from './maskOperations.ts';

/** A filter of the history; its empty values match everything. */
export const historyFilter = v.object({
  text: v.string(),
  /** `running`: every task that hasn't ended, including paused ones. */
  status: v.picklist(['any', 'running', 'completed', 'failed']),
  model: v.string(),
  starred: v.boolean(),
  edits: v.boolean(),
});
export type HistoryFilter = v.InferOutput<typeof historyFilter>;

/** Screen pixels per image pixel, and the position of the top left corner. */
const zoom = v.object({ scale: v.number(), x: v.number(), y: v.number() });
const result = v.object({ task: v.string(), index: v.number() });

/** An image of a set: part of the name of its file, and its prompt. */
const setRow = v.object({ name: v.string(), prompt: v.string() });
export type SetRow = v.InferOutput<typeof setRow>;

export const roundings = ['', '16', 'powerOfTwo'] as const;

const third = v.picklist([0, 0.5, 1]);
/** The style of a social card; colors are like `#ff8800`. */
const cardStyle = {
  font: v.picklist(['sans', 'serif', 'mono', 'editor']),
  /** Position of the text, from 0 to 1, from the top left corner. */
  place: v.object({ x: third, y: third }),
  color: v.string(),
  /** The color over the background, behind the text. */
  shade: v.string(),
  /** Minimum opacity of the shade, from 0 to 1. */
  strength: v.pipe(v.number(), v.minValue(0), v.maxValue(1)),
};
/** The text on an image that is the background of a social card. */
const card = v.object({ ...result.entries, title: v.string(), siteName: v.string(), ...cardStyle });
export type Card = v.InferOutput<typeof card>;

/** A repair of a file's transparency, painted on what it had. */
const repair = v.object({
  /** URI of the file. */
  uri: v.string(),
  operations: v.array(maskOperation),
  /** As in `maskHistory`. */
  done: v.pipe(v.number(), v.integer(), v.minValue(0)),
});
export type Repair = v.InferOutput<typeof repair>;

/**
 * The draft in the studio. The page owns it and sends each change to the host, which stores it and hands it to the next
 * page after hiding, reload, or restart.
 */
export const draft = v.object({
  prompt: v.string(),
  /** Whether the images of `setRows` are generated, with the rest of the draft as their one setting. */
  isSet: v.boolean(),
  setRows: v.array(setRow),
  /** Prompts that were submitted here, newest first. */
  prompts: v.array(v.string()),
  /** Name of a style; empty: none. */
  style: v.string(),
  /** ID of a model; empty: the default of the settings. */
  model: v.string(),
  /** URL of the service that the model was chosen for; empty: unknown. */
  modelService: v.string(),
  callStyle: v.picklist(callStyleSettings),
  /** `<width>x<height>`; empty: the service decides. */
  size: v.string(),
  /** How to fit images to `size`. */
  fit: v.picklist(fits),
  /** Fill of padded images: `transparent`, `edge`, or a color like `#ff8800`. */
  fill: v.string(),
  /** The point that stays in cropped images, from 0 to 1, from the top left corner. */
  focus: v.object({ x: v.number(), y: v.number() }),
  /** Multiple to which the sides of images are rounded up; empty: none. */
  multiples: v.picklist(roundings),
  transparent: v.boolean(),
  /** Margin to keep around the subject of a transparent image, such as `8px` or `5%`; empty: nothing is trimmed. */
  trim: v.string(),
  quality: v.string(),
  count: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(100)),
  /** A path relative to the workspace folder, or absolute; empty: the default of the settings. */
  folder: v.string(),
  /** A template; empty: the default of the settings. */
  fileName: v.string(),
  /** IDs of input images, in sending order. */
  inputs: v.array(v.string()),
  /** The area of the first input image to edit; if empty, the whole image. */
  mask: maskHistory,
  keepOutside: v.boolean(),
  /** The repair of a file's transparency; `null`: none. */
  repair: v.nullable(repair),
  /** IDs of the tasks of this draft, newest first. */
  tasks: v.array(v.string()),
  /** State of the page, to restore it. */
  view: v.object({
    /** The selected tab of the large area. */
    stage: v.picklist(['results', 'mask', 'history', 'repair']),
    /** Zoom of the editor, for the input image with this ID or the repaired file with this URI; `null`: the whole image is visible. */
    mask: v.nullable(v.object({ ...zoom.entries, input: v.string() })),
    /** Size of the brush as a fraction of the shorter side of the image. */
    brush: v.pipe(v.number(), v.minValue(0)),
    /** The result that is shown large. */
    selected: v.nullable(result),
    /** Zoom of that result; `null`: the whole image is visible. */
    zoom: v.nullable(zoom),
    /** Comparison with another result (`null`: with the original); `null`: none. */
    compare: v.nullable(
      v.object({
        mode: v.picklist(['slider', 'sideBySide', 'flicker', 'difference']),
        other: v.nullable(result),
      }),
    ),
    history: historyFilter,
    /** Whether only images with a star are listed. */
    starred: v.boolean(),
    tiles: v.picklist(['small', 'medium', 'large']),
    /** Shown through transparent images. */
    backdrop: v.union([
      v.picklist(['checker', 'white', 'black']),
      v.pipe(v.string(), v.regex(/^#[\da-f]{6}$/iu)),
    ]),
    /** Whether a background of a social card is shown with its text. */
    showsCard: v.boolean(),
    /** Cards with changes, the latest last. */
    cards: v.array(card),
  }),
});
export type Draft = v.InferOutput<typeof draft>;

export type ResultReference = v.InferOutput<typeof result>;

export const emptyDraft: Draft = {
  prompt: '',
  isSet: false,
  setRows: [],
  prompts: [],
  style: '',
  model: '',
  modelService: '',
  callStyle: 'auto',
  size: '',
  fit: 'off',
  fill: 'transparent',
  focus: { x: 0.5, y: 0.5 },
  multiples: '',
  transparent: false,
  trim: '',
  quality: '',
  count: 1,
  folder: '',
  fileName: '',
  inputs: [],
  mask: { operations: [], done: 0 },
  keepOutside: true,
  repair: null,
  tasks: [],
  view: {
    stage: 'results',
    mask: null,
    brush: 1 / 12,
    selected: null,
    zoom: null,
    compare: null,
    history: { text: '', status: 'any', model: '', starred: false, edits: false },
    starred: false,
    tiles: 'medium',
    backdrop: 'checker',
    showsCard: true,
    cards: [],
  },
};
