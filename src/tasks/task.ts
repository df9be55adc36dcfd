// Room: what a task is, how it moves, and the ports through which the engine sees time, disk and keys.
// Never: timers, SQL.

import * as v from 'valibot';
import { callStyles } from '../common/callStyle.ts';
import { withPlainDrive } from '../common/disk/fileUris.ts';
import { billings, errorCodes, type ErrorRecord, phases } from '../common/limnerError.ts';
import type { TaskStatus } from '../common/taskStatus.ts';
import { finish, finishFacts } from '../images/formats/finish.ts';
import { reasonsToLeaveAlone } from '../images/formats/leftAlone.ts';
import { tokenCounts } from '../service/messages.ts';
import { requestOptions } from '../service/modelOptions.ts';

/** A schema for every property: one that is forgotten here would be lost when it is read. */
type Schemas<T> = Record<keyof T, v.GenericSchema | v.ExactOptionalSchema<v.GenericSchema, undefined>>;

const errorRecord = v.object({
  code: v.picklist(errorCodes),
  message: v.string(),
  phase: v.exactOptional(v.picklist(phases)),
  billing: v.exactOptional(v.picklist(billings)),
  status: v.exactOptional(v.number()),
  service: v.exactOptional(
    v.object({
      message: v.exactOptional(v.string()),
      type: v.exactOptional(v.string()),
      code: v.exactOptional(v.string()),
    }),
  ),
  retryAfter: v.exactOptional(v.number()),
  sent: v.exactOptional(v.boolean()),
  lasting: v.exactOptional(v.literal(true)),
  refusedHost: v.exactOptional(v.string()),
} satisfies Schemas<ErrorRecord>);

/** A URI string: of a file on disk in one notation, also in rows that older versions wrote in another. */
const fileUri = v.pipe(v.string(), v.transform(withPlainDrive));

/** An input file of an edit, as it was when the task began. */
export type TaskInput = v.InferOutput<typeof taskInput>;

const taskInput = v.object({
  /** URI string of the file that the person chose. */
  uri: fileUri,
  name: v.string(),
  /** In bytes. */
  size: v.number(),
  mediaType: v.string(),
  sha256: v.string(),
  /** Path of the bytes that are sent: the file itself, or a copy for files that are not on disk. */
  path: v.string(),
});

/** Where finished images go. */
export type SaveTarget = v.InferOutput<typeof saveTarget>;

const saveTarget = v.object({
  /** URI string of the folder; created if missing. */
  folder: fileUri,
  /** URI string of the folder that every final file must lie inside after links are resolved. */
  root: fileUri,
  /**
   * File name template: `{prompt} {date} {time} {model} {index} {name} {id}`. An extension at its end stays as it is
   * written where the file is of that format; otherwise the file has its own.
   */
  fileName: v.string(),
});

/** All that is needed to run a task, now or again. */
export type TaskRequest = v.InferOutput<typeof taskRequest>;

export const taskRequest = v.object({
  kind: v.picklist(['generate', 'edit']),
  ...requestOptions.entries,
  callStyle: v.picklist(callStyles),
  images: v.exactOptional(v.array(taskInput)),
  mask: v.exactOptional(taskInput),
  /** Of an edit with a mask: the original's pixels are put back outside it, where that is possible. */
  keepOutside: v.exactOptional(v.literal(true)),
  /** Sent after the prompt: asks for what Limner needs to finish the images. */
  instruction: v.exactOptional(v.string()),
  /** What is made of each image before it is published. */
  finish: v.exactOptional(finish),
  /** Each image is on white: a task that begins when it is saved puts it on black, and makes this of the two. */
  onBlack: v.exactOptional(
    v.object({
      finish,
      fileName: v.string(),
      /** How an edit is sent: unlike this request, where that is none. */
      callStyle: v.exactOptional(v.picklist(callStyles)),
      imageField: v.exactOptional(requestOptions.entries.imageField.wrapped),
    }),
  ),
  /** The image is on black, of one on white: what that was made of. */
  original: v.exactOptional(taskInput),
  /** How each image was made is written into its file. */
  embedPrompt: v.exactOptional(v.literal(true)),
  /** The request is one of those that were made together, for one of their images. */
  batch: v.exactOptional(v.object({ id: v.string(), title: v.string(), index: v.number() })),
  /**
   * An agent asked for it: a digest of its tool and arguments, by which the same call is recognized, and whether the
   * image takes the place of the file that has its name.
   */
  agent: v.exactOptional(v.object({ call: v.string(), replaces: v.exactOptional(v.literal(true)) })),
  /** The image takes the place of another one in a document: of each of this address, and of which these words are said. */
  reference: v.exactOptional(
    v.object({
      document: fileUri,
      address: v.string(),
      words: v.exactOptional(v.string()),
      /** What was said of the other images of this address, where that is known. */
      otherWords: v.exactOptional(v.array(v.string())),
    }),
  ),
  /** The image is the background of a page's social card, which has these words on it at first. */
  socialCard: v.exactOptional(v.object({ document: fileUri, title: v.string(), siteName: v.string() })),
  /** Base URL of the service; its origin names the key. */
  baseUrl: v.string(),
  /** It goes to the built-in demo service, which costs nothing. */
  free: v.exactOptional(v.literal(true)),
  /** What one image costs, as a person said when it was sent. */
  price: v.exactOptional(v.object({ amount: v.number(), currency: v.string() })),
  /** Who had it sent, if not a person. */
  startedBy: v.exactOptional(v.literal('agent')),
  target: saveTarget,
});

/** Returns the inputs that images are made with when they have arrived: they are kept as they were sent. */
export function inputsNeededLater({ images = [], mask, keepOutside, finish }: TaskRequest): TaskInput[] {
  const [original] = images;
  if (!original) {
    return [];
  }
  return keepOutside && mask ? [original, mask] : finish?.cutout?.by === 'grounds' ? [original] : [];
}

/** The output of the service, where the file is made of it. */
export type OriginalOutput = v.InferOutput<typeof taskAnswer>;

const taskAnswer = v.object({
  /** Path of the bytes, in the inbox; they go with the task. */
  path: v.string(),
  /** In bytes. */
  size: v.number(),
  mediaType: v.string(),
  /** In pixels. */
  width: v.exactOptional(v.number()),
  height: v.exactOptional(v.number()),
  sha256: v.string(),
});

/** What a person discarded. */
const discardedImage = v.object({
  /** Path of a copy of the file, in Limner's storage. */
  path: v.string(),
  /** When, in Unix milliseconds. */
  at: v.number(),
});

/** The file contents that an image replaced when it took the place of its original. */
export type ReplacedOriginal = v.InferOutput<typeof replacedOriginal>;

const replacedOriginal = v.object({
  /** Path of the contents that were replaced, in Limner's storage. */
  path: v.string(),
  /** Hash of the contents that took their place. */
  sha256: v.string(),
  /** When, in Unix milliseconds. */
  at: v.number(),
  /** The contents that it replaced before, the last ones last: the file was changed in between. */
  earlier: v.exactOptional(v.array(v.object({ path: v.string(), at: v.number() }))),
});

/** One image of a task. */
export type TaskResult = v.InferOutput<typeof taskResult>;

export const taskResult = v.object({
  index: v.number(),
  /** `remote`: known by URL only · `staged`: bytes are here, not published · `saved` · `failed`: see error. */
  state: v.picklist(['remote', 'staged', 'saved', 'failed']),
  url: v.exactOptional(v.string()),
  /** Path of the bytes while they are not published, below the engine's home. */
  stagedPath: v.exactOptional(v.string()),
  /** URI string of the published file. */
  uri: v.exactOptional(fileUri),
  /** In bytes. */
  size: v.exactOptional(v.number()),
  mediaType: v.exactOptional(v.string()),
  /** As it is seen, upright, in pixels. */
  width: v.exactOptional(v.number()),
  height: v.exactOptional(v.number()),
  sha256: v.exactOptional(v.string()),
  /** Its bytes end before the image does; they are all that came. */
  seemsCut: v.exactOptional(v.literal(true)),
  /** What is wrong with its bytes otherwise, in English, to follow "The image is damaged: ". They are saved as received. */
  damage: v.exactOptional(v.string()),
  /** Its bytes are the damaged base64 that it came as. */
  isText: v.exactOptional(v.literal(true)),
  revisedPrompt: v.exactOptional(v.string()),
  /** There while its file is discarded. */
  discarded: v.exactOptional(discardedImage),
  /** The service lists it beyond what was requested: it is fetched only once a person says so. */
  surplus: v.exactOptional(v.literal(true)),
  error: v.exactOptional(errorRecord),
  /** URI string of the name that the bytes are being put under: after a crash they may be there. */
  publishing: v.exactOptional(fileUri),
  /**
   * With `keepOutside`: the pixels outside the mask are the original's, at least rounded to 8 bits, or why not.
   * `colours`: they are, and those inside mean other colours than in the service's output.
   */
  keptOutside: v.exactOptional(
    v.union([
      v.literal(true),
      v.picklist([
        'rounded',
        'colours',
        'size',
        'original',
        'kind',
        'mask',
        'unreadable',
        'too_large',
        ...reasonsToLeaveAlone,
      ]),
    ]),
  ),
  /** Its Content Credentials are only in the output of the service, since the original's pixels were put back. */
  lostCredentials: v.exactOptional(v.literal(true)),
  /** What was done to it where the request says so, or why that failed and it is as it came. */
  finished: v.exactOptional(v.union([finishFacts, v.object({ problem: v.string() })])),
  /** How many processes worked on it, since one that came to an end with that: they may have died of it. */
  attempts: v.exactOptional(v.number()),
  /** Kept where the file is made of it: the original's pixels were put back, or it is finished. */
  answer: v.exactOptional(taskAnswer),
  /** The task that puts it on black. */
  onBlack: v.exactOptional(
    v.object({
      id: v.string(),
      /** There once the task is in the list; one that is removed later is not begun again. */
      begun: v.exactOptional(v.literal(true)),
    }),
  ),
  /** The person wants to find it again; its task is never trimmed from the history. */
  starred: v.exactOptional(v.literal(true)),
  /** There while it is in its original's place. */
  replacedOriginal: v.exactOptional(replacedOriginal),
  /**
   * With `reference`: since when a window puts it in its place in the document, in Unix milliseconds; `done` once that
   * was tried.
   */
  placing: v.exactOptional(v.union([v.literal('done'), v.number()])),
});

/** An image whose bytes are here, and are an image. */
export type ArrivedImage = TaskResult &
  Required<Pick<TaskResult, 'stagedPath' | 'size' | 'mediaType' | 'sha256'>>;

/** The part of a task that changes while it runs. */
export const taskState = v.object({
  createdAt: v.number(),
  /** When a person sent it, if that was later. */
  orderedAt: v.exactOptional(v.number()),
  /** When the service accepted or began to answer. */
  submittedAt: v.exactOptional(v.number()),
  finishedAt: v.exactOptional(v.number()),
  /** When the service was first seen to have completed it: it keeps the images for 6 hours. */
  completedAt: v.exactOptional(v.number()),
  /** Origin that the request was sent to. */
  origin: v.string(),
  /** Fingerprint of the key that submitted it. */
  keyFingerprint: v.exactOptional(v.string()),
  remoteId: v.exactOptional(v.string()),
  /** Where the service said that it is asked for the task, if not at the document's path: path and query. */
  remotePath: v.exactOptional(v.string()),
  /** The service's last word on its status, also one that it does not document. */
  remoteStatus: v.exactOptional(v.string()),
  /** Highest progress seen, 0–100. */
  progress: v.exactOptional(v.number()),
  /** When the next try is due, while the service is busy or out of reach. */
  retryAt: v.exactOptional(v.number()),
  /** Since when the service could not be asked, or its images not be fetched. */
  troubleSince: v.exactOptional(v.number()),
  /** It waits for the person to send it: the window that it was started in is gone. */
  held: v.exactOptional(v.literal(true)),
  /** Why it ended, pauses or waits; of a completed task: why it has fewer images than were requested. */
  error: v.exactOptional(errorRecord),
  results: v.array(taskResult),
  /** Path of the body of a response in which no image was found; it goes with the task. */
  keptResponse: v.exactOptional(v.string()),
  /** Text that the model gave with its images. */
  remark: v.exactOptional(v.string()),
  usage: v.exactOptional(v.object(v.entriesFromList(tokenCounts, v.exactOptional(v.number())))),
});

/** One task, as its row holds it; times are Unix milliseconds. */
export interface Task extends v.InferOutput<typeof taskState> {
  id: string;
  request: TaskRequest;
  status: TaskStatus;
}
