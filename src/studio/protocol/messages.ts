import * as v from 'valibot';
import { draft, historyFilter } from './draft.ts';
import type { Draft } from './draft.ts';
import type { StudioInput, StudioState, StudioTarget, StudioTask } from './state.ts';

const image = { task: v.string(), index: v.pipe(v.number(), v.integer(), v.minValue(0)) };
/** In bytes; what is pasted or dropped from the desktop comes through a message, for there is no other way. */
const bytes = v.instance(Uint8Array);

/** What the webview asks of the host, by method: the schema of its parameters. */
export const requestParameters = {
  /** These parts of the draft have changed. */
  saveDraft: v.object({ changes: v.partial(draft) }),
  /** Sends the draft as it was saved last. `mask`: PNG of the first input's size, transparent where it is to change. */
  submit: v.object({ mask: v.exactOptional(bytes) }),
  /** Asks for a folder with the dialog of the editor; relative to the workspace folder where it lies inside. */
  pickFolder: v.object({}),
  /** Asks for input images with the dialog of the editor. */
  pickInputs: v.object({}),
  /** Takes files that were dropped from the explorer. */
  addInputs: v.object({ uris: v.array(v.string()) }),
  /** Takes an image that was pasted, or dropped from the desktop. */
  addInputBytes: v.object({ name: v.string(), bytes }),
  /** Takes a result as an input. */
  useAsInput: v.object(image),
  /** Asks for a mask file, which must be as large as the input; its name, and the one it is kept under. */
  loadMask: v.object({ width: v.number(), height: v.number() }),
  /** Where a kept mask can be read: for `img`. */
  maskUrl: v.object({ file: v.string() }),
  /** Asks where to save the mask. */
  saveMask: v.object({ bytes, name: v.string() }),
  /** Runs one of the actions of a task. */
  taskAction: v.object({
    task: v.string(),
    action: v.picklist(['stop', 'resume', 'runAgain', 'runSynchronously', 'saveAgain', 'remove']),
  }),
  star: v.object({ ...image, starred: v.boolean() }),
  open: v.object(image),
  /** Moves one picture to the trash. */
  discard: v.object(image),
  /** Keeps this one of a task's pictures and moves the others to the trash. */
  keepOnly: v.object(image),
  saveAs: v.object(image),
  replaceOriginal: v.object(image),
  /** Scales and crops a picture to the size that was asked for, into a new file. */
  fitToSize: v.object(image),
  /** Saves the service's own answer beside the picture that has the original's pixels. */
  saveAnswer: v.object(image),
  copyPrompt: v.object({ task: v.string() }),
  /** Sends the task's request again, with as many pictures as the model gives, up to four. */
  variations: v.object({ task: v.string() }),
  /** A part of the history, newest first. */
  history: v.object({
    filter: historyFilter,
    offset: v.pipe(v.number(), v.integer(), v.minValue(0)),
    limit: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(500)),
  }),
  /** The composition of an old task, with its inputs and its mask; it becomes the draft. */
  restore: v.object({ task: v.string() }),
  /** Presses one of the buttons under a failure. */
  mend: v.object({ failure: v.number(), remedy: v.pipe(v.number(), v.integer(), v.minValue(0)) }),
  /** Runs *Connect to a Service…* or *Use the Built-in Demo Service*. */
  connect: v.object({ demo: v.boolean() }),
} as const;

export type StudioMethod = keyof typeof requestParameters;
export type StudioParameters<M extends StudioMethod> = v.InferOutput<(typeof requestParameters)[M]>;

/** Replies of the host by method; `null` also where the person dismissed a dialog. */
export interface StudioReplies {
  /** Where the first result would go by now. */
  saveDraft: StudioTarget;
  /** The new task's id. */
  submit: string | null;
  pickFolder: string | null;
  pickInputs: StudioInput[];
  addInputs: StudioInput[];
  addInputBytes: StudioInput;
  useAsInput: StudioInput;
  loadMask: { file: string; name: string } | null;
  maskUrl: string;
  history: { total: number; tasks: StudioTask[]; models: string[] };
  /** `null` where the person keeps the mask that would be lost. */
  restore: null | { draft: Draft; inputs: StudioInput[] };
}

/** The reply to a method: `null` for those that only do something. */
export type StudioReply<M extends StudioMethod> = M extends keyof StudioReplies ? StudioReplies[M] : null;

/** The frame of a request; what is inside is checked by the schema of its method. */
export const studioRequest = v.object({
  id: v.number(),
  method: v.string(),
  parameters: v.unknown(),
});
export type StudioRequest = v.InferOutput<typeof studioRequest>;

/** What the host says: answers, each to one request, and what happens meanwhile. */
export type StudioMessage =
  | { kind: 'reply'; id: number; value: unknown }
  /** `message`: what happened and what it may have cost. `remedies`: buttons that mend it. */
  | { kind: 'failure'; id: number; message: string; remedies: string[] }
  /** Tasks that are new or have changed; of this piece of work or of the history. */
  | { kind: 'tasks'; tasks: StudioTask[]; removed: string[] }
  /** The settings have changed. */
  | ({ kind: 'settings' } & Pick<
      StudioState,
      'models' | 'defaultModel' | 'defaults' | 'isConnected' | 'target'
    >)
  /** The draft is being sent, or is so no more. */
  | { kind: 'sending'; isSending: boolean }
  /** A task was begun for this piece of work, for whichever page. */
  | { kind: 'begun'; task: string }
  /** A new piece of work begins, on images that a command brought: what becomes of the draft. */
  | { kind: 'begin'; inputs: StudioInput[]; changes: Partial<Draft> };
