import * as v from 'valibot';
import { asSentence } from '../../common/text.ts';
import {
  LimnerError,
  type Billing,
  type ErrorCode,
  type Phase,
  type ServiceWords,
} from '../../common/limnerError.ts';
import { redactorFor } from './keyRedactor.ts';
import { maxKeptLength, maxReadLength, maxShownLength, shortened, singleLine } from './singleLine.ts';

const optionalText = v.fallback(v.optional(v.string()), undefined);
/** Google gives the HTTP status as a number where others give a name. */
const optionalCode = v.fallback(v.optional(v.union([v.string(), v.number()])), undefined);

const maxDepth = 4;
/** Limits of the search for words within words. */
export const maxPlaces = 200;

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
    v.transform(({ error }): v.InferOutput<typeof errorFields> => ({ message: error })),
  ),
  errorFields,
]);

/** One of several errors that FastAPI lists, with the place that it is about. */
const listedError = v.object({
  loc: v.pipe(v.array(v.unknown()), v.maxLength(100), v.array(v.union([v.string(), v.number()]))),
  msg: v.string(),
});

/**
 * Returns the service's words in an error body of whatever shape: OpenAI's `{error:{message,type,code}}`, Google's
 * `{error:{code,message,status}}`, FastAPI's `{detail}`, a flat `{message,code}`, a list of `errors`; of a body
 * that isn't JSON its text, of an HTML page its title (docs/service.md, "Error bodies").
 *
 * @param text the body, or its beginning
 */
export function serviceWords(text: string): ServiceWords {
  const value = parseJson(text);
  return value === undefined ? pick({ message: plainText(text) }) : (wordsOf(value) ?? {});
}

/** Returns the service's words in a value that was parsed already; `undefined` if it has none. */
export function wordsOf(value: unknown): ServiceWords | undefined {
  return wordsWithin(value, maxDepth, { left: maxPlaces });
}

function wordsWithin(value: unknown, depth: number, search: { left: number }): ServiceWords | undefined {
  const parsed = v.safeParse(errorBody, value);
  if (!parsed.success) {
    return undefined;
  }
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

/** Returns words as text, whether they are a text, several in an array, or an object, which is shown as JSON. */
function textOf(value: unknown, depth: number, search: { left: number }): string | undefined {
  if (typeof value === 'string') {
    return value;
  }
  if (typeof value !== 'object' || value === null || depth === 0) {
    return undefined;
  }
  if (Array.isArray(value)) {
    const items = value.slice(0, search.left);
    search.left -= items.length;
    const texts = items.map((item: unknown) => textOf(item, depth - 1, search));
    return texts.filter((text) => text !== undefined && text !== '').join('; ');
  }
  const listed = v.safeParse(listedError, value);
  if (listed.success) {
    return [listed.output.loc.join('.'), listed.output.msg].filter(Boolean).join(': ');
  }
  return wordsWithin(value, depth - 1, search)?.message ?? json(value);
}

/** Returns the JSON of a value; undefined when it holds nothing, or is nested too deeply to be written. */
function json(value: object): string | undefined {
  try {
    return Object.keys(value).length === 0 ? undefined : JSON.stringify(value);
  } catch {
    return undefined;
  }
}

const saysQuota =
  /insufficient[_ ]{1,3}(?:\w{1,20}[_ ]{1,3})?(?:quota|balance|credit|funds)|(?:quota|balance|credits?)[^.]{0,30}(?:exhausted|exceeded|not enough|insufficient|used up)|exceeded your current quota|billing_(?:hard_)?limit|额度不足|余额不足/iu;
const saysContent =
  /content[_ -]?(?:policy|filter|moderat|violation)|moderation|safety|prohibited_content|blocked_reason|blocklist|sensitive_words?/iu;
const saysKey = /api[_ ]key[_ ](?:not[_ ]valid|invalid)|invalid[_ ](?:api[_ ]key|token)/iu;

/** Returns the error that a failed task, or a body with an error in place of images, reports. */
export function errorOfWords(
  words: ServiceWords,
  phase: Phase,
  billing: Billing,
  apiKey: string,
): LimnerError {
  const service = redacted(words, apiKey);
  const code = wordCode(service) ?? 'image_generation_failed';
  return new LimnerError(code, errorSentence(code, undefined, service), {
    phase,
    billing,
    service,
    sent: true,
  });
}

/** Returns what the words themselves say, whatever the status. */
export function wordCode(words: ServiceWords): ErrorCode | undefined {
  if (mentions(words, saysKey)) {
    return 'unauthorized';
  }
  if (mentions(words, saysQuota)) {
    return 'quota_exceeded';
  }
  if (mentions(words, saysContent)) {
    return 'content_rejected';
  }
  return undefined;
}

/** Whether any of the words fits a pattern. */
export function mentions(words: ServiceWords, pattern: RegExp): boolean {
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

export function errorSentence(code: ErrorCode, status: number | undefined, words: ServiceWords): string {
  const said = words.message ?? words.code ?? words.type;
  const head = heads[code] ?? 'The service reported an error';
  const start = status === undefined ? head : `${head} (HTTP ${status})`;
  return asSentence(said === undefined ? start : `${start}: ${shortened(said, maxShownLength)}`);
}

/** Returns words as they may be shown and kept: short, in one line, and without the key. */
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

/** Returns the object of a body, or the first of an array as Google's streams give it. */
export function parseJson(text: string): unknown {
  try {
    const body: unknown = JSON.parse(text);
    const value: unknown = Array.isArray(body) ? body[0] : body;
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Returns what a page or a plain text says, in one line. */
function plainText(page: string): string {
  const title = /<title[^<>]*>([^<]*)<\/title>/iu.exec(page)?.[1];
  return (title ?? withoutTags(page)).replaceAll(/\s+/gu, ' ').trim();
}

/** Returns a page without its tags, scripts and styles, in one pass. */
function withoutTags(page: string): string {
  const texts: string[] = [];
  let isHidden = false;
  let position = 0;
  for (;;) {
    const open = page.indexOf(isHidden ? '</' : '<', position);
    const close = open === -1 ? -1 : page.indexOf('>', open);
    if (!isHidden) {
      texts.push(page.slice(position, close === -1 ? undefined : open));
    }
    if (close === -1) {
      return texts.join(' ');
    }
    const tag = page.slice(open, close);
    isHidden = isHidden ? !/^<\/(?:script|style)\b/iu.test(tag) : /^<(?:script|style)\b/iu.test(tag);
    position = close + 1;
  }
}
