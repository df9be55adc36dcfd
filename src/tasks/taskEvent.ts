import type { ErrorRecord } from '../common/limnerError.ts';
import type { Usage } from '../service/messages.ts';
import type { ReplacedOriginal, SaveTarget, TaskResult } from './task.ts';

/** The service's report about a task: its word for the state and its progress, 0–100. */
export interface RemoteState {
  status: string;
  progress?: number;
}

/** All that can happen to a task; times (`at`, `retryAt`) are Unix milliseconds. */
export type TaskEvent =
  /** The one POST is about to leave, with the key of this fingerprint. */
  | { type: 'submit'; keyFingerprint: string }
  /** The window it was started in is gone before it was sent: a person decides. */
  | { type: 'hold' }
  /** The person sends a held task. */
  | { type: 'release'; at: number }
  /** It was not taken, surely: the service is busy or nothing left this machine. */
  | { type: 'busy'; at: number; retryAt: number; error: ErrorRecord }
  /** The service took it and gave it an id. */
  | { type: 'accepted'; at: number; remoteId: string; remotePath?: string; remote: RemoteState }
  /** A synchronous answer began. */
  | { type: 'answering'; at: number }
  /** One image of a response that is still open is whole and on disk. */
  | { type: 'arrived'; result: TaskResult }
  /** The response itself held the images. */
  | {
      type: 'answered';
      at: number;
      results: TaskResult[];
      remark?: string;
      usage?: Usage;
      incomplete?: ErrorRecord;
    }
  /** A poll was answered. */
  | { type: 'reported'; remote: RemoteState }
  /** A poll or downloads, of these images, found the service out of reach. */
  | { type: 'unreachable'; at: number; retryAt: number; error: ErrorRecord; results?: TaskResult[] }
  /** The service does not take the key that there is. */
  | { type: 'keyRefused'; error: ErrorRecord }
  /** There is another key, or the old one again. */
  | { type: 'keyChanged' }
  /** The service completed it and says where the images are. */
  | { type: 'finished'; at: number; results: TaskResult[]; incomplete?: ErrorRecord }
  /** One image was fetched: it is whole and on disk. */
  | { type: 'fetched'; result: TaskResult }
  /** Something else happened to one image while saving. */
  | { type: 'resultChanged'; result: TaskResult }
  /** A window begins to work on an image in a way that it may not survive, or has survived it. */
  | { type: 'attempt'; index: number; attempts: number }
  /** URLs do not work: ask the service for fresh ones. */
  | { type: 'urlsExpired' }
  /** No image can get any further. */
  | { type: 'settled'; at: number }
  | { type: 'failed'; at: number; error: ErrorRecord; keptResponse?: string }
  /** The request may have reached the service, and no id came back. */
  | { type: 'lost'; at: number; error: ErrorRecord; keptResponse?: string }
  /** The person stops watching, or 24 hours of trouble did. */
  | { type: 'stop'; at: number; error?: ErrorRecord }
  /** The person cancels it before it is sent. */
  | { type: 'cancel'; at: number }
  | { type: 'resume' }
  /** The person makes the next try at once. */
  | { type: 'tryNow'; at: number }
  /** The person stars one image, or removes its star. */
  | { type: 'starred'; index: number; starred: boolean }
  /** A copy of an image is kept, and its file is about to be deleted. */
  | { type: 'discarded'; index: number; path: string; at: number }
  /** A discarded image is a file again. */
  | { type: 'recovered'; index: number; uri: string }
  /** One image replaced its original; without `replaced` the original is back. */
  | { type: 'originalReplaced'; index: number; replaced?: ReplacedOriginal }
  /** A window begins to put an image in its place in a document. */
  | { type: 'placing'; index: number; at: number }
  /** That was tried, and the person knows how it went. */
  | { type: 'placed'; index: number }
  /** Images that were saved as received are finished once more; copies of them are staged. */
  | { type: 'finishAgain'; copies: readonly { index: number; stagedPath: string }[] }
  /** Those of these images that are not saved are tried again, perhaps elsewhere. */
  | { type: 'saveAgain'; indexes: readonly number[]; target?: SaveTarget };
