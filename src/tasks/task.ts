import type { NotKept } from '../images/codecs/keepOutside.ts';
import type { ErrorRecord } from '../common/limnerError.ts';
import type { TaskStatus } from '../common/taskStatus.ts';
import type { CallStyle } from '../common/callStyle.ts';
import type { ModelFamily, Usage } from '../service/messages.ts';

/** An input file of an edit, as it was when the task began. */
export interface TaskInput {
  /** URI string of the file that the person chose. */
  uri: string;
  name: string;
  /** In bytes. */
  size: number;
  mediaType: string;
  sha256: string;
  /** Path of the bytes that are sent: the file itself, or a copy for files that are not on disk. */
  path: string;
}

/** Where finished pictures go. */
export interface SaveTarget {
  /** URI string of the folder; created if missing. */
  folder: string;
  /** URI string of the folder that every final file must lie inside after links are resolved. */
  root: string;
  /** File name template without extension: `{prompt} {date} {time} {model} {index} {name} {id}`. */
  fileName: string;
}

/** All that is needed to run a task, now or again. */
export interface TaskRequest {
  kind: 'generate' | 'edit';
  prompt: string;
  model: string;
  family: ModelFamily;
  callStyle: CallStyle;
  size?: string;
  quality?: string;
  n: number;
  extra?: Record<string, unknown>;
  images?: TaskInput[];
  imageField?: 'image' | 'image[]';
  mask?: TaskInput;
  /** Of an edit with a mask: the original's pixels are put back outside it, where that is possible. */
  keepOutside?: true;
  /** Base URL of the service; its origin names the key. */
  baseUrl: string;
  target: SaveTarget;
}

/** What the service itself made, where the file is made of it. */
export interface TaskAnswer {
  /** Path of the bytes, in the inbox; they go with the task. */
  path: string;
  /** In bytes. */
  size: number;
  mediaType: string;
  sha256: string;
}

/** One picture of a task. */
export interface TaskResult {
  index: number;
  /** `remote`: known by URL only · `incoming`: bytes are here, not published · `saved` · `failed`: see error. */
  state: 'remote' | 'incoming' | 'saved' | 'failed';
  url?: string;
  /** Path of the bytes while they are not published, below the engine's home. */
  incoming?: string;
  /** URI string of the published file. */
  uri?: string;
  /** In bytes. */
  size?: number;
  mediaType?: string;
  width?: number;
  height?: number;
  sha256?: string;
  /** Its bytes end before the image does; they are all that came. */
  seemsCut?: true;
  /** Its bytes are the text that it came as, which is no base64. */
  isText?: true;
  revisedPrompt?: string;
  /** The service lists it beyond what was asked for: it is fetched only once a person says so. */
  surplus?: true;
  error?: ErrorRecord;
  /** URI string of the name that the bytes are being put under: after a crash they are looked for there first. */
  publishing?: string;
  /** With `keepOutside`: the pixels outside the mask are the original's, at least rounded to 8 bits, or why not. */
  keptOutside?: true | 'rounded' | NotKept;
  /** Kept where the original's pixels were put back. */
  answer?: TaskAnswer;
  /** The person wants to find it again; its task is never trimmed from the history. */
  starred?: true;
}

/** A picture whose bytes are here, and are an image. */
export type ArrivedImage = TaskResult &
  Required<Pick<TaskResult, 'incoming' | 'size' | 'mediaType' | 'sha256'>>;

/** One task, as its row holds it; times are Unix milliseconds. */
export interface Task {
  id: string;
  request: TaskRequest;
  status: TaskStatus;
  createdAt: number;
  /** When the service accepted or began to answer. */
  submittedAt?: number;
  finishedAt?: number;
  /** When the service was first seen to have completed it: it keeps the pictures for 6 hours. */
  completedAt?: number;
  /** Origin that the request was sent to. */
  origin: string;
  /** Fingerprint of the key that submitted it. */
  keyFingerprint?: string;
  remoteId?: string;
  /** The service's last word on its status, also one that it does not document. */
  remoteStatus?: string;
  /** Highest progress seen, 0–100. */
  progress?: number;
  /** When the next try is due, while the service is busy or out of reach. */
  retryAt?: number;
  /** Since when the service could not be asked, or its pictures not be fetched. */
  troubleSince?: number;
  /** It waits for the person to send it: the window that it was started in is gone. */
  held?: true;
  /** Why it ended, pauses or waits; of a completed task: why it has fewer pictures than were asked for. */
  error?: ErrorRecord;
  results: TaskResult[];
  /** Text that the model gave with its pictures. */
  remark?: string;
  usage?: Usage;
}
