import type { Readable } from 'node:stream';
import type * as v from 'valibot';
import type { ErrorRecord, LimnerError } from '../common/limnerError.ts';
import type { requestOptions } from './modelOptions.ts';

/** A request with the files of an edit. */
export interface ImageRequest extends v.InferOutput<typeof requestOptions> {
  images?: InputFile[];
  mask?: InputFile;
}

/** A file that goes into an edit; opened once for each request. */
export interface InputFile {
  name: string;
  /** In bytes. */
  size: number;
  mediaType: string;
  open(): Readable;
}

/** Takes the bytes of one image as they arrive, those of an inline one decoded. */
export interface ImageSink {
  /** Settles when the chunk is the caller's again; one at a time. */
  write(chunk: Uint8Array): void | Promise<void>;
  /** The base64 turns out to be none: what was written becomes its base64 again, and text is written from now on. */
  toText(): Promise<void>;
  /** The image is whole. */
  close(): Promise<void>;
  /** The image broke off or is not wanted; nothing of it is kept. */
  discard(): Promise<void>;
}

/** Opens a sink for the inline image with this index (from 0, in order of arrival). */
export type OpenImageSink = (index: number) => ImageSink;

/** One image of an answer: already written to a sink, be it as text that is no base64, or to be fetched from a URL. */
export type AnsweredImage = { revisedPrompt?: string } & (
  { kind: 'inline'; sink: number } | { kind: 'url'; url: string }
);

/** Token counts of a native answer (docs/service.md, "Native answer"). */
export const tokenCounts = ['promptTokenCount', 'candidatesTokenCount', 'totalTokenCount'] as const;

export type Usage = Partial<Record<(typeof tokenCounts)[number], number>>;

/** Images that came with the answer itself: synchronous, native, or instead of a 202. */
export interface Answer {
  images: AnsweredImage[];
  /** Text parts of a native answer, joined. */
  remark?: string;
  usage?: Usage;
  /** Why fewer images are here than were asked for: the body broke off, or some of several calls failed. */
  incomplete?: LimnerError;
}

/** A task as the service reports it (docs/service.md, "Task object"). */
export interface RemoteTask {
  id: string;
  /** The service's own word; one it does not document is passed on as it came. */
  status: string;
  /** 0–100, when given. */
  progress?: number;
  /** When completed, whatever the service's word for that is. */
  images?: AnsweredImage[];
  /** When completed: why pictures are missing, which a later answer may hold. */
  incomplete?: ErrorRecord;
  /** When failed, whatever the service's word for that is. */
  error?: ErrorRecord;
  /** How long the service asked to wait before the next query, in milliseconds. */
  retryAfter?: number;
}

/** What a request came to: a service that is asked asynchronously may answer at once, and the other way round. */
export type Submission = { kind: 'accepted'; task: RemoteTask } | { kind: 'answered'; answer: Answer };
