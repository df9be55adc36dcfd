import type { ErrorRecord } from '../../common/limnerError.ts';
import type { Usage } from '../../service/terms/messages.ts';
import type { ReplacedOriginal, SaveTarget, TaskResult } from './task.ts';

export interface RemoteState {
  status: string;
  progress?: number;
}

/** A file that was renamed, by its URI strings. */
export interface Moved {
  from: string;
  to: string;
}

/** The file of a saved image. */
export const remadeParts = [
  'uri',
  'size',
  'mediaType',
  'width',
  'height',
  'sha256',
  'finished',
  'answer',
] as const;

export type RemadeFile = Pick<TaskResult, (typeof remadeParts)[number]>;

/** Everything that can happen to a task; times (`at`, `retryAt`) are Unix milliseconds. */
export type TaskEvent =
  /** The one POST is about to be sent, with the key of this fingerprint. */
  | { type: 'submit'; keyFingerprint: string }
  /** Its window closed before it was sent, so the user decides. */
  | { type: 'hold' }
  | { type: 'release'; at: number }
  /** The service surely did not accept it: it is busy, or the request never left this machine. */
  | { type: 'busy'; at: number; retryAt: number; error: ErrorRecord }
  | { type: 'accepted'; at: number; remoteId: string; remotePath?: string; remote: RemoteState }
  | { type: 'answering'; at: number }
  /** One image of a response that is still open is complete and on disk. */
  | { type: 'arrived'; result: TaskResult }
  | {
      type: 'answered';
      at: number;
      results: TaskResult[];
      remark?: string;
      usage?: Usage;
      incomplete?: ErrorRecord;
    }
  | { type: 'reported'; remote: RemoteState }
  /** A poll, or the download of these images, could not reach the service. */
  | { type: 'unreachable'; at: number; retryAt: number; error: ErrorRecord; results?: TaskResult[] }
  /** The service refuses the current key. */
  | { type: 'keyRefused'; error: ErrorRecord }
  /** There is another key, or the old one again. */
  | { type: 'keyChanged' }
  /** The service completed it and listed the images. */
  | { type: 'finished'; at: number; results: TaskResult[]; incomplete?: ErrorRecord }
  | { type: 'fetched'; result: TaskResult }
  /** Another change to one image while saving. */
  | { type: 'resultChanged'; result: TaskResult }
  /** A window begins work on an image that may crash it, or survived that work. */
  | { type: 'attempt'; index: number; attempts: number }
  | { type: 'urlsExpired' }
  /** No image can make further progress. */
  | { type: 'settled'; at: number }
  | { type: 'failed'; at: number; error: ErrorRecord; keptResponse?: string }
  /** The request may have reached the service, but no ID came back. */
  | { type: 'lost'; at: number; error: ErrorRecord; keptResponse?: string }
  /** The user stops watching, or Limner does after 24 hours of trouble. */
  | { type: 'stop'; at: number; error?: ErrorRecord }
  /** The user no longer waits for the images that their host doesn't send. They can be fetched later. */
  | { type: 'giveUp'; at: number }
  /** The user cancels it before it is sent. */
  | { type: 'cancel'; at: number }
  | { type: 'resume' }
  | { type: 'tryNow'; at: number }
  /** The agent that asked for it was told its outcome. */
  | { type: 'delivered'; at: number }
  | { type: 'starred'; index: number; starred: boolean }
  /** A copy of an image is kept, and its file is about to be deleted. */
  | { type: 'discarded'; index: number; path: string; at: number }
  | { type: 'recovered'; index: number; uri: string }
  /** Files have other names: images of the task, or what it was made from. URI strings, as in the row. */
  | { type: 'moved'; files: readonly Moved[] }
  /** One image replaced its original; without `replaced`, the original is restored. */
  | { type: 'originalReplaced'; index: number; replaced?: ReplacedOriginal }
  /** The file of an image was made anew from what is here. `file` is all that is known of the new one. */
  | { type: 'remade'; index: number; file: RemadeFile }
  /** A window begins to put an image in its place in a document. */
  | { type: 'placing'; index: number; at: number }
  /** That was tried, and the user knows the outcome. */
  | { type: 'placed'; index: number }
  /** Images that were saved as received are finished again, from these staged copies. */
  | { type: 'finishAgain'; copies: readonly { index: number; stagedPath: string }[] }
  | { type: 'saveAgain'; indexes: readonly number[]; target?: SaveTarget };
