import * as english from '../../common/english.ts';
import { fieldsOf } from './namedPictures.ts';
import { LimnerError, type Billing, type ServiceWords } from '../../common/limnerError.ts';
import { type InlineImages, isPartialImage, type ReadBody } from './inlineImages.ts';
import type { Answer, RemoteTask, Submission } from '../terms/messages.ts';
import { inPhase } from '../http/transportErrors.ts';
import { maxShownLength, shortened } from '../http/keyRedactor.ts';
import { errorOfWords, serviceWords, withReason, serviceWordsIn } from '../http/serviceWords.ts';
import {
  type AnyImageBody,
  imagesOf,
  inlineImage,
  readImageBody,
  textsOf,
  type DamagedImage,
  type ReadImages,
} from './responseSchemas.ts';
import { type Belief, salvage } from './salvage.ts';

export interface Asked {
  /** Origin of the service. */
  origin: string;
  apiKey: string;
  inline: InlineImages;
}

export interface TaskLocation {
  id: string;
  /** Whether the header has the documented form: a path of image generations or edits. */
  isDocumented: boolean;
  /** Path and query for the task, unless they are as documented. */
  path?: string;
}

/**
 * Returns the result of a successful answer of the image endpoints: a task, or the images themselves. Documented
 * fields have priority; then an id or images in other places (docs/service.md, "Other shapes").
 *
 * @param statusCode 202 for an accepted task; a 200 with images is a synchronous answer
 * @throws LimnerError `outcome_unknown` for an acceptance without an id, `empty_result`, or the error in the body
 */
export async function submissionOf(
  body: ReadBody,
  statusCode: number,
  location: TaskLocation | undefined,
  asked: Asked,
): Promise<Submission> {
  const fields = fieldsIn(body);
  const read = readImages(body, asked);
  const hasImages = read.images.length > 0 || body.kept.length > 0;
  const isAccepted = statusCode === 202 || (statusCode === 201 && location?.path !== undefined);
  const id = idOf(fields, location, isAccepted);
  const { status } = fields ?? {};
  const isNamed = fields?.id !== undefined && (status ?? fields.object) !== undefined;
  const pollingPath = location?.path ?? pollingPathIn(body, asked.origin);
  const isLocated = location !== undefined && (isAccepted || location.isDocumented);
  const isPolled = fields?.id !== undefined && pollingPath !== undefined;
  const namesTask = isNamed || isLocated || isPolled || fields?.foreignId !== undefined;
  const isUnfinished = status !== undefined && working.test(status);
  const outcome = fields && status !== undefined ? outcomeOf({ ...fields, status }, 0) : undefined;
  const task = async (taskId: string): Promise<Submission> => {
    const known = { ...emptyFields, ...fields, id: taskId, status: status ?? 'queued' };
    const remote = await remoteTaskOf(body, known, asked);
    return {
      kind: 'accepted',
      task: { ...remote, ...(pollingPath !== undefined && { path: pollingPath }) },
    };
  };
  if (id !== undefined && (isAccepted || (isUnfinished && namesTask && !hasImages))) {
    return task(id);
  }
  const hasNoTask = !isAccepted && !isUnfinished && !namesTask;
  if (hasNoTask || (hasImages && !(isUnfinished && id !== undefined))) {
    return { kind: 'answered', answer: await answerOf(body, read, asked) };
  }
  if (fields && outcome === 'failed' && status !== undefined) {
    throw inPhase(failure({ ...fields, status }, asked.apiKey), 'submit', 'maybe');
  }
  const { images } = isUnfinished ? { images: [] } : await salvage(body, asked, beliefIn(body));
  if (images.length > 0) {
    return { kind: 'answered', answer: answerWith(images, body, asked) };
  }
  if (id !== undefined) {
    return task(id);
  }
  throw new LimnerError(
    'outcome_unknown',
    english.t('The service accepted the request but returned no task ID.'),
    {
      phase: 'submit',
      billing: 'maybe',
      status: statusCode,
      sent: true,
      ...(body.broken !== undefined && { cause: body.broken }),
    },
  );
}

/** Returns the path in a body to query its task, if it is on the service itself. */
function pollingPathIn({ values }: ReadBody, origin: string): string | undefined {
  const { polling_url: address } = fieldsOf(values.at(-1));
  const url = typeof address === 'string' ? URL.parse(address, origin) : null;
  return url?.origin === origin ? url.pathname + url.search : undefined;
}

/** Reads the fields of a task: of several documents, from the last one with a status. */
function fieldsIn({ values }: ReadBody): AnyImageBody | undefined {
  const all = ends(values).map((value) => readImageBody(value));
  return all.findLast((fields) => fields?.status !== undefined) ?? all[0];
}

/** Returns the first and the last of many documents, which describe the task. */
function ends(values: readonly unknown[]): readonly unknown[] {
  const most = 100;
  return values.length <= 2 * most ? values : [...values.slice(0, most), ...values.slice(-most)];
}

/** Returns how far to trust images in undocumented places of a body. */
function beliefIn(body: ReadBody): Belief {
  const { values, raw } = body;
  const isPage = values.length === 0 && /^\s*</u.test(raw.bytes.toString('latin1', 0, 100));
  if (isPage || ends(values).some(saysFailure)) {
    return 'nothing';
  }
  return ends(values).some(hasForeignCode) ? 'sure' : 'all';
}

function saysFailure(value: unknown): boolean {
  const { error, Error: capital = error, success, ok = success } = fieldsOf(value);
  return ok === false || (serviceWordsIn({ error }) ?? serviceWordsIn({ error: capital })) !== undefined;
}

/** Whether a document has a message and a code that may mean a failure. */
function hasForeignCode(value: unknown): boolean {
  const { code, status_code = code, statusCode = status_code } = fieldsOf(value);
  const isCode = typeof statusCode === 'number' ? ![0, 200].includes(statusCode) : statusCode !== undefined;
  return isCode && serviceWordsIn(value)?.message !== undefined;
}

const emptyFields = {
  object: undefined,
  progress: undefined,
  data: [],
  foreignId: undefined,
  holder: undefined,
} satisfies Partial<AnyImageBody>;

/**
 * Returns a task as reported by the query endpoint.
 *
 * @throws LimnerError `protocol` for a body that isn't a task, `network` and others for an incomplete one
 */
export async function queriedTaskOf(body: ReadBody, id: string, asked: Asked): Promise<RemoteTask> {
  const fields = fieldsIn(body);
  const hasImages = readImages(body, asked).images.length > 0;
  const status = fields?.status ?? (hasImages ? 'completed' : undefined);
  const isCut = body.broken !== undefined && body.broken.code !== 'protocol';
  if (body.values.length === 0 && body.kept.length > 0) {
    return { id, status: 'completed', images: body.kept.map(inlineImage) };
  }
  if (fields === undefined || status === undefined) {
    const { images } = isCut ? { images: [] } : await salvage(body, asked, beliefIn(body));
    if (images.length > 0) {
      return { id, status: 'completed', images };
    }
    throw body.broken ?? notATask(body, asked);
  }
  const task = await remoteTaskOf(body, { ...fields, id, status }, asked);
  const isElsewhere = !isCut && body.raw.length > 0 && task.images !== undefined && task.images.length > 0;
  if (body.broken === undefined || isElsewhere) {
    return task;
  }
  if (task.images === undefined || task.images.length === 0) {
    throw body.broken;
  }
  return { ...task, incomplete: inPhase(body.broken, 'poll', 'yes').toRecord() };
}

function notATask(body: ReadBody, { inline, apiKey }: Asked): LimnerError {
  const words = wordsIn(body, inline);
  return withReason(
    new LimnerError('protocol', english.t("The service's response to a task query isn't a task.")),
    words,
    apiKey,
  );
}

/**
 * Returns the id in the body, unless it is a number so long that it may have been rounded; otherwise one in another
 * place, or from the header.
 */
function idOf(
  fields: AnyImageBody | undefined,
  location: TaskLocation | undefined,
  isAccepted: boolean,
): string | undefined {
  const { id, foreignId } = fields ?? {};
  const mayBeRounded = id !== undefined && /^\d{16,}$/u.test(id) && !Number.isSafeInteger(Number(id));
  const located = isAccepted || location?.isDocumented === true ? location?.id : undefined;
  return mayBeRounded ? (located ?? id) : (id ?? foreignId ?? located);
}

/** Reads the images of every document: from its `data`, or the document itself if it is an image event. */
function readImages({ values }: ReadBody, { origin }: Asked): ReadImages {
  const reads = values.flatMap((value) => {
    if (isImageEvent(value)) {
      return imagesOf([value], origin);
    }
    return fieldsOf(value)['data'] === undefined ? [] : imagesOf(dataOf(value), origin);
  });
  return {
    images: reads.flatMap(({ images }) => images),
    damaged: reads.flatMap(({ damaged }) => damaged),
    hidden: reads.reduce((sum, { hidden }) => sum + hidden, 0),
  };
}

function dataOf(value: unknown): unknown[] {
  const { data } = fieldsOf(value);
  return Array.isArray(data) ? data : (readImageBody(value)?.data ?? []);
}

/** Whether a document is itself an image, as in an unrequested event stream. Drafts don't count. */
function isImageEvent(value: unknown): boolean {
  const { b64_json, url, type } = fieldsOf(value);
  const isCalledImage = typeof type === 'string' && /image/iu.test(type);
  return (b64_json ?? (isCalledImage ? url : undefined)) !== undefined && !isPartialEvent(value);
}

function isPartialEvent(value: unknown): boolean {
  const { type } = fieldsOf(value);
  return typeof type === 'string' && isPartialImage(type);
}

/** Words for the status of a task, of this service and of others (docs/service.md, "Task statuses"). */
const working =
  /^(?:task_status_)?(?:queued|in_queue|in_progress|pending|processing|running|generating|start(?:ed|ing)|submitted|waiting|created|accepted|scheduled|not_start(?:ed)?)$/iu;
const succeeded =
  /^(?:task_status_)?(?:completed?|succe(?:ed(?:ed)?|ss(?:ful)?)|done|finish(?:ed)?|ready|ok)$/iu;
const failed = /^failed$/iu;
const ended =
  /^(?:task_status_)?(?:fail(?:ure|ed)?|error|cancell?ed|rejected|aborted|expired|timed?_?out|incomplete)$|moderated$/iu;

/** Returns the meaning of a status. If its word is unknown, the rest of the body decides. */
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
  return serviceWordsIn({ error }) === undefined ? undefined : 'failed';
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
    ? (await salvage(body, asked, beliefIn(body))).images
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
  const words = serviceWordsIn(others) ?? (isFailed ? {} : { message: status });
  return errorOfWords(words, 'poll', isFailed ? 'refunded' : 'maybe', apiKey);
}

async function answerOf(body: ReadBody, read: ReadImages, asked: Asked): Promise<Answer> {
  const { images, damaged } = read;
  // A body that is damaged around its images still contains them.
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
    const empty = new LimnerError('empty_result', english.t('The service returned no image.'), {
      sent: true,
    });
    return withAddresses(withReason(incomplete ?? empty, words, asked.apiKey), addresses);
  });
}

/**
 * Returns the answer in a body without images in documented places.
 *
 * @throws the error that `errorOf` returns for its words and addresses if it has no image at all
 */
export async function salvagedAnswer(
  body: ReadBody,
  asked: Asked,
  errorOf: (words: ServiceWords | undefined, addresses: readonly string[]) => LimnerError,
): Promise<Answer> {
  const { images, addresses } = await salvage(body, asked, beliefIn(body));
  if (images.length === 0) {
    throw inPhase(errorOf(wordsIn(body, asked.inline), addresses), 'submit', 'maybe');
  }
  return answerWith(images, body, asked);
}

/** Returns an answer with images in other places, and the reasons for missing ones. */
function answerWith(images: Answer['images'], body: ReadBody, { apiKey }: Asked): Answer {
  const broken = body.broken?.code === 'protocol' ? undefined : body.broken;
  const incomplete = broken ?? missingOf(body, { hidden: 0 }, apiKey, 'submit') ?? unfinished(body);
  return { images, ...(incomplete && { incomplete: inPhase(incomplete, 'submit', 'yes') }) };
}

/** Returns the words in a body without an image; if it isn't JSON, its title or text. */
function wordsIn({ values, raw }: ReadBody, inline: InlineImages): ServiceWords | undefined {
  const said = ends(values).flatMap((value) => serviceWordsIn(value) ?? []);
  const found = said.find(({ message }) => message !== undefined) ?? said[0];
  const text = raw.bytes.toString('utf8', 0, maxTextLength).trim();
  const isText =
    values.length === 0 &&
    text !== '' &&
    !/^(?:[{[:]|data:|event:|id:|retry:)/u.test(text) &&
    !/[^\P{Cc}\s]|\ufffd/u.test(text);
  return found ?? (isText ? serviceWords(inline.clean(text)) : undefined);
}

const maxTextLength = 16 * 1024;

/** Returns the error for a skipped part of the response, or the service's reason for a missing image. */
function missingOf(
  { values }: ReadBody,
  { hidden }: Pick<ReadImages, 'hidden'>,
  apiKey: string,
  phase: 'submit' | 'poll',
): LimnerError | undefined {
  const [failure] = ends(values).flatMap((value) => {
    const failed = serviceWordsIn({ data: dataOf(value) });
    return failed ?? (values.length > 1 ? failedEvent(value) : undefined) ?? [];
  });
  return failure === undefined ? skipped(hidden) : errorOfWords(failure, phase, 'maybe', apiKey);
}

function failedEvent(value: unknown): ServiceWords | undefined {
  const { error } = fieldsOf(value);
  return error === undefined || error === null ? undefined : serviceWordsIn({ error });
}

/** Returns the error for a stream that ended with a draft of its image. */
function unfinished({ values }: ReadBody): LimnerError | undefined {
  return values.some(isPartialEvent)
    ? new LimnerError(
        'protocol',
        english.t('The response ended before the image was finished: this is its last draft.'),
        {
          billing: 'yes',
          sent: true,
        },
      )
    : undefined;
}

/** Returns the error for images in an unknown form. */
export function skipped(count: number): LimnerError | undefined {
  const message =
    count === 1
      ? english.t("One image in the response has a form that Limner doesn't know.")
      : english.t("{0} images in the response have a form that Limner doesn't know.", count);
  return count === 0
    ? undefined
    : new LimnerError('protocol', message, {
        billing: 'yes',
        sent: true,
      });
}

/** Returns the error for damaged images in an otherwise complete answer. */
export function damageError(damaged: readonly DamagedImage[]): LimnerError | undefined {
  const [first] = damaged;
  if (first === undefined) {
    return undefined;
  }
  const options = { billing: 'yes' as Billing, sent: true };
  switch (first.damage) {
    case 'too_large':
      return new LimnerError(
        'result_too_large',
        english.t('An image in the response is larger than 64 MB.'),
        options,
      );
    case 'address': {
      return new LimnerError(
        'protocol',
        first.address === undefined
          ? english.t("An image has a URL that it can't be fetched from.")
          : english.t(
              "An image has a URL that it can't be fetched from: {0}.",
              shortened(first.address, maxShownLength),
            ),
        options,
      );
    }
    default:
      return new LimnerError('protocol', english.t("An image in the response isn't valid base64."), options);
  }
}

function emptyTask(body: ReadBody, { inline, apiKey }: Asked): LimnerError {
  const empty = new LimnerError(
    'empty_result',
    english.t('The service completed the task without an image.'),
    {
      billing: 'maybe',
      sent: true,
    },
  );
  return withReason(empty, wordsIn(body, inline), apiKey);
}

const maxAddresses = 3;

/** Adds the addresses in a response without an image: one of them may be the image's. */
export function withAddresses(error: LimnerError, addresses: readonly string[]): LimnerError {
  if (addresses.length === 0) {
    return error;
  }
  const { code, message, ...options } = error.toRecord();
  const named = addresses.slice(0, maxAddresses).join(', ');
  return new LimnerError(
    code,
    `${message} ${english.t('Its response names {0} (often valid for some hours only).', named)}`,
    {
      ...options,
      cause: error,
    },
  );
}
