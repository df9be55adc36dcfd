import * as v from 'valibot';
import * as english from '../../common/english.ts';
import { asSentence } from '../../common/text.ts';
import {
  LimnerError,
  type Billing,
  type ErrorCode,
  type Phase,
  type ServiceWords,
} from '../../common/limnerError.ts';
import {
  redactorFor,
  maxKeptLength,
  maxReadLength,
  maxShownLength,
  shortened,
  singleLine,
  withoutBase64,
} from './keyRedactor.ts';

const maxDepth = 4;
export const maxPlaces = 200;

const messageNames = [
  'message Message msg error_message errorMessage error_msg error_description status_msg statusMessage',
  'status_message fail_reason failReason failure_reason failureReason failed_reason failedReason',
  'finishMessage blockReasonMessage task_status_msg errMsg err_msg raiFilteredReason refusal detail',
  'description reason errors details title',
].flatMap((names) => names.split(' '));
const codeNames = 'code error_code errorCode status_code statusCode status blockReason'.split(' ');
/** Fields that contain the error, besides the body itself. In `data` and the like, only an error counts. */
const holders = [
  'error Error last_error failure base_resp baseResp promptFeedback ResponseMetadata Response',
].flatMap((names) => names.split(' '));
const answers =
  'data output result results images predictions choices artifacts candidates message task response'.split(
    ' ',
  );
/** Matches words for success, which are no reason for a failure. */
const saysSuccess =
  /^(?:ok|success(?:ful(?:ly)?)?|succeeded|completed|done|none|null|false|no error|0)?[.!]?$/iu;

type Fields = Record<string, unknown>;

/** One of several errors that FastAPI lists, with the field that it is about. */
const listedError = v.object({
  loc: v.pipe(v.array(v.unknown()), v.maxLength(100), v.array(v.union([v.string(), v.number()]))),
  msg: v.string(),
});

/**
 * Returns the service's words in an error body of any shape: OpenAI's `{error:{message,type,code}}`, Google's
 * `{error:{code,message,status,details}}`, FastAPI's `{detail}`, a flat `{message,code}`, a list of `errors`, a failed
 * element of `data`, and other services' names for these; otherwise the text, or the title of an HTML page
 * (docs/service.md, "Error bodies").
 *
 * @param text the body, or its beginning
 */
export function serviceWords(text: string): ServiceWords {
  const value = parseJson(text);
  return value === undefined ? pick({ message: plainText(text) }) : (serviceWordsIn(value) ?? {});
}

/** Returns the service's words in a parsed value; `undefined` if it has none. */
export function serviceWordsIn(value: unknown): ServiceWords | undefined {
  return wordsWithin(value, maxDepth, { left: maxPlaces });
}

function wordsWithin(value: unknown, depth: number, search: { left: number }): ServiceWords | undefined {
  if (!isObject(value) || depth < 0) {
    return undefined;
  }
  const within = (inner: unknown): ServiceWords | undefined =>
    typeof inner === 'string'
      ? saysSuccess.test(inner)
        ? undefined
        : pick({ message: inner })
      : wordsWithin(inner, depth - 1, search);
  const held = holders.flatMap((name) => within(value[name]) ?? []);
  const { errors } = value;
  const listed = Array.isArray(errors) ? within(errors[0]) : undefined;
  const own = pick({
    message: messageIn(value, depth, search),
    type: typeof value['type'] === 'string' ? value['type'] : undefined,
    code: codeIn(value),
  });
  const all = [...held, own, ...(listed ? [listed] : [])];
  const first = (name: keyof ServiceWords): string | undefined =>
    all.find((words) => words[name] !== undefined)?.[name];
  const words = pick({ message: first('message'), type: first('type'), code: first('code') });
  if (Object.keys(words).length > 0) {
    return words;
  }
  const failed = answers.flatMap((name) => failedElement(value[name]));
  search.left -= failed.length;
  return search.left > 0 ? failed.map(within).find((inner) => inner !== undefined) : undefined;
}

/** Returns the parts of a response, or of its element, that describe a failure. */
function failedElement(answer: unknown): unknown[] {
  if (!Array.isArray(answer)) {
    const { error, ...others } = isObject(answer) ? answer : {};
    return [error ?? others];
  }
  return answer.slice(0, maxPlaces).flatMap((element: unknown) => {
    const { error, message, ...others } = isObject(element) ? element : {};
    if (error !== undefined && error !== null) {
      return [error];
    }
    // A chat's refusal in place of an image.
    const { refusal, content } = isObject(message) ? message : {};
    const own = others['code'] === undefined ? undefined : message;
    const said = refusal ?? (typeof content === 'string' ? content : isObject(message) ? undefined : own);
    const { finishReason, finish_reason = finishReason, raiFilteredReason } = others;
    const isStopped = typeof finish_reason === 'string' && !/^(?:stop|success|length)$/iu.test(finish_reason);
    const isFailed = isStopped || raiFilteredReason !== undefined || said !== undefined;
    return isFailed ? [{ ...others, message: said ?? others['finishMessage'], code: finish_reason }] : [];
  });
}

function messageIn(fields: Fields, depth: number, search: { left: number }): string | undefined {
  const said = messageNames
    .map((name) => textOf(fields[name], depth, search))
    .find((text) => text !== undefined && text !== '' && !saysSuccess.test(text));
  const reasons = reasonsIn(fields['details']).filter((reason) => said?.includes(reason) !== true);
  return said === undefined || reasons.length === 0 ? said : `${said} (${reasons.join(', ')})`;
}

/** Returns the reasons in the details of a Google error. */
function reasonsIn(details: unknown): string[] {
  return Array.isArray(details)
    ? details
        .slice(0, maxPlaces)
        .flatMap((detail: unknown) =>
          isObject(detail) && typeof detail['reason'] === 'string' ? [detail['reason']] : [],
        )
    : [];
}

/** Returns the code of an error. HTTP statuses, as in Google's errors, and codes for success don't count. */
function codeIn(fields: Fields): string | undefined {
  for (const name of codeNames) {
    const code = fields[name];
    if (typeof code === 'string' && !saysSuccess.test(code)) {
      return code;
    }
    if (typeof code === 'number' && (code < 0 || code >= 600)) {
      return String(code);
    }
  }
  return undefined;
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns a message as text: a string, several in an array, or an object as JSON. */
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

/** Returns the JSON of a value; undefined if it is empty, or nested too deeply to be written. */
function json(value: object): string | undefined {
  try {
    return Object.keys(value).length === 0 ? undefined : JSON.stringify(value);
  } catch {
    return undefined;
  }
}

const saysQuota =
  /insufficient[_ ]{1,3}(?:\w{1,20}[_ ]{1,3})?(?:quota|balance|credit|funds)|(?:quota|balance|credits?)[^.]{0,30}(?:exhausted|exceeded|not enough|insufficient|used up)|exceeded your current quota|billing_(?:hard_)?limit|(?:no|out of) (?:\w{1,20} )?credits|arrear|额度不足|余额不足|欠费/iu;
const saysContent =
  /content[_ -]?(?:policy|filter|moderat|violation)|moderation|safety|unsafe|nsfw|prohibited[_ ](?:content|use)|blocked_reason|blocklist|sensitive[_ -](?:words?|content|information)|inappropriate|violat\w{0,4}[^.]{0,40}(?:polic|guideline|terms|rules)|敏感|违规|违禁|不合规/iu;
const saysKey =
  /api[_ ]key[_ ](?:is[_ ])?(?:not[_ ]valid|invalid|incorrect|expired)|(?:invalid|incorrect)[_ ](?:api[_ ]key|token)/iu;

/** Matches messages about a parameter, or a part of the service, on any subject. */
const saysParameter =
  /unknown parameter|unsupported (?:parameter|value)|must be (?:[<>=]|between|at (?:most|least)|one of)|per request|time(?:d)?[ -]?out|try again|please retry/iu;

/** Returns the error of a failed task, or of a body with an error in place of images. */
export function errorOfWords(
  words: ServiceWords,
  phase: Phase,
  billing: Billing,
  apiKey: string,
): LimnerError {
  const service = redacted(words, apiKey);
  const code = wordCode(service) ?? 'image_generation_failed';
  // No service generates images without credit or a valid key.
  const isRefusal = code === 'quota_exceeded' || code === 'unauthorized';
  return new LimnerError(code, errorSentence(code, undefined, service), {
    phase,
    billing: isRefusal && billing === 'maybe' ? 'no' : billing,
    service,
    sent: true,
  });
}

export function wordCode(words: ServiceWords): ErrorCode | undefined {
  if (mentions(words, saysParameter)) {
    return undefined;
  }
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

export function mentions(words: ServiceWords, pattern: RegExp): boolean {
  return [words.message, words.type, words.code].some((word) => word !== undefined && pattern.test(word));
}

/** First sentences of messages. VS Code shows the same ones (`src/vscode/window/errorText.ts`). */
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
  const head = heads[code];
  if (head === undefined) {
    const report =
      said === undefined
        ? english.t('The service reported an error (HTTP {0}).', status ?? '')
        : english.t(
            'The service reported an error (HTTP {0}): {1}',
            status ?? '',
            shortened(said, maxShownLength),
          );
    return asSentence(report);
  }
  const start = status === undefined ? head : `${head} (HTTP ${status})`;
  return asSentence(said === undefined ? start : `${start}: ${shortened(said, maxShownLength)}`);
}

export function withReason(error: LimnerError, words: ServiceWords | undefined, apiKey: string): LimnerError {
  const said = words?.message ?? words?.code;
  if (words === undefined || said === undefined) {
    return error;
  }
  const { code, message, ...options } = error.toRecord();
  const service = redacted(words, apiKey);
  const reason = shortened(service.message ?? service.code ?? '', maxShownLength);
  return new LimnerError(code, `${message} ${asSentence(english.t('The service said: {0}', reason))}`, {
    ...options,
    service,
    cause: error,
  });
}

/** Returns words that are safe to show and store: short, on one line, and without the key. */
export function redacted(words: ServiceWords, apiKey: string): ServiceWords {
  const redactKey = redactorFor(apiKey);
  const clean = (text: string | undefined): string | undefined =>
    text === undefined
      ? undefined
      : singleLine(withoutBase64(redactKey(text.slice(0, maxReadLength))), maxKeptLength);
  return pick({ message: clean(words.message), type: clean(words.type), code: clean(words.code) });
}

function pick(
  words: Record<keyof ServiceWords, string | undefined> | { message: string | undefined },
): ServiceWords {
  return Object.fromEntries(Object.entries(words).filter(([, text]) => text !== undefined && text !== ''));
}

/** Returns the object in a body, or the first one of an array as in Google's streams. */
export function parseJson(text: string): unknown {
  try {
    const body: unknown = JSON.parse(text);
    const value: unknown = Array.isArray(body) ? body[0] : body;
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the text of a page or a plain text, on one line. */
function plainText(page: string): string {
  const title = /<title[^<>]*>([^<]*)<\/title>/iu.exec(page)?.[1];
  return (title ?? withoutTags(page)).replaceAll(/\s+/gu, ' ').trim();
}

/** Removes tags, scripts, and styles from a page in one pass. */
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
