import * as v from 'valibot';
import { asSentence } from '../../common/sentence.ts';
import {
  LimnerError,
  type Billing,
  type ErrorCode,
  type Phase,
  type ServiceWords,
} from '../../common/limnerError.ts';
import { redactorFor } from './keyRedactor.ts';
import { maxKeptLength, maxReadLength, maxShownLength, shortened, singleLine } from './singleLine.ts';
import type { TransportResponse } from '../http/transport.ts';

const optionalText = v.fallback(v.optional(v.string()), undefined);
/** Google gives the HTTP status as a number where others give a name. */
const optionalCode = v.fallback(v.optional(v.union([v.string(), v.number()])), undefined);

/** Deepest that words are looked for within words. */
const maxDepth = 4;
/** Most places that they are looked for. */
const maxPlaces = 200;

/** How many more places words are looked for. */
interface Search {
  left: number;
}

const errorFields = v.object({
  message: v.optional(v.unknown()),
  Message: v.optional(v.unknown()),
  msg: v.optional(v.unknown()),
  detail: v.optional(v.unknown()),
  errors: v.optional(v.unknown()),
  type: optionalText,
  status: optionalText,
  code: optionalCode,
});

const errorBody = v.union([
  v.pipe(
    v.object({ error: errorFields }),
    v.transform(({ error }) => error),
  ),
  v.pipe(
    v.object({ error: v.string() }),
    v.transform(({ error }): v.InferOutput<typeof errorFields> => ({
      message: error,
      type: undefined,
      status: undefined,
      code: undefined,
    })),
  ),
  errorFields,
]);

/** One of several errors that FastAPI lists, with the place that it is about. */
const listedError = v.object({
  loc: v.pipe(v.array(v.unknown()), v.maxLength(100), v.array(v.union([v.string(), v.number()]))),
  msg: v.string(),
});

/**
 * The service's words in an error body of whatever shape: OpenAI's `{error:{message,type,code}}`, Google's
 * `{error:{code,message,status}}`, FastAPI's `{detail}`, a flat `{message,code}`, a list of `errors`; a body that
 * is no JSON gives its text, an HTML page its title (docs/service.md, "Error bodies").
 *
 * @param text the body, or its beginning
 */
export function serviceWords(text: string): ServiceWords {
  const value = parseJson(text);
  return value === undefined ? pick({ message: plainText(text) }) : (wordsOf(value) ?? {});
}

/** The service's words in a value that was parsed already; `undefined` if it has none. */
export function wordsOf(value: unknown): ServiceWords | undefined {
  return wordsWithin(value, maxDepth, { left: maxPlaces });
}

function wordsWithin(value: unknown, depth: number, search: Search): ServiceWords | undefined {
  const parsed = v.safeParse(errorBody, value);
  if (!parsed.success) return undefined;
  const { message, Message, msg, detail, errors, type, status, code } = parsed.output;
  const said = [message, Message, msg, detail, errors].map((words) => textOf(words, depth, search));
  const listed = Array.isArray(errors) && depth > 0 ? wordsWithin(errors[0], depth - 1, search) : undefined;
  const words = pick({
    message: said.find((text) => text !== undefined && text !== ''),
    type: type ?? listed?.type,
    code: (typeof code === 'string' ? code : status) ?? listed?.code,
  });
  return Object.keys(words).length === 0 ? undefined : words;
}

/** Words however they are written: as text, several in an array, or as an object that is shown for want of them. */
function textOf(value: unknown, depth: number, search: Search): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null || depth === 0) return undefined;
  if (Array.isArray(value)) {
    const items = value.slice(0, search.left);
    search.left -= items.length;
    const texts = items.map((item: unknown) => textOf(item, depth - 1, search));
    return texts.filter((text) => text !== undefined && text !== '').join('; ');
  }
  const listed = v.safeParse(listedError, value);
  if (listed.success) return [listed.output.loc.join('.'), listed.output.msg].filter(Boolean).join(': ');
  return wordsWithin(value, depth - 1, search)?.message ?? json(value);
}

/** Nothing for a value that is nested too deeply to be written, and for one that holds nothing. */
function json(value: object): string | undefined {
  try {
    return Object.keys(value).length === 0 ? undefined : JSON.stringify(value);
  } catch {
    return undefined;
  }
}

const saysNoChannel =
  /no[ _]{1,3}(?:available|enabled)[ _]{1,3}channel|no_channel|无可用渠道|async\w{0,20}[^.]{0,40}\b(?:not|n't)\b[^.]{0,20}(?:enabled|supported|available)|(?:not|n't) support[^.]{0,40}async/iu;
const saysQuota =
  /insufficient[_ ]{1,3}(?:\w{1,20}[_ ]{1,3})?(?:quota|balance|credit|funds)|(?:quota|balance|credits?)[^.]{0,30}(?:exhausted|exceeded|not enough|insufficient|used up)|exceeded your current quota|billing_(?:hard_)?limit|额度不足|余额不足/iu;
/** Codes that mean an empty account and nothing else, however a service words its message. */
const quotaCode =
  /^(?:insufficient_(?:\w+_)?(?:quota|balance|credits?|funds)|quota_(?:exceeded|exhausted|not_enough)|billing_(?:hard_)?limit_(?:reached|exceeded))$/iu;
const saysContent =
  /content[_ -]?(?:policy|filter|moderat|violation)|moderation|safety|prohibited_content|blocked_reason|blocklist|sensitive_words?/iu;
/** What gateways say, also as JSON, of a service that they lost after it may have taken the request. */
const saysLost =
  /^service(?: temporarily)? unavailable$|reset before headers|connection[ _]termination|time(?:d[ _]?)?[ _-]?out/iu;
/** What the service says of a task that is missing or another account's, and what that is in plain words. */
const saysTaskNotFound = /task[_ ]?not[_ ]?found/iu;
const saysKey = /api[_ ]key[_ ](?:not[_ ]valid|invalid)|invalid[_ ](?:api[_ ]key|token)/iu;

/** What a kind of call makes of an error. */
export interface ErrorContext {
  phase: Phase;
  /** Whether the request asked for an asynchronous answer. */
  isAsync: boolean;
  /** Taken out of every text, should the service repeat it. */
  apiKey: string;
  /** Unix milliseconds, to reckon a `Retry-After` date from. */
  now: number;
}

/**
 * The error for an answer whose HTTP status is no success (docs/service.md, "Errors").
 *
 * @param text the body, or its beginning
 */
export function errorOfResponse(
  { statusCode, headers }: Pick<TransportResponse, 'statusCode' | 'headers'>,
  text: string,
  context: ErrorContext,
): LimnerError {
  const said = parseJson(text);
  const words = redacted(serviceWords(text), context.apiKey);
  const retryAfter = retryAfterOf(headers, context.now) ?? retryDelayOf(said);
  const isRefusal = (retryAfter !== undefined || wordsOf(said) !== undefined) && !has(words, saysLost);
  const { code, billing } = classify(statusCode, words, { retryAfter, isRefusal }, context);
  return new LimnerError(code, sentence(code, statusCode, words), {
    phase: context.phase,
    billing,
    status: statusCode,
    service: words,
    sent: true,
    ...(retryAfter !== undefined && { retryAfter }),
  });
}

/** The error that a failed task, or a body with an error in place of images, reports. */
export function errorOfWords(
  words: ServiceWords,
  phase: Phase,
  billing: Billing,
  apiKey: string,
): LimnerError {
  const service = redacted(words, apiKey);
  const code = wordCode(service) ?? 'image_generation_failed';
  return new LimnerError(code, sentence(code, undefined, service), { phase, billing, service, sent: true });
}

/**
 * How long the service asked to wait, in milliseconds; `undefined` where it did not. A date is reckoned from that of
 * the answer itself, since the clock here may be wrong by years.
 *
 * @param now Unix milliseconds, for an answer without a date
 */
export function retryAfterOf(headers: TransportResponse['headers'], now: number): number | undefined {
  const value = [headers['retry-after'] ?? []].flat()[0]?.trim();
  if (value === undefined || value === '') return undefined;
  if (/^\d+(?:\.\d+)?$/u.test(value)) return milliseconds(value);
  const date = httpDate(value);
  return date === undefined
    ? undefined
    : Math.max(0, date - (httpDate([headers['date'] ?? []].flat()[0]) ?? now));
}

/** A date of HTTP in Unix milliseconds, GMT also in the form that does not say so (asctime); else `undefined`. */
function httpDate(text = ''): number | undefined {
  // It begins with the day of the week; `Date.parse` reads a date into almost anything.
  if (!/^[a-z]{3,9},? /iu.test(text)) return undefined;
  const date = Date.parse(/\d{4}$/u.test(text) ? `${text} GMT` : text);
  return Number.isNaN(date) ? undefined : date;
}

const retryDetails = v.object({
  error: v.object({
    details: v.pipe(
      v.array(v.unknown()),
      v.transform((details) => details.slice(0, maxPlaces)),
      v.array(
        v.fallback(
          v.object({ retryDelay: v.optional(v.pipe(v.string(), v.regex(/^\d+(?:\.\d+)?s$/u))) }),
          {},
        ),
      ),
    ),
  }),
});

/** The same from a body: Google says it there (`google.rpc.RetryInfo`) and in no header. */
function retryDelayOf(value: unknown): number | undefined {
  const parsed = v.safeParse(retryDetails, value);
  if (!parsed.success) return undefined;
  const delay = parsed.output.error.details.find(({ retryDelay }) => retryDelay !== undefined)?.retryDelay;
  return delay === undefined ? undefined : milliseconds(delay);
}

/** Finite however many digits there are: what is infinite cannot be kept in a row. */
function milliseconds(seconds: string): number {
  return Math.min(Math.ceil(Number.parseFloat(seconds) * 1000), Number.MAX_SAFE_INTEGER);
}

interface Verdict {
  code: ErrorCode;
  billing: Billing;
}

function classify(
  status: number,
  words: ServiceWords,
  { retryAfter, isRefusal }: { retryAfter: number | undefined; isRefusal: boolean },
  { phase, isAsync }: ErrorContext,
): Verdict {
  const isPost = phase === 'submit';
  // A redirect of a query says nothing about the task.
  if (status >= 300 && status < 400) return { code: 'protocol', billing: isPost ? 'no' : 'maybe' };
  if (!isPost) return { code: pollCode(status, words), billing: 'maybe' };
  const code = wordCode(words);
  if (has(words, saysNoChannel))
    return { code: isAsync ? 'no_async_channel' : 'invalid_request', billing: 'no' };
  if (status >= 500) {
    // A gateway answers so as well when it lost a service that had taken the request.
    if (status === 503 && isAsync && isRefusal) return { code: 'queue_full', billing: 'no' };
    const isFailure = isWorded(words) && status !== 502 && status !== 504 && !(status === 503 && isAsync);
    return { code: isFailure ? 'image_generation_failed' : 'outcome_unknown', billing: 'maybe' };
  }
  if (status === 408) return { code: 'outcome_unknown', billing: 'maybe' };
  if (status === 401) return { code: 'unauthorized', billing: 'no' };
  if (status === 402) return { code: 'quota_exceeded', billing: 'no' };
  if (status === 429) {
    // The words of a message alone may mean the quota of this minute: then the service says when it is over.
    const isQuota = hasQuotaCode(words) || (code === 'quota_exceeded' && retryAfter === undefined);
    return { code: isQuota ? 'quota_exceeded' : 'rate_limited', billing: 'no' };
  }
  if (code !== undefined) return { code, billing: 'no' };
  const isOfKey = status === 403 && (isAboutKey(words) || words.message === undefined);
  return { code: isOfKey ? 'unauthorized' : 'invalid_request', billing: 'no' };
}

function pollCode(status: number, words: ServiceWords): ErrorCode {
  if (status === 401) return 'unauthorized';
  // A gateway that lets nobody through for a while, or has lost its way to the service, says nothing about the key or
  // about a task that is paid for; and it repeats the path that was asked for, which names the task.
  if (status === 403) return isAboutKey(words) ? 'unauthorized' : 'task_query_failed';
  if (status === 404) return has(words, saysTaskNotFound) ? 'task_not_found' : 'task_query_failed';
  if (status === 429) return 'rate_limited';
  return status >= 500 || status === 408 ? 'task_query_failed' : 'invalid_request';
}

/** Whether it is an error of the service's own making, and not a page that stands before it. */
function isWorded({ type, code }: ServiceWords): boolean {
  return type !== undefined || code !== undefined;
}

/** Whether a 403 may speak of the key, and is not the page of a firewall. */
function isAboutKey(words: ServiceWords): boolean {
  return isWorded(words) || has(words, /key|token/iu);
}

/** What the words themselves say, whatever the status. */
function wordCode(words: ServiceWords): ErrorCode | undefined {
  if (has(words, saysKey)) return 'unauthorized';
  if (has(words, saysQuota)) return 'quota_exceeded';
  if (has(words, saysContent)) return 'content_rejected';
  return undefined;
}

function hasQuotaCode({ type, code }: ServiceWords): boolean {
  return [type, code].some((word) => word !== undefined && quotaCode.test(word));
}

function has(words: ServiceWords, pattern: RegExp): boolean {
  return [words.message, words.type, words.code].some((word) => word !== undefined && pattern.test(word));
}

/** The beginnings of sentences; the editor says the same (`src/editor/failures/errorText.ts`). */
const heads: Partial<Record<ErrorCode, string>> = {
  unauthorized: 'The service rejected the API key',
  quota_exceeded: 'Your quota or balance at the service is used up',
  rate_limited: 'The service reports too many requests',
  queue_full: "The service's queue is full",
  no_async_channel: "The service can't run this model asynchronously",
  content_rejected: 'The service rejected the content',
  invalid_request: 'The service rejected the request',
  task_not_found: "The service doesn't recognize this task with the current API key",
  task_query_failed: "The service couldn't look up the task",
  image_generation_failed: "The service couldn't create the image",
  outcome_unknown: "The response doesn't say what happened to the request",
  protocol: 'The service responded with a redirect; the URL it points to may be the correct service URL',
};

function sentence(code: ErrorCode, status: number | undefined, words: ServiceWords): string {
  const said = words.message ?? words.code ?? words.type;
  const head = heads[code] ?? 'The service reported an error';
  const start = status === undefined ? head : `${head} (HTTP ${status})`;
  return asSentence(said === undefined ? start : `${start}: ${shortened(said, maxShownLength)}`);
}

/** Words as they may be shown and kept: short, in one line, and without the key. */
export function redacted(words: ServiceWords, apiKey: string): ServiceWords {
  const redactKey = redactorFor(apiKey);
  const clean = (text: string | undefined): string | undefined =>
    text === undefined ? undefined : singleLine(redactKey(text.slice(0, maxReadLength)), maxKeptLength);
  return pick({ message: clean(words.message), type: clean(words.type), code: clean(words.code) });
}

function pick(
  words: Record<keyof ServiceWords, string | undefined> | { message: string | undefined },
): ServiceWords {
  return Object.fromEntries(Object.entries(words).filter(([, text]) => text !== undefined && text !== ''));
}

/** The object of a body, or the first of an array as Google's streams give it. */
function parseJson(text: string): unknown {
  try {
    const body: unknown = JSON.parse(text);
    const value: unknown = Array.isArray(body) ? body[0] : body;
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/** As much of a page as is looked at, in characters. */
const maxPageLength = 8192;

/** What the beginning of a page or of a plain text says, in one line. */
function plainText(text: string): string {
  const page = text.slice(0, maxPageLength);
  const title = /<title[^>]{0,200}>([^<]*)<\/title>/iu.exec(page)?.[1];
  return (title ?? withoutTags(page)).replaceAll(/\s+/gu, ' ').trim();
}

/** A page without its tags, scripts and styles, each part of it looked at once. */
function withoutTags(page: string): string {
  const texts: string[] = [];
  let isHidden = false;
  let position = 0;
  for (;;) {
    const open = page.indexOf(isHidden ? '</' : '<', position);
    const close = open === -1 ? -1 : page.indexOf('>', open);
    if (!isHidden) texts.push(page.slice(position, close === -1 ? undefined : open));
    if (close === -1) return texts.join(' ');
    const tag = page.slice(open, close);
    isHidden = isHidden ? !/^<\/(?:script|style)\b/iu.test(tag) : /^<(?:script|style)\b/iu.test(tag);
    position = close + 1;
  }
}
