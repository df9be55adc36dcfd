import * as v from 'valibot';
import { draft, type Draft, historyFilter, type SetRow } from './draft.ts';
import {
  type StudioInput,
  type StudioState,
  type StudioTarget,
  type StudioTask,
  studioTaskActions,
} from './state.ts';

const image = { task: v.string(), index: v.pipe(v.number(), v.integer(), v.minValue(0)) };
/** Images that are pasted, or dropped from the desktop, can only be sent in a message. */
const bytes = v.instance(Uint8Array);

export const requestParameters = {
  /** Says that the page was opened: the first message, repeated until the host replies. */
  opened: v.object({}),
  saveDraft: v.object({ changes: v.partial(draft) }),
  /** Sends the last stored draft. `mask`: PNG of the first input's size, transparent where it is edited. */
  submit: v.object({ mask: v.exactOptional(bytes) }),
  /** Reads the images of a set from a text: a table in Markdown or CSV, or one a line. */
  readSet: v.object({ text: v.string() }),
  /** Asks for a file that holds the images of a set, and reads them. */
  pickSet: v.object({}),
  /** Asks for a sentence that says which images a set has, and has a language model write them. */
  writeSet: v.object({}),
  /** Stops tasks that were started together, or tries again those that failed. */
  batchAction: v.object({ batch: v.string(), action: v.picklist(['stop', 'retry', 'goOn']) }),
  /** Asks, and sends the requests of these tasks again. */
  makeAgain: v.object({ tasks: v.array(v.string()) }),
  /** Inserts references to images, one below the other. */
  insertAll: v.object({ images: v.array(v.object(image)) }),
  /** Improves this prompt of the draft with a language model; replies with the new one. */
  improvePrompt: v.object({ prompt: v.pipe(v.string(), v.nonEmpty()) }),
  /** Asks for a folder; replies with a path relative to the workspace folder if it lies inside. */
  pickFolder: v.object({}),
  pickInputs: v.object({}),
  /** Adds files that were dropped from the explorer. */
  addInputs: v.object({ uris: v.array(v.string()) }),
  /** Adds an image that was pasted, or dropped from the desktop. */
  addInputBytes: v.object({ name: v.string(), bytes }),
  useAsInput: v.object(image),
  /** Adds the current file of an input image; replies with the input to use in its place. */
  reloadInput: v.object({ id: v.string() }),
  /** Asks for a mask file of the input's size; replies with its name and the name under which it is kept. */
  loadMask: v.object({ width: v.number(), height: v.number() }),
  /** Returns the URL of a kept mask, for `img`. */
  maskUrl: v.object({ file: v.string() }),
  /** Asks where to save the mask, and saves it. */
  saveMask: v.object({ bytes, name: v.string() }),
  taskAction: v.object({
    task: v.string(),
    action: v.picklist(studioTaskActions),
  }),
  /** Runs one of the further buttons that fix a task's error. */
  fixTask: v.object({ task: v.string(), errorAction: v.pipe(v.number(), v.integer(), v.minValue(0)) }),
  star: v.object({ ...image, starred: v.boolean() }),
  open: v.object(image),
  insert: v.object(image),
  copyPath: v.object(image),
  /** Asks for the format of a reference to copy: relative path, Markdown, HTML, or CSS. */
  copyAs: v.object(image),
  reveal: v.object(image),
  /** Shows the image beside its original in VS Code's diff editor. */
  compareWithOriginal: v.object(image),
  /** Deletes the files of images and keeps copies for a while; replies with the discarded images. */
  discard: v.object({ images: v.array(v.object(image)) }),
  /** Discards the other images of the task; replies like `discard`. */
  keepOnly: v.object(image),
  /** Restores the files of discarded images. */
  recover: v.object({ images: v.array(v.object(image)) }),
  /** Asks where to save a copy, or a copy of each, and saves it. */
  saveAs: v.object({ images: v.array(v.object(image)) }),
  /** Replies with the name of the replaced file and the number of the change, which undoes it. */
  replaceOriginal: v.object(image),
  /** Restores the original that the image replaced; replies like `replaceOriginal`. */
  restoreOriginal: v.object(image),
  /** Restores the contents of the file before it was replaced or restored. */
  undoOriginal: v.object({ change: v.pipe(v.number(), v.integer(), v.minValue(0)) }),
  /** Scales and crops an image to the requested size, into a new file. */
  fitToSize: v.object(image),
  /** Scales and crops an image to the size of its original, into a new file. */
  fitToOriginal: v.object(image),
  /** Asks how to finish the image, and finishes it. */
  fitImage: v.object(image),
  convertImage: v.object(image),
  removeBackground: v.object(image),
  exportSet: v.object(image),
  /** Cuts the subject out of the image as received once more; replies like `replaceOriginal`. */
  keepAnyway: v.object(image),
  keepSolid: v.object(image),
  /** Replies with what is needed to repair a file. */
  openRepair: v.object({ uri: v.string() }),
  /** Saves a repair in place of the file, or as a new one. `alpha`: a PNG as for a mask. */
  saveRepair: v.object({ uri: v.string(), sha256: v.string(), alpha: bytes, isCopy: v.boolean() }),
  /** Saves the service's original output beside the image that has the original's pixels. */
  saveOriginalOutput: v.object(image),
  /** Saves a social card, drawn on this image, as a PNG; replies with its file name. */
  saveCard: v.object({ ...image, bytes, title: v.string(), siteName: v.string() }),
  copyPrompt: v.object({ task: v.string() }),
  /** Asks for a name, and saves the settings of an image's task as a style. */
  saveAsStyle: v.object(image),
  /** Asks, and sends the task's request again for this many images. */
  variations: v.object({ task: v.string(), count: v.pipe(v.number(), v.integer(), v.minValue(1)) }),
  /** Asks, and requests the image again with the other method for a transparent background. */
  tryOtherWay: v.object(image),
  history: v.object({
    filter: historyFilter,
    offset: v.pipe(v.number(), v.integer(), v.minValue(0)),
    limit: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(500)),
  }),
  /** Restores an old task with its inputs and its mask as the draft. */
  restore: v.object({ task: v.string() }),
  /** Runs one of the buttons of a failure. */
  runErrorAction: v.object({
    failure: v.number(),
    errorAction: v.pipe(v.number(), v.integer(), v.minValue(0)),
  }),
  /** Shows the setting of the models, which limits the inputs of each. */
  openModelSettings: v.object({}),
  /** Runs *Connect to a Service…* or *Use the Built-in Demo Service*. */
  connect: v.object({ demo: v.boolean() }),
} as const;

export type StudioMethod = keyof typeof requestParameters;
export type StudioParameters<M extends StudioMethod> = v.InferOutput<(typeof requestParameters)[M]>;

/** Replies of the host by method; `null` also if the user dismisses a dialog. */
export interface StudioReplies {
  /** The target of the first result at this time. */
  saveDraft: StudioTarget;
  submit: string | null;
  /** `problem`: why the set can't be generated as it is written. */
  readSet: { rows: SetRow[]; problem?: string };
  pickSet: StudioReplies['readSet'] | null;
  writeSet: SetRow[] | null;
  improvePrompt: string | null;
  pickFolder: string | null;
  pickInputs: StudioInput[];
  addInputs: StudioInput[];
  addInputBytes: StudioInput;
  useAsInput: StudioInput;
  reloadInput: StudioInput;
  discard: { task: string; index: number }[];
  keepOnly: { task: string; index: number }[];
  /** `null` also if there is nothing to undo. */
  replaceOriginal: { name: string; change: number } | null;
  restoreOriginal: { name: string; change: number } | null;
  undoOriginal: true | null;
  keepAnyway: { name: string; change: number } | null;
  keepSolid: { name: string; change: number } | null;
  /** `source`: a PNG of what the file was cut out of, in its size and place; `null` if that is gone or unknown. */
  openRepair: {
    name: string;
    url: string;
    width: number;
    height: number;
    sha256: string;
    source: Uint8Array<ArrayBuffer> | null;
  };
  /** Like `replaceOriginal`; without a change for a new file, which the user was told about. */
  saveRepair: { name: string; change?: number } | null;
  loadMask: { file: string; name: string } | null;
  maskUrl: string;
  saveMask: string | null;
  /** `null` if the user doesn't answer whether to replace the last one. */
  saveCard: string | null;
  history: { total: number; tasks: StudioTask[]; models: string[] };
  /** `null` if the user keeps the mask that would be lost. */
  restore: null | { draft: Draft; inputs: StudioInput[] };
}

/** The reply to a method: `null` for those that only do something. */
export type StudioReply<M extends StudioMethod> = M extends keyof StudioReplies ? StudioReplies[M] : null;

/** A request; the schema of its method checks its parameters. */
export const studioRequest = v.object({
  /** Number of the page in its webview. */
  page: v.number(),
  /** Changes each time VS Code loads that page. */
  load: v.string(),
  id: v.number(),
  method: v.string(),
  parameters: v.unknown(),
});
export type StudioRequest = v.InferOutput<typeof studioRequest>;

/** A message of the host: the reply to a request, or an event. */
export type StudioMessage =
  | { kind: 'reply'; id: number; value: unknown }
  /** `message`: what happened and what it may have cost. `errorActions`: labels of buttons that fix it. */
  | { kind: 'failure'; id: number; message: string; errorActions: string[] }
  | { kind: 'tasks'; tasks: StudioTask[]; removed: string[] }
  /** The files of input images have changed. */
  | { kind: 'inputs'; inputs: StudioInput[] }
  | ({ kind: 'settings' } & Pick<
      StudioState,
      'models' | 'defaultModel' | 'defaults' | 'styles' | 'isConnected' | 'hasLanguageModel' | 'target'
    >)
  /** Sending the draft has started or ended. */
  | { kind: 'sending'; isSending: boolean }
  /** A task was started from this draft, by this page or another. */
  | { kind: 'taskStarted'; task: string }
  /** A command opens the repair of a file. */
  | { kind: 'repair'; uri: string }
  /** A command starts a new draft with these images and changes. `isUnsent`: whether it replaces an unsent draft. */
  | { kind: 'newDraft'; inputs: StudioInput[]; changes: Partial<Draft>; isUnsent: boolean };
