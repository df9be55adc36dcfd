import * as v from 'valibot';
import {
  LimnerError,
  type Billing,
  type ErrorCode,
  type Phase,
  type ServiceWords,
} from '../../common/limnerError.ts';
import {
  mentions,
  maxPlaces,
  parseJson,
  redacted,
  errorSentence,
  serviceWords,
  wordCode,
  serviceWordsIn,
} from './serviceWords.ts';
import type { TransportResponse } from './transport.ts';

const saysNoChannel =
  /no[ _]{1,3}(?:available|enabled)[ _]{1,3}channel|no_channel|无可用渠道|async\w{0,20}[^.]{0,40}\b(?:not|n't)\b[^.]{0,20}(?:enabled|supported|available)|(?:not|n't) support[^.]{0,40}async/iu;
/** Codes that can only mean an exhausted account, whatever the message says. */
const quotaCode =
  /^(?:insufficient_(?:\w+_)?(?:quota|balance|credits?|funds)|quota_(?:exceeded|exhausted|not_enough)|billing_(?:hard_)?limit_(?:reached|exceeded))$/iu;
/** Messages of gateways, also in JSON, that lost a service which may have taken the request. */
const saysLost =
  /^service(?: temporarily)? unavailable$|reset before headers|connection[ _]termination|time(?:d[ _]?)?[ _-]?out/iu;
/** Messages about a task that is missing or belongs to another account. */
const saysTaskNotFound = /task[_ ]?not[_ ]?found/iu;

export interface ErrorContext {
  phase: Phase;
  isAsync: boolean;
  /** Removed from every text, in case the service repeats it. */
  apiKey: string;
  /** Unix milliseconds, the reference for a `Retry-After` date. */
  now: number;
}

/**
 * Returns the error for an HTTP status that isn't a success (docs/service.md, "Errors").
 *
 * @param text the body, or its beginning
 */
export function errorOfHttpStatus(
  { statusCode, headers }: Pick<TransportResponse, 'statusCode' | 'headers'>,
  text: string,
  context: ErrorContext,
): LimnerError {
  const said = parseJson(text);
  const words = redacted(serviceWords(text), context.apiKey);
  const retryAfter = retryAfterOf(headers, context.now) ?? retryDelayOf(said);
  const isRefusal =
    (retryAfter !== undefined || serviceWordsIn(said) !== undefined) && !mentions(words, saysLost);
  const { code, billing } = classify(statusCode, words, { retryAfter, isRefusal }, context);
  return new LimnerError(code, errorSentence(code, statusCode, words), {
    phase: context.phase,
    billing,
    status: statusCode,
    service: words,
    sent: true,
    ...(retryAfter !== undefined && { retryAfter }),
  });
}

/**
 * Returns the delay that the service asks for, in milliseconds; `undefined` if it asks for none. A date is compared
 * with the response's own date, since the local clock may be wrong by years.
 *
 * @param now Unix milliseconds, for a response without a date
 */
export function retryAfterOf(headers: TransportResponse['headers'], now: number): number | undefined {
  const [value = ''] = [headers['retry-after'] ?? []].flat();
  if (/^\d+(?:\.\d+)?$/u.test(value)) {
    return milliseconds(value);
  }
  const date = httpDate(value);
  return date === undefined
    ? undefined
    : Math.max(0, date - (httpDate([headers['date'] ?? []].flat()[0]) ?? now));
}

/** Returns an HTTP date in Unix milliseconds; undefined if it is invalid. */
function httpDate(text = ''): number | undefined {
  // `Date.parse` reads a date into almost anything, so require the day of the week.
  if (!/^[a-z]{3,9},? /iu.test(text)) {
    return undefined;
  }
  // HTTP dates are always in GMT, but the asctime format doesn't say so.
  const date = Date.parse(`${text} GMT`);
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

/** Returns the delay in a body: Google states it there (`google.rpc.RetryInfo`), not in a header. */
function retryDelayOf(value: unknown): number | undefined {
  const parsed = v.safeParse(retryDetails, value);
  if (!parsed.success) {
    return undefined;
  }
  const delay = parsed.output.error.details.find(({ retryDelay }) => retryDelay !== undefined)?.retryDelay;
  return delay === undefined ? undefined : milliseconds(delay);
}

/** Limits a number of any length to a finite one that a row can store. */
function milliseconds(seconds: string): number {
  return Math.min(Math.ceil(Number.parseFloat(seconds) * 1000), Number.MAX_SAFE_INTEGER);
}

function classify(
  status: number,
  words: ServiceWords,
  { retryAfter, isRefusal }: { retryAfter: number | undefined; isRefusal: boolean },
  { phase, isAsync }: ErrorContext,
): { code: ErrorCode; billing: Billing } {
  const isPost = phase === 'submit';
  // A redirected query says nothing about the task.
  if (status < 400) {
    return { code: 'protocol', billing: isPost ? 'no' : 'maybe' };
  }
  if (!isPost) {
    return { code: pollCode(status, words), billing: 'maybe' };
  }
  const code = wordCode(words);
  if (mentions(words, saysNoChannel)) {
    return { code: isAsync ? 'no_async_channel' : 'invalid_request', billing: 'no' };
  }
  if (status >= 500) {
    // A gateway sends the same status after losing a service that had taken the request.
    if (status === 503 && isAsync && isRefusal) {
      return { code: 'queue_full', billing: 'no' };
    }
    const isFailure = isWorded(words) && status !== 502 && status !== 504 && !(status === 503 && isAsync);
    return { code: isFailure ? 'image_generation_failed' : 'outcome_unknown', billing: 'maybe' };
  }
  if (status === 408) {
    return { code: 'outcome_unknown', billing: 'maybe' };
  }
  if (status === 401) {
    return { code: 'unauthorized', billing: 'no' };
  }
  if (status === 402) {
    return { code: 'quota_exceeded', billing: 'no' };
  }
  if (status === 429) {
    // The message alone may mean the quota of this minute, in which case the service states a delay.
    const isQuota = hasQuotaCode(words) || (code === 'quota_exceeded' && retryAfter === undefined);
    return { code: isQuota ? 'quota_exceeded' : 'rate_limited', billing: 'no' };
  }
  if (code !== undefined) {
    return { code, billing: 'no' };
  }
  const isOfKey = status === 403 && (isAboutKey(words) || words.message === undefined);
  return { code: isOfKey ? 'unauthorized' : 'invalid_request', billing: 'no' };
}

function pollCode(status: number, words: ServiceWords): ErrorCode {
  if (status === 401) {
    return 'unauthorized';
  }
  // A gateway that temporarily blocks everyone, or has lost its route to the service, says nothing about the key or a
  // paid task. It also repeats the requested path, which contains the task's id.
  if (status === 403) {
    return isAboutKey(words) ? 'unauthorized' : 'task_query_failed';
  }
  if (status === 404) {
    return mentions(words, saysTaskNotFound) ? 'task_not_found' : 'task_query_failed';
  }
  if (status === 429) {
    return 'rate_limited';
  }
  return status >= 500 || status === 408 ? 'task_query_failed' : 'invalid_request';
}

/** Whether the service itself wrote the error, rather than a proxy's page. */
function isWorded({ type, code }: ServiceWords): boolean {
  return type !== undefined || code !== undefined;
}

/** Whether a 403 may be about the key, rather than a firewall's page. */
function isAboutKey(words: ServiceWords): boolean {
  return isWorded(words) || mentions(words, /key|token/iu);
}

function hasQuotaCode({ type, code }: ServiceWords): boolean {
  return [type, code].some((word) => word !== undefined && quotaCode.test(word));
}
