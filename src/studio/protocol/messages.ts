// Room: what the studio's page and its host say to each other: types and schemas.
// Never: `vscode`, the network, views.

import * as v from 'valibot';
import { draft, type Draft, historyFilter } from './draft.ts';
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

/** Schemas of the parameters of each method that the page calls on the host. */
export const requestParameters = {
  /** Says that the page was opened, before anything else and until the host has heard of it. */
  opened: v.object({}),
  /** Stores these changes of the draft. */
  saveDraft: v.object({ changes: v.partial(draft) }),
  /** Sends the draft as it was stored last. `mask`: PNG of the first input's size, transparent where it is edited. */
  submit: v.object({ mask: v.exactOptional(bytes) }),
  /** Has a language model improve this prompt of the draft; replies with the new one. */
  improvePrompt: v.object({ prompt: v.pipe(v.string(), v.nonEmpty()) }),
  /** Asks for a folder; replies with a path relative to the workspace folder if it lies inside. */
  pickFolder: v.object({}),
  pickInputs: v.object({}),
  /** Adds files that were dropped from the explorer. */
  addInputs: v.object({ uris: v.array(v.string()) }),
  /** Adds an image that was pasted, or dropped from the desktop. */
  addInputBytes: v.object({ name: v.string(), bytes }),
  useAsInput: v.object(image),
  /** Adds the file of an input image as it is now; replies with the input to use in its place. */
  reloadInput: v.object({ id: v.string() }),
  /** Asks for a mask file of the input's size; replies with its name and the one it is kept under. */
  loadMask: v.object({ width: v.number(), height: v.number() }),
  /** Returns the URL of a kept mask, for `img`. */
  maskUrl: v.object({ file: v.string() }),
  /** Asks where to save the mask, and saves it. */
  saveMask: v.object({ bytes, name: v.string() }),
  taskAction: v.object({
    task: v.string(),
    action: v.picklist(studioTaskActions),
  }),
  /** Presses one of the further buttons that fix a task's error. */
  fixTask: v.object({ task: v.string(), errorAction: v.pipe(v.number(), v.integer(), v.minValue(0)) }),
  star: v.object({ ...image, starred: v.boolean() }),
  open: v.object(image),
  /** Inserts a reference to the image into the document that is open. */
  insert: v.object(image),
  copyPath: v.object(image),
  /** Asks in which form to copy a reference to the image: as relative path, Markdown, HTML or CSS. */
  copyAs: v.object(image),
  /** Shows the file in the explorer. */
  reveal: v.object(image),
  /** Shows the image beside its original in VS Code's diff editor. */
  compareWithOriginal: v.object(image),
  /** Deletes the files of images, of which copies are kept for a while; replies with the images that were discarded. */
  discard: v.object({ images: v.array(v.object(image)) }),
  /** Discards the other images of the task; replies like `discard`. */
  keepOnly: v.object(image),
  /** Makes discarded images files again. */
  recover: v.object({ images: v.array(v.object(image)) }),
  saveAs: v.object(image),
  /** Replies with the name of the file that was replaced, and the number of the change, by which it is undone. */
  replaceOriginal: v.object(image),
  /** Puts back what the image replaced; replies like `replaceOriginal`. */
  restoreOriginal: v.object(image),
  /** Puts back what the file held before it was replaced or restored. */
  undoOriginal: v.object({ change: v.pipe(v.number(), v.integer(), v.minValue(0)) }),
  /** Scales and crops an image to the requested size, into a new file. */
  fitToSize: v.object(image),
  /** Scales and crops an image to the size of the original that it was made of, into a new file. */
  fitToOriginal: v.object(image),
  /** Saves the image that the service made beside the one that has the original's pixels. */
  saveOriginalOutput: v.object(image),
  /** Saves a social card, drawn on this image, as a PNG; replies with the name of its file. */
  saveCard: v.object({ ...image, bytes, title: v.string(), siteName: v.string() }),
  copyPrompt: v.object({ task: v.string() }),
  /** Asks, and sends the task's request again for this many images. */
  variations: v.object({ task: v.string(), count: v.pipe(v.number(), v.integer(), v.minValue(1)) }),
  /** Asks, and sends the image's request again, with its background made transparent in another way. */
  tryOtherWay: v.object(image),
  /** Returns a part of the history, newest first. */
  history: v.object({
    filter: historyFilter,
    offset: v.pipe(v.number(), v.integer(), v.minValue(0)),
    limit: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(500)),
  }),
  /** Restores an old task with its inputs and its mask as the draft. */
  restore: v.object({ task: v.string() }),
  /** Presses one of the buttons under a failure. */
  runErrorAction: v.object({
    failure: v.number(),
    errorAction: v.pipe(v.number(), v.integer(), v.minValue(0)),
  }),
  /** Shows the setting of the models, which says how many input images each takes. */
  openModelSettings: v.object({}),
  /** Runs *Connect to a Service…* or *Use the Built-in Demo Service*. */
  connect: v.object({ demo: v.boolean() }),
} as const;

export type StudioMethod = keyof typeof requestParameters;
export type StudioParameters<M extends StudioMethod> = v.InferOutput<(typeof requestParameters)[M]>;

/** Replies of the host by method; `null` also if the user dismisses a dialog. */
export interface StudioReplies {
  /** The target of the first result, as of now. */
  saveDraft: StudioTarget;
  /** The new task's id. */
  submit: string | null;
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
  loadMask: { file: string; name: string } | null;
  maskUrl: string;
  /** The name of the file. */
  saveMask: string | null;
  saveCard: string;
  history: { total: number; tasks: StudioTask[]; models: string[] };
  /** `null` if the user keeps the mask that would be lost. */
  restore: null | { draft: Draft; inputs: StudioInput[] };
}

/** The reply to a method: `null` for those that only do something. */
export type StudioReply<M extends StudioMethod> = M extends keyof StudioReplies ? StudioReplies[M] : null;

/** A request, whose parameters are checked by the schema of its method. */
export const studioRequest = v.object({
  /** Number of the page in its webview. */
  page: v.number(),
  /** Another each time that VS Code loads that page. */
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
  /** Tasks of the draft or the history were added, changed or removed. */
  | { kind: 'tasks'; tasks: StudioTask[]; removed: string[] }
  /** The files of input images have changed. */
  | { kind: 'inputs'; inputs: StudioInput[] }
  /** The settings have changed. */
  | ({ kind: 'settings' } & Pick<
      StudioState,
      'models' | 'defaultModel' | 'defaults' | 'isConnected' | 'hasLanguageModel' | 'target'
    >)
  /** Sending the draft has started or ended. */
  | { kind: 'sending'; isSending: boolean }
  /** A task was started from this draft, by this page or another. */
  | { kind: 'taskStarted'; task: string }
  /** A command starts a new draft with these images and changes. `isUnsent`: whether it replaces what was never sent. */
  | { kind: 'newDraft'; inputs: StudioInput[]; changes: Partial<Draft>; isUnsent: boolean };
