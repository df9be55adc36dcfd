import type { Readable } from 'node:stream';
import type * as v from 'valibot';
import type { ErrorRecord, LimnerError } from '../../common/limnerError.ts';
import type { requestOptions } from './modelOptions.ts';

export interface ImageRequest extends v.InferOutput<typeof requestOptions> {
  images?: InputFile[];
  mask?: InputFile;
}

export interface InputFile {
  name: string;
  /** In bytes. */
  size: number;
  mediaType: string;
  open(): Readable;
}

/** Takes the bytes of one image as they arrive, decoded if they are inline. */
export interface ImageSink {
  /** Settles when the caller may reuse the chunk. One write at a time. */
  write(chunk: Uint8Array): void | Promise<void>;
  /** Turns the written bytes back into their base64, which turned out to be damaged, and accepts text from now on. */
  toText(): Promise<void>;
  close(): Promise<void>;
  discard(): Promise<void>;
}

/** Opens a sink for the inline image with this index (from 0, in order of arrival). */
export type OpenImageSink = (index: number) => ImageSink;

/** One image of a response: written to a sink, possibly as damaged base64, or available at a URL. */
export type AnsweredImage = { revisedPrompt?: string } & (
  { kind: 'inline'; sink: number } | { kind: 'url'; url: string }
);

/** Token counts of a native answer (docs/service.md, "Native answer"). */
export const tokenCounts = ['promptTokenCount', 'candidatesTokenCount', 'totalTokenCount'] as const;

export type Usage = Partial<Record<(typeof tokenCounts)[number], number>>;

/** Images contained in the response itself: synchronous, native, or instead of a 202. */
export interface Answer {
  images: AnsweredImage[];
  /** Text parts of a native answer, joined. */
  remark?: string;
  usage?: Usage;
  /** The reason for missing images: the body is incomplete, or some of several calls failed. */
  incomplete?: LimnerError;
}

/** A task as the service reports it (docs/service.md, "Task object"). */
export interface RemoteTask {
  id: string;
  /** Path and query to ask for the task, if the service names other ones than documented. */
  path?: string;
  /** The service's own word, documented or not. */
  status: string;
  /** 0–100, if reported. */
  progress?: number;
  /** The images of a completed task, whatever the service's word for that is. */
  images?: AnsweredImage[];
  /** Images of a task that is neither completed nor failed. */
  listed?: AnsweredImage[];
  /** The reason why a completed task lacks images. A later response may contain them. */
  incomplete?: ErrorRecord;
  /** The error of a failed task, whatever the service's word for that is. */
  error?: ErrorRecord;
  /** How long the service asked to wait before the next query, in milliseconds. */
  retryAfter?: number;
}

/** The outcome of a request. A service may answer an asynchronous one at once, and the other way around. */
export type Submission = { kind: 'accepted'; task: RemoteTask } | { kind: 'answered'; answer: Answer };
