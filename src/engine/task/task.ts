import * as v from 'valibot';
import { callStyles } from '../../common/requestValues.ts';
import { withPlainDrive } from '../../common/fileUris.ts';
import { billings, errorCodes, type ErrorRecord, phases } from '../../common/limnerError.ts';
import type { TaskStatus } from '../../common/taskStatus.ts';
import { finish, finishFacts, reasonsToLeaveAlone } from '../../images/formats/finish.ts';
import { tokenCounts } from '../../service/terms/messages.ts';
import { requestOptions } from '../../service/terms/modelOptions.ts';

/** Requires a schema for every property, since one without a schema would be lost on reading. */
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

/** A URI string: files on disk in one notation, even in rows that older versions wrote in another. */
const fileUri = v.pipe(v.string(), v.transform(withPlainDrive));

/** An input file of an edit, as it was when the task began. */
export type TaskInput = v.InferOutput<typeof taskInput>;

const taskInput = v.object({
  /** URI string of the file that the user chose. */
  uri: fileUri,
  name: v.string(),
  /** In bytes. */
  size: v.number(),
  mediaType: v.string(),
  sha256: v.string(),
  /** Path of the bytes to send: the file itself, or a copy of a file that is not on disk. */
  path: v.string(),
});

export type SaveTarget = v.InferOutput<typeof saveTarget>;

const saveTarget = v.object({
  /** URI string of the folder; created if missing. */
  folder: fileUri,
  /** URI string of the folder that must contain every final file after links are resolved. */
  root: fileUri,
  /**
   * File name template: `{prompt} {date} {time} {model} {index} {name} {id}`. Its extension is kept as written if the
   * file has that format; otherwise the file gets its own.
   */
  fileName: v.string(),
});

/** Everything needed to run a task, now or again. */
export type TaskRequest = v.InferOutput<typeof taskRequest>;

export const taskRequest = v.object({
  kind: v.picklist(['generate', 'edit']),
  ...requestOptions.entries,
  callStyle: v.picklist(callStyles),
  images: v.exactOptional(v.array(taskInput)),
  mask: v.exactOptional(taskInput),
  /** For an edit with a mask: restore the original's pixels outside it, if possible. */
  keepOutside: v.exactOptional(v.literal(true)),
  /** Sent after the prompt: asks for what Limner needs to finish the images. */
  instruction: v.exactOptional(v.string()),
  finish: v.exactOptional(finish),
  /** The style it is made in: words that are sent around the prompt, and images that are sent after the others. */
  style: v.exactOptional(
    v.object({
      name: v.string(),
      before: v.exactOptional(v.string()),
      after: v.exactOptional(v.string()),
      images: v.exactOptional(v.array(taskInput)),
    }),
  ),
  /** The images are generated on white. Once one is saved, a second task puts it on black and makes this from both. */
  onBlack: v.exactOptional(
    v.object({
      finish,
      fileName: v.string(),
      /** How that edit is sent; absent if like this request. */
      callStyle: v.exactOptional(v.picklist(callStyles)),
      imageField: v.exactOptional(requestOptions.entries.imageField.wrapped),
    }),
  ),
  /** The image is on black; this is the original of the image on white. */
  original: v.exactOptional(taskInput),
  /** Write into each file how it was made. */
  embedPrompt: v.exactOptional(v.literal(true)),
  /** The request is one of a batch, for one of its images. */
  batch: v.exactOptional(v.object({ id: v.string(), title: v.string(), index: v.number() })),
  /**
   * An agent requested it: a digest of tool and arguments, which identifies a repeated call, and whether the image
   * replaces the file with its name.
   */
  agent: v.exactOptional(v.object({ call: v.string(), replaces: v.exactOptional(v.literal(true)) })),
  /** The image replaces another one in a document: each with this address and these words. */
  reference: v.exactOptional(
    v.object({
      document: fileUri,
      address: v.string(),
      words: v.exactOptional(v.string()),
      /** The words for the other images with this address, if known. */
      otherWords: v.exactOptional(v.array(v.string())),
    }),
  ),
  /** The image is the background of a page's social card, which initially has these words. */
  socialCard: v.exactOptional(v.object({ document: fileUri, title: v.string(), siteName: v.string() })),
  /** Base URL of the service; its origin identifies the key. */
  baseUrl: v.string(),
  /** It goes to the built-in demo service, which costs nothing. */
  free: v.exactOptional(v.literal(true)),
  /** The price of one image, as the user set it when the request was sent. */
  price: v.exactOptional(v.object({ amount: v.number(), currency: v.string() })),
  /** Who sent it, if not a user. */
  startedBy: v.exactOptional(v.literal('agent')),
  target: saveTarget,
});

/** Returns the inputs that are needed once the images arrive, which are kept as they were sent. */
export function inputsNeededLater({ images = [], mask, keepOutside, finish }: TaskRequest): TaskInput[] {
  const [original] = images;
  if (!original) {
    return [];
  }
  return keepOutside && mask ? [original, mask] : finish?.cutout?.by === 'grounds' ? [original] : [];
}

/** The output of the service, if the file was made from it. */
export type OriginalOutput = v.InferOutput<typeof taskAnswer>;

const taskAnswer = v.object({
  /** Path of the bytes, in the inbox; removed with the task. */
  path: v.string(),
  /** In bytes. */
  size: v.number(),
  mediaType: v.string(),
  /** In pixels. */
  width: v.exactOptional(v.number()),
  height: v.exactOptional(v.number()),
  sha256: v.string(),
});

const discardedImage = v.object({
  path: v.string(),
  at: v.number(),
});

/** The file contents that an image replaced when it took the place of its original. */
export type ReplacedOriginal = v.InferOutput<typeof replacedOriginal>;

const replacedOriginal = v.object({
  path: v.string(),
  /** Hash of the new contents. */
  sha256: v.string(),
  at: v.number(),
  /** Contents that it replaced before, oldest first: the file was changed in between. */
  earlier: v.exactOptional(v.array(v.object({ path: v.string(), at: v.number() }))),
});

export type TaskResult = v.InferOutput<typeof taskResult>;

export const taskResult = v.object({
  index: v.number(),
  /**
   * `remote`: only its URL is known · `staged`: its bytes are here but not published · `saved` · `failed`: see error.
   */
  state: v.picklist(['remote', 'staged', 'saved', 'failed']),
  url: v.exactOptional(v.string()),
  /** Path of the unpublished bytes, below the engine's home. */
  stagedPath: v.exactOptional(v.string()),
  uri: v.exactOptional(fileUri),
  /** In bytes. */
  size: v.exactOptional(v.number()),
  mediaType: v.exactOptional(v.string()),
  /** Upright, in pixels. */
  width: v.exactOptional(v.number()),
  height: v.exactOptional(v.number()),
  sha256: v.exactOptional(v.string()),
  /** Its bytes end too early, but no more came. */
  seemsCut: v.exactOptional(v.literal(true)),
  /** Other damage to its bytes, in English, to follow "The image is damaged: ". They are saved as received. */
  damage: v.exactOptional(v.string()),
  /** Its bytes are damaged base64, as received. */
  isText: v.exactOptional(v.literal(true)),
  revisedPrompt: v.exactOptional(v.string()),
  /** Set while its file is discarded. */
  discarded: v.exactOptional(discardedImage),
  /** The service lists it beyond the requested number; it is only fetched if a user asks for it. */
  surplus: v.exactOptional(v.literal(true)),
  error: v.exactOptional(errorRecord),
  /** URI string of the intended name: after a crash, the file may be there. */
  publishing: v.exactOptional(fileUri),
  /**
   * With `keepOutside`: `true` if the pixels outside the mask equal the original's, `rounded` to 8 bits, or why not.
   * `colours`: they do, but those inside mean other colors than in the service's output.
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
  /** Its Content Credentials exist only in the service's output, since the original's pixels were restored. */
  lostCredentials: v.exactOptional(v.literal(true)),
  /** How it was finished, or why that failed and it is as received. */
  finished: v.exactOptional(v.union([finishFacts, v.object({ problem: v.string() })])),
  /** How many processes worked on it since one of them ended normally: they may have died of it. */
  attempts: v.exactOptional(v.number()),
  /** Kept if the file was made from it: the original's pixels were restored, or the image was finished. */
  answer: v.exactOptional(taskAnswer),
  onBlack: v.exactOptional(
    v.object({
      id: v.string(),
      /** Set once the task is in the list. If it is removed later, it does not begin again. */
      begun: v.exactOptional(v.literal(true)),
    }),
  ),
  /** Its task is never trimmed from the history. */
  starred: v.exactOptional(v.literal(true)),
  replacedOriginal: v.exactOptional(replacedOriginal),
  /**
   * With `reference`: when a window began to put it in its place in the document, in Unix milliseconds; `done` once
   * that was tried.
   */
  placing: v.exactOptional(v.union([v.literal('done'), v.number()])),
});

export type ArrivedImage = TaskResult &
  Required<Pick<TaskResult, 'stagedPath' | 'size' | 'mediaType' | 'sha256'>>;

/** The part of a task that changes while it runs. */
export const taskState = v.object({
  createdAt: v.number(),
  /** When a user sent it, if that was later. */
  orderedAt: v.exactOptional(v.number()),
  /** When the service accepted it or began to respond. */
  submittedAt: v.exactOptional(v.number()),
  finishedAt: v.exactOptional(v.number()),
  /** When the service was first seen to have completed it; it keeps the images for 6 hours. */
  completedAt: v.exactOptional(v.number()),
  /** Origin of the service that the request was sent to. */
  origin: v.string(),
  keyFingerprint: v.exactOptional(v.string()),
  remoteId: v.exactOptional(v.string()),
  /** Path and query to poll, if the service named others than documented. */
  remotePath: v.exactOptional(v.string()),
  /** The latest status from the service, even an undocumented one. */
  remoteStatus: v.exactOptional(v.string()),
  /** When the agent that asked for it was told its outcome. */
  deliveredAt: v.exactOptional(v.number()),
  /** Highest progress seen, 0–100. */
  progress: v.exactOptional(v.number()),
  /** When the next try is due, while the service is busy or can't be reached. */
  retryAt: v.exactOptional(v.number()),
  /** Since when the service or its images could not be reached. */
  troubleSince: v.exactOptional(v.number()),
  /** It waits for the user to send it, because the window that started it is gone. */
  held: v.exactOptional(v.literal(true)),
  /** Why it ended, pauses, or waits; for a completed task, why it has fewer images than requested. */
  error: v.exactOptional(errorRecord),
  results: v.array(taskResult),
  /** Path of the body of a response without an image; removed with the task. */
  keptResponse: v.exactOptional(v.string()),
  remark: v.exactOptional(v.string()),
  usage: v.exactOptional(v.object(v.entriesFromList(tokenCounts, v.exactOptional(v.number())))),
});

/** One task, as stored in its row; times are Unix milliseconds. */
export interface Task extends v.InferOutput<typeof taskState> {
  id: string;
  request: TaskRequest;
  status: TaskStatus;
}
