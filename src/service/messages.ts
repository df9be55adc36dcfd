// Room: the words of the service's protocol: what is asked for and what comes back.
// Never: how requests are sent and responses are read.

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
  /** Turns what was written into its base64 again, since that is damaged, and takes text from now on. */
  toText(): Promise<void>;
  /** Keeps the image, which is complete. */
  close(): Promise<void>;
  /** Discards the image, which broke off or isn't wanted. */
  discard(): Promise<void>;
}

/** Opens a sink for the inline image with this index (from 0, in order of arrival). */
export type OpenImageSink = (index: number) => ImageSink;

/** One image of a response: already written to a sink, be it as damaged base64, or to be fetched from a URL. */
export type AnsweredImage = { revisedPrompt?: string } & (
  { kind: 'inline'; sink: number } | { kind: 'url'; url: string }
);

/** Token counts of a native answer (docs/service.md, "Native answer"). */
export const tokenCounts = ['promptTokenCount', 'candidatesTokenCount', 'totalTokenCount'] as const;

export type Usage = Partial<Record<(typeof tokenCounts)[number], number>>;

/** Images that came with the response itself: synchronous, native, or instead of a 202. */
export interface Answer {
  images: AnsweredImage[];
  /** Text parts of a native answer, joined. */
  remark?: string;
  usage?: Usage;
  /** Why images are missing: the body broke off, or some of several calls failed. */
  incomplete?: LimnerError;
}

/** A task as the service reports it (docs/service.md, "Task object"). */
export interface RemoteTask {
  id: string;
  /** Where the service says that it is asked for, if that is not the document's path: path and query. */
  path?: string;
  /** The service's own word, documented or not. */
  status: string;
  /** 0–100, when given. */
  progress?: number;
  /** When completed, whatever the service's word for that is. */
  images?: AnsweredImage[];
  /** When neither completed nor failed: images that came all the same. */
  listed?: AnsweredImage[];
  /** When completed: why images are missing, which a later response may contain. */
  incomplete?: ErrorRecord;
  /** When failed, whatever the service's word for that is. */
  error?: ErrorRecord;
  /** How long the service asked to wait before the next query, in milliseconds. */
  retryAfter?: number;
}

/** The outcome of a request: a service that is asked asynchronously may respond at once, and the other way round. */
export type Submission = { kind: 'accepted'; task: RemoteTask } | { kind: 'answered'; answer: Answer };
