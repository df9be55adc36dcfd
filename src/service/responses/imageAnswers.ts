// Room: reads the bodies of responses: streamed JSON, event streams, base64.
// Never: sockets.

import * as v from 'valibot';
import { LimnerError, type Billing } from '../../common/limnerError.ts';
import type { ReadBody } from './inlineImages.ts';
import type { Answer, RemoteTask, Submission } from '../messages.ts';
import { inPhase } from '../errors/phases.ts';
import { errorOfWords, wordsOf } from '../errors/serviceWords.ts';
import {
  imageBody,
  imagesOf,
  inlineImage,
  textsOf,
  type DamagedImage,
  type ImageBody,
} from './responseSchemas.ts';

/** The origin of the service that responded, and the key of the request. */
export interface Asked {
  origin: string;
  apiKey: string;
}

/**
 * Returns what a successful answer of the image endpoints came to: a task, or the images themselves.
 *
 * @param statusCode 202 for an accepted task; a 200 with images is a synchronous answer
 * @param locationId the task's id from the `Location` header
 * @throws LimnerError `outcome_unknown` for an acceptance without an id, `empty_result`, and what the body says
 */
export function submissionOf(
  body: ReadBody,
  statusCode: number,
  locationId: string | undefined,
  asked: Asked,
): Submission {
  const fields = parseImageBody(body.value);
  const hasImages = fields !== undefined && imagesOf(fields.data, asked.origin).images.length > 0;
  const id = idOf(fields, locationId);
  const namesTask =
    locationId !== undefined || (fields?.id !== undefined && (fields.status ?? fields.object) !== undefined);
  const isTask = statusCode === 202 || (namesTask && !hasImages && body.kept.length === 0);
  if (!isTask) {
    return { kind: 'answered', answer: answerOf(body, fields, asked) };
  }
  if (id === undefined) {
    if (hasImages || body.kept.length > 0) {
      return { kind: 'answered', answer: answerOf(body, fields, asked) };
    }
    throw new LimnerError('outcome_unknown', 'The service accepted the request but returned no task ID.', {
      phase: 'submit',
      billing: 'maybe',
      status: statusCode,
      sent: true,
      ...(body.broken !== undefined && { cause: body.broken }),
    });
  }
  const accepted = { ...(fields ?? v.parse(imageBody, {})), id };
  return {
    kind: 'accepted',
    task: remoteTaskOf({ ...accepted, status: accepted.status ?? 'queued' }, asked),
  };
}

/**
 * Returns a task as the query endpoint reports it.
 *
 * @throws LimnerError `protocol` for a body that isn't a task, `network` and others for one that broke off
 */
export function queriedTaskOf(body: ReadBody, id: string, asked: Asked): RemoteTask {
  const fields = parseImageBody(body.value);
  const hasImages = fields !== undefined && imagesOf(fields.data, asked.origin).images.length > 0;
  const status = fields?.status ?? (hasImages ? 'completed' : undefined);
  if (fields === undefined || status === undefined) {
    throw body.broken ?? new LimnerError('protocol', "The service's response to a task query isn't a task.");
  }
  const task = remoteTaskOf({ ...fields, id, status }, asked);
  if (body.broken === undefined) {
    return task;
  }
  if (task.images === undefined || task.images.length === 0) {
    throw body.broken;
  }
  return { ...task, incomplete: inPhase(body.broken, 'poll', 'yes').toRecord() };
}

/** Returns the id of the body, unless it is a number with digits enough that it may have been rounded on the way. */
function idOf(fields: ImageBody | undefined, locationId: string | undefined): string | undefined {
  const id = fields?.id;
  const mayBeRounded = id !== undefined && /^\d{16,}$/u.test(id) && !Number.isSafeInteger(Number(id));
  return mayBeRounded ? (locationId ?? id) : (id ?? locationId);
}

function parseImageBody(value: unknown): ImageBody | undefined {
  const parsed = v.safeParse(imageBody, value);
  return parsed.success ? parsed.output : undefined;
}

/** Words for the status of a task, of the service and of others (docs/service.md, "Task statuses"). */
const working = /^(?:queued|in_progress)$/iu;
const succeeded = /^(?:completed?|succeeded|success(?:ful)?|done|finished)$/iu;
const failed = /^failed$/iu;
const ended = /^(?:failure|error|cancell?ed|rejected|aborted|expired|timed?_?out)$/iu;

/** Returns what a status means; where its word is unknown, what came with it decides. */
function outcomeOf(
  { status, error }: ImageBody & { status: string },
  images: number,
): 'completed' | 'failed' | undefined {
  if (working.test(status)) {
    return undefined;
  }
  if (succeeded.test(status)) {
    return 'completed';
  }
  if (failed.test(status)) {
    return 'failed';
  }
  if (images > 0) {
    return 'completed';
  }
  if (ended.test(status)) {
    return 'failed';
  }
  return wordsOf({ error }) === undefined ? undefined : 'failed';
}

function remoteTaskOf(
  fields: ImageBody & { id: string; status: string },
  { origin, apiKey }: Asked,
): RemoteTask {
  const { id, status, progress } = fields;
  const { images, damaged } = imagesOf(fields.data, origin);
  const outcome = outcomeOf(fields, images.length);
  const missing = damageError(damaged) ?? (images.length === 0 ? emptyTask() : undefined);
  return {
    id,
    status,
    ...(progress !== undefined && { progress }),
    ...(outcome === undefined && images.length > 0 && { listed: images }),
    ...(outcome === 'completed' && {
      images: [...images, ...textsOf(damaged)],
      ...(missing && { incomplete: inPhase(missing, 'poll', 'maybe').toRecord() }),
    }),
    ...(outcome === 'failed' && { error: failure(fields, apiKey).toRecord() }),
  };
}

/** Returns the error of a task; only `failed` means that the service refunds it. */
function failure({ status, error }: ImageBody & { status: string }, apiKey: string): LimnerError {
  const isFailed = failed.test(status);
  const words = wordsOf({ error }) ?? (isFailed ? {} : { message: status });
  return errorOfWords(words, 'poll', isFailed ? 'refunded' : 'maybe', apiKey);
}

function answerOf(body: ReadBody, fields: ImageBody | undefined, { origin, apiKey }: Asked): Answer {
  const { images, damaged } = imagesOf(fields?.data ?? [], origin);
  // A body that is damaged around its images still holds them.
  const found = images.length > 0 ? images : body.kept.map((blob) => inlineImage(blob));
  const incomplete = body.broken ?? damageError(damaged);
  const all = [...found, ...textsOf(damaged)];
  if (all.length > 0) {
    return { images: all, ...(incomplete && { incomplete: inPhase(incomplete, 'submit', 'yes') }) };
  }
  const words =
    fields?.error === undefined || fields.error === null ? undefined : wordsOf({ error: fields.error });
  if (words !== undefined) {
    throw errorOfWords(words, 'submit', 'maybe', apiKey);
  }
  const empty = new LimnerError('empty_result', 'The service returned no image.', { sent: true });
  throw inPhase(incomplete ?? empty, 'submit', 'maybe');
}

/** Returns why images of an otherwise whole answer cannot be had. */
export function damageError(damaged: readonly DamagedImage[]): LimnerError | undefined {
  const [first] = damaged;
  if (first === undefined) {
    return undefined;
  }
  const options = { billing: 'yes' as Billing, sent: true };
  switch (first.damage) {
    case 'too_large':
      return new LimnerError('result_too_large', 'An image in the response is larger than 64 MB.', options);
    case 'address':
      return new LimnerError('protocol', "An image has a URL that it can't be fetched from.", options);
    default:
      return new LimnerError('protocol', "An image in the response isn't valid base64.", options);
  }
}

function emptyTask(): LimnerError {
  return new LimnerError('empty_result', 'The service completed the task without an image.', {
    billing: 'maybe',
    sent: true,
  });
}
