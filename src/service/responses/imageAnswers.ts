// Room: reads the bodies of responses: streamed JSON, event streams, base64.
// Never: sockets.

import { fieldsOf } from './fieldsOf.ts';
import { LimnerError, type Billing, type ServiceWords } from '../../common/limnerError.ts';
import { type InlineImages, isPartialImage, type ReadBody } from './inlineImages.ts';
import type { Answer, RemoteTask, Submission } from '../messages.ts';
import { inPhase } from '../errors/phases.ts';
import { maxShownLength, shortened } from '../errors/singleLine.ts';
import { errorOfWords, serviceWords, withReason, wordsOf } from '../errors/serviceWords.ts';
import {
  type AnyImageBody,
  imagesOf,
  inlineImage,
  readImageBody,
  textsOf,
  type DamagedImage,
  type ReadImages,
} from './responseSchemas.ts';
import { salvage } from './salvage.ts';

/** What the reading of a response needs to know of the request. */
export interface Asked {
  /** Of the service. */
  origin: string;
  apiKey: string;
  inline: InlineImages;
}

/** What the header `Location` says of a task. */
export interface TaskLocation {
  id: string;
  /** Whether the header is of the document's form: a path of image generations or edits. */
  isDocumented: boolean;
  /** Path and query where the task is asked for, unless that is the document's. */
  path?: string;
}

/**
 * Returns what a successful answer of the image endpoints came to: a task, or the images themselves. What the document
 * says comes first; then an id at another place, and images in another form (docs/service.md, "Other shapes").
 *
 * @param statusCode 202 for an accepted task; a 200 with images is a synchronous answer
 * @throws LimnerError `outcome_unknown` for an acceptance without an id, `empty_result`, and what the body says
 */
export async function submissionOf(
  body: ReadBody,
  statusCode: number,
  location: TaskLocation | undefined,
  asked: Asked,
): Promise<Submission> {
  const fields = readImageBody(body.values[0]);
  const read = readImages(body, asked);
  const hasImages = read.images.length > 0 || body.kept.length > 0;
  const isAccepted = statusCode === 202;
  const id = idOf(fields, location);
  const isNamed = fields?.id !== undefined && (fields.status ?? fields.object) !== undefined;
  const isLocated = location !== undefined && (isAccepted || location.isDocumented);
  const namesTask = isNamed || isLocated || fields?.foreignId !== undefined;
  if (isAccepted && hasImages && id === undefined) {
    return { kind: 'answered', answer: await answerOf(body, read, asked) };
  }
  if (!isAccepted && (hasImages || !namesTask)) {
    return { kind: 'answered', answer: await answerOf(body, read, asked) };
  }
  const isDone = fields?.status !== undefined && succeeded.test(fields.status);
  if (id === undefined || (isDone && !hasImages)) {
    const { images } = await salvage(body, asked.inline, asked.origin);
    if (images.length > 0) {
      return { kind: 'answered', answer: { images } };
    }
  }
  if (id === undefined) {
    throw new LimnerError('outcome_unknown', 'The service accepted the request but returned no task ID.', {
      phase: 'submit',
      billing: 'maybe',
      status: statusCode,
      sent: true,
      ...(body.broken !== undefined && { cause: body.broken }),
    });
  }
  const task = await remoteTaskOf(
    body,
    { ...emptyFields, ...fields, id, status: fields?.status ?? 'queued' },
    asked,
  );
  return {
    kind: 'accepted',
    task: { ...task, ...(location?.path !== undefined && { path: location.path }) },
  };
}

const emptyFields = {
  object: undefined,
  progress: undefined,
  data: [],
  foreignId: undefined,
  holder: undefined,
} satisfies Partial<AnyImageBody>;

/**
 * Returns a task as the query endpoint reports it.
 *
 * @throws LimnerError `protocol` for a body that isn't a task, `network` and others for one that broke off
 */
export async function queriedTaskOf(body: ReadBody, id: string, asked: Asked): Promise<RemoteTask> {
  const fields = readImageBody(body.values[0]);
  const hasImages = readImages(body, asked).images.length > 0;
  const status = fields?.status ?? (hasImages ? 'completed' : undefined);
  if (body.values.length === 0 && body.kept.length > 0) {
    return { id, status: 'completed', images: body.kept.map(inlineImage) };
  }
  if (fields === undefined || status === undefined) {
    const { images } = body.broken ? { images: [] } : await salvage(body, asked.inline, asked.origin);
    if (images.length > 0) {
      return { id, status: 'completed', images };
    }
    throw body.broken ?? notATask(body, asked);
  }
  const task = await remoteTaskOf(body, { ...fields, id, status }, asked);
  if (body.broken === undefined) {
    return task;
  }
  if (task.images === undefined || task.images.length === 0) {
    throw body.broken;
  }
  return { ...task, incomplete: inPhase(body.broken, 'poll', 'yes').toRecord() };
}

function notATask(body: ReadBody, { inline }: Asked): LimnerError {
  const words = wordsIn(body, inline);
  return withReason(
    new LimnerError('protocol', "The service's response to a task query isn't a task."),
    words,
  );
}

/**
 * Returns the id of the body, unless it is a number with digits enough that it may have been rounded on the way; else
 * one at another place, or that of the header.
 */
function idOf(fields: AnyImageBody | undefined, location: TaskLocation | undefined): string | undefined {
  const { id, foreignId } = fields ?? {};
  const mayBeRounded = id !== undefined && /^\d{16,}$/u.test(id) && !Number.isSafeInteger(Number(id));
  return mayBeRounded ? (location?.id ?? id) : (id ?? foreignId ?? location?.id);
}

/** Reads the images of every document: of the `data` of each, or of an event that is one. */
function readImages({ values }: ReadBody, { origin }: Asked): ReadImages {
  const reads = values.map((value) => {
    const { data = [] } = readImageBody(value) ?? {};
    return imagesOf(data.length > 0 || !isImageEvent(value) ? data : [value], origin);
  });
  return {
    images: reads.flatMap(({ images }) => images),
    damaged: reads.flatMap(({ damaged }) => damaged),
    hidden: reads.reduce((sum, { hidden }) => sum + hidden, 0),
  };
}

/** Whether a document is itself an image, as in an event stream that nobody asked for; drafts don't count. */
function isImageEvent(value: unknown): boolean {
  const { b64_json, url } = fieldsOf(value);
  return (b64_json ?? url) !== undefined && !isPartialEvent(value);
}

function isPartialEvent(value: unknown): boolean {
  const { type } = fieldsOf(value);
  return typeof type === 'string' && isPartialImage(type);
}

/** Words for the status of a task, of the service and of others (docs/service.md, "Task statuses"). */
const working = /^(?:queued|in_progress)$/iu;
const succeeded = /^(?:completed?|succeed(?:ed)?|success(?:ful)?|done|finished?|ready)$/iu;
const failed = /^failed$/iu;
const ended = /^(?:fail(?:ure)?|error|cancell?ed|rejected|aborted|expired|timed?_?out)$/iu;

/** Returns what a status means; where its word is unknown, what came with it decides. */
function outcomeOf(
  { status, holder }: AnyImageBody & { status: string },
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
  const { error } = fieldsOf(holder);
  return wordsOf({ error }) === undefined ? undefined : 'failed';
}

async function remoteTaskOf(
  body: ReadBody,
  fields: AnyImageBody & { id: string; status: string },
  asked: Asked,
): Promise<RemoteTask> {
  const { id, status, progress } = fields;
  const listed = imagesOf(fields.data, asked.origin);
  const outcome = outcomeOf(fields, listed.images.length);
  const { damaged } = listed;
  const isElsewhere = outcome === 'completed' && listed.images.length + damaged.length === 0;
  const images = isElsewhere
    ? (await salvage(body, asked.inline, asked.origin)).images
    : [...listed.images, ...textsOf(damaged)];
  const missing =
    damageError(damaged) ??
    (images.length === 0 ? emptyTask(body, asked) : missingOf(body, listed, asked.apiKey, 'poll'));
  return {
    id,
    status,
    ...(progress !== undefined && { progress }),
    ...(outcome === undefined && images.length > 0 && { listed: images }),
    ...(outcome === 'completed' && {
      images,
      ...(missing && { incomplete: inPhase(missing, 'poll', 'maybe').toRecord() }),
    }),
    ...(outcome === 'failed' && { error: failure(fields, asked.apiKey).toRecord() }),
  };
}

/** Returns the error of a task; only `failed` means that the service refunds it. */
function failure({ status, holder }: AnyImageBody & { status: string }, apiKey: string): LimnerError {
  const isFailed = failed.test(status);
  const { status: _, task_status: __, state: ___, ...others } = fieldsOf(holder);
  const words = wordsOf(others) ?? (isFailed ? {} : { message: status });
  return errorOfWords(words, 'poll', isFailed ? 'refunded' : 'maybe', apiKey);
}

async function answerOf(body: ReadBody, read: ReadImages, asked: Asked): Promise<Answer> {
  const { images, damaged } = read;
  // A body that is damaged around its images still holds them.
  const found = images.length > 0 ? images : body.kept.map((blob) => inlineImage(blob));
  const incomplete = body.broken ?? damageError(damaged) ?? missingOf(body, read, asked.apiKey, 'submit');
  const all = [...found, ...textsOf(damaged)];
  if (all.length > 0) {
    return { images: all, ...(incomplete && { incomplete: inPhase(incomplete, 'submit', 'yes') }) };
  }
  return salvagedAnswer(body, asked, (words, addresses) => {
    if (words !== undefined && (body.broken === undefined || body.values.length > 0)) {
      return errorOfWords(words, 'submit', 'maybe', asked.apiKey);
    }
    const empty = new LimnerError('empty_result', 'The service returned no image.', { sent: true });
    return withAddresses(withReason(incomplete ?? empty, words), addresses);
  });
}

/**
 * Returns the answer of a body that has no image in a shape of the document.
 *
 * @throws what `errorOf` makes of the words and the addresses in it if it has none at all
 */
export async function salvagedAnswer(
  body: ReadBody,
  { inline, origin, apiKey }: Asked,
  errorOf: (words: ServiceWords | undefined, addresses: readonly string[]) => LimnerError,
): Promise<Answer> {
  const { images, addresses } = await salvage(body, inline, origin);
  if (images.length === 0) {
    throw inPhase(errorOf(wordsIn(body, inline), addresses), 'submit', 'maybe');
  }
  const broken = body.broken?.code === 'protocol' ? undefined : body.broken;
  const incomplete = broken ?? missingOf(body, { hidden: 0 }, apiKey, 'submit') ?? unfinished(body);
  return { images, ...(incomplete && { incomplete: inPhase(incomplete, 'submit', 'yes') }) };
}

/** Returns the words in a body without an image; of one that isn't JSON, its title or text. */
function wordsIn({ values, raw }: ReadBody, inline: InlineImages): ServiceWords | undefined {
  const found = values.map((value) => wordsOf(value)).find((words) => words !== undefined);
  const text = raw.bytes.toString('utf8', 0, maxTextLength).trim();
  const isText = values.length === 0 && text !== '' && !/^(?:[{[:]|data:|event:|id:|retry:)/u.test(text);
  return found ?? (isText ? serviceWords(inline.clean(text)) : undefined);
}

const maxTextLength = 16 * 1024;

/** Says that a part of the response was skipped, or why the service didn't make it. */
function missingOf(
  { values }: ReadBody,
  { hidden }: Pick<ReadImages, 'hidden'>,
  apiKey: string,
  phase: 'submit' | 'poll',
): LimnerError | undefined {
  const [failure] = values.flatMap((value) => {
    const failed = wordsOf({ data: readImageBody(value)?.data ?? [] });
    return failed ?? (values.length > 1 ? failedEvent(value) : undefined) ?? [];
  });
  return failure === undefined ? skipped(hidden) : errorOfWords(failure, phase, 'maybe', apiKey);
}

/** Returns what an event among others says of a failure. */
function failedEvent(value: unknown): ServiceWords | undefined {
  const { error } = fieldsOf(value);
  return error === undefined || error === null ? undefined : wordsOf({ error });
}

/** Says that a stream ended with a draft of its image. */
function unfinished({ values }: ReadBody): LimnerError | undefined {
  return values.some(isPartialEvent)
    ? new LimnerError(
        'protocol',
        'The response ended before the image was finished: this is its last draft.',
        {
          billing: 'yes',
          sent: true,
        },
      )
    : undefined;
}

/** Says how many images of an answer are in a form that isn't known. */
export function skipped(count: number): LimnerError | undefined {
  const which = count === 1 ? 'One image in the response has' : `${count} images in the response have`;
  return count === 0
    ? undefined
    : new LimnerError('protocol', `${which} a form that Limner doesn't know.`, {
        billing: 'yes',
        sent: true,
      });
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
    case 'address': {
      const named = first.address === undefined ? '' : `: ${shortened(first.address, maxShownLength)}`;
      return new LimnerError(
        'protocol',
        `An image has a URL that it can't be fetched from${named}.`,
        options,
      );
    }
    default:
      return new LimnerError('protocol', "An image in the response isn't valid base64.", options);
  }
}

function emptyTask(body: ReadBody, { inline }: Asked): LimnerError {
  const empty = new LimnerError('empty_result', 'The service completed the task without an image.', {
    billing: 'maybe',
    sent: true,
  });
  return withReason(empty, wordsIn(body, inline));
}

const maxAddresses = 3;

/** Adds the addresses that a response without an image names: one of them may be the image's. */
export function withAddresses(error: LimnerError, addresses: readonly string[]): LimnerError {
  if (addresses.length === 0) {
    return error;
  }
  const { code, message, ...options } = error.toRecord();
  const named = addresses.slice(0, maxAddresses).join(', ');
  return new LimnerError(code, `${message} Its response names ${named} (often valid for some hours only).`, {
    ...options,
    cause: error,
  });
}
