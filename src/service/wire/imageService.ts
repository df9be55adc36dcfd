import type { CallStyle } from '../../common/requestValues.ts';
import type { Readable } from 'node:stream';
import { type Clock, sleep, systemClock } from '../../common/clock.ts';
import { endpointsOf, type Endpoints, checkedKey, requireKeyMayGo } from '../http/endpoints.ts';
import { gatherAnswers } from './gatherAnswers.ts';
import { type Asked, queriedTaskOf, submissionOf, type TaskLocation } from './imageAnswers.ts';
import { InlineImages, type ReadBody } from './inlineImages.ts';
import { redactorFor } from '../http/keyRedactor.ts';
import type { LimnerError, Phase } from '../../common/limnerError.ts';
import type { Answer, ImageRequest, OpenImageSink, RemoteTask, Submission } from '../terms/messages.ts';
import { editForm, contentBody, generationBody, type TypedBody } from './requestBodies.ts';
import { nativeAnswerOf } from './nativeAnswers.ts';
import { discardSpares } from './salvage.ts';
import { inPhase } from '../http/transportErrors.ts';
import { errorOfHttpStatus, retryAfterOf } from '../http/httpStatusErrors.ts';
import type { Transport, TransportResponse, TransportTimeouts } from '../http/transport.ts';

export interface ImageServiceOptions {
  baseUrl: string;
  apiKey: string;
  /** Transports for every POST and for every poll. */
  transports: { posts: Transport; polls: Transport };
  /** Maximum time until the response to a POST begins, in milliseconds. */
  requestTimeout: number;
  /** Origins besides loopback that the user allowed to be called over plain HTTP. */
  plainHttpOrigins?: readonly string[];
  log?: (line: string) => void;
  clock?: Clock;
}

export interface AnswerOptions {
  signal?: AbortSignal;
  openSink: OpenImageSink;
  /** Keeps the body of a successful response without an image, after removing the key. */
  keepBody?: (bytes: Buffer) => Promise<void>;
}

const connectTimeout = 15_000;
/** Time limit for several images on a slow connection, in milliseconds. */
const maxAnswerLength = 60 * 60_000;
/** Time limit for the body of an error or of an accepted task, in milliseconds. */
const statusWhole = 30_000;
const pollTimeouts: TransportTimeouts = { connect: 15_000, headers: 30_000, idle: 30_000, whole: 5 * 60_000 };
/** Maximum number of bytes to read of an error's body. */
const maxErrorBodyLength = 64 * 1024;

/**
 * One service with one key, with a method for each of its calls. Every method rejects with a `LimnerError` that states
 * the phase and the consequence for the bill; if its `signal` is aborted, it settles at once. A request that the
 * service may have taken is never sent again: only native calls refused with 429 are repeated.
 */
export class ImageService {
  readonly #options: ImageServiceOptions;
  readonly #endpoints: Endpoints;
  readonly #apiKey: string;

  /** @throws LimnerError `no_service` for an address that cannot be used, `no_key` for a missing or damaged key */
  constructor(options: ImageServiceOptions) {
    this.#options = options;
    this.#endpoints = endpointsOf(options.baseUrl);
    this.#apiKey = checkedKey(options.apiKey);
    requireKeyMayGo(this.#endpoints.generations, options.plainHttpOrigins);
  }

  get origin(): string {
    return this.#endpoints.origin;
  }

  /**
   * Submits a generation or an edit with one POST; for a native generation, with one call per image (docs/service.md,
   * "Native call"), where failed calls don't lose the images of others. There is no native edit. Accepts a task or
   * images as the response, whatever the style.
   */
  async submit(request: ImageRequest, style: CallStyle, options: AnswerOptions): Promise<Submission> {
    const endpoints = this.#endpoints;
    const inline = new InlineImages(options.openSink, this.#apiKey);
    if (!request.images && (style === 'native' || style === 'nativeStream')) {
      const { model } = request;
      const url =
        style === 'native' ? endpoints.generateContent(model) : endpoints.streamGenerateContent(model);
      const call = { url, isAsync: false, ...contentBody(request) };
      const ask = async (): Promise<Answer> =>
        this.#ask(call, options, async (response) => this.#read(response, options, inline, nativeAnswerOf));
      const { clock = systemClock } = this.#options;
      const pause = async (milliseconds: number): Promise<void> => sleep(clock, milliseconds, options.signal);
      return { kind: 'answered', answer: await gatherAnswers(request.n, ask, pause) };
    }
    const call = request.images
      ? { url: endpoints.edits, isAsync: style === 'async', ...editForm(request) }
      : { url: endpoints.generations, isAsync: style === 'async', ...generationBody(request) };
    return this.#ask(call, options, async (response) => {
      const location = locationOf(response, call.url, endpoints, this.#apiKey);
      const submission = await this.#read(response, options, inline, async (body, asked) =>
        submissionOf(body, response.statusCode, location, asked),
      );
      const retryAfter = retryAfterOf(response.headers, Date.now());
      return submission.kind === 'accepted' && retryAfter !== undefined
        ? { kind: 'accepted', task: { ...submission.task, retryAfter } }
        : submission;
    });
  }

  /**
   * Queries the status of a task once (docs/service.md, "Query task"). A failed task is an answer, not an error.
   *
   * @param path replaces the documented path and query
   * @throws LimnerError `task_not_found`, `task_query_failed`, `unauthorized`, `rate_limited`, `network`, `timeout`,
   *   `protocol`, `stopped`
   */
  async query(taskId: string, options: AnswerOptions, path?: string): Promise<RemoteTask> {
    try {
      const response = await this.#options.transports.polls.request({
        method: 'GET',
        url: this.#endpoints.task(taskId, path),
        headers: this.#headers(),
        timeouts: pollTimeouts,
        log: this.#options.log,
        ...(options.signal && { signal: options.signal }),
      });
      if (!isSuccess(response)) {
        throw await this.#errorOf(response, 'poll', false);
      }
      const inline = new InlineImages(options.openSink, this.#apiKey);
      const task = await this.#read(response, options, inline, async (body, asked) =>
        queriedTaskOf(body, taskId, asked),
      );
      const retryAfter = retryAfterOf(response.headers, Date.now());
      return { ...task, ...(retryAfter !== undefined && { retryAfter }) };
    } catch (error) {
      throw inPhase(error, 'poll', 'maybe');
    }
  }

  async #ask<T>(
    { url, isAsync, contentType, body }: Call,
    { signal }: AnswerOptions,
    read: (response: TransportResponse) => Promise<T>,
  ): Promise<T> {
    const { requestTimeout, transports, log } = this.#options;
    try {
      const response = await transports.posts.request({
        method: 'POST',
        url,
        headers: {
          ...this.#headers(),
          'content-type': contentType,
          ...(isAsync && { prefer: 'respond-async' }),
        },
        body,
        // A gateway may send headers at once and the images when they are ready.
        timeouts: {
          connect: connectTimeout,
          headers: requestTimeout,
          idle: requestTimeout,
          whole: maxAnswerLength,
          statusWhole,
        },
        log,
        ...(signal && { signal }),
      });
      if (!isSuccess(response)) {
        throw await this.#errorOf(response, 'submit', isAsync);
      }
      return await read(response);
    } catch (error) {
      throw inPhase(error, 'submit', 'maybe');
    }
  }

  /** Reads a successful response, and keeps its body if it contains no image. */
  async #read<T extends Answer | Submission | RemoteTask>(
    response: TransportResponse,
    { keepBody }: AnswerOptions,
    inline: InlineImages,
    read: (body: ReadBody, asked: Asked) => Promise<T>,
  ): Promise<T> {
    const [mediaType] = [response.headers['content-type'] ?? []].flat();
    const body = await inline.read(response.body, mediaType);
    const keep = async (): Promise<void> => {
      if (body.raw.length > 0) {
        await keepBody?.(inline.withoutKey(body.raw));
      }
    };
    try {
      const said = await read(body, { origin: this.origin, apiKey: this.#apiKey, inline });
      if ('images' in said && said.images?.length === 0) {
        await keep();
      }
      return said;
    } catch (error) {
      await keep();
      throw error;
    } finally {
      await discardSpares(body);
    }
  }

  #headers(): Record<string, string> {
    return {
      authorization: `Bearer ${this.#apiKey}`,
      accept: 'application/json, text/event-stream;q=0.9, */*;q=0.1',
      // Compression only undoes the overhead of base64, and takes longer than sending it.
      'accept-encoding': 'identity',
      'user-agent': 'Limner',
    };
  }

  async #errorOf(response: TransportResponse, phase: Phase, isAsync: boolean): Promise<LimnerError> {
    const text = await beginningOf(response.body, maxErrorBodyLength);
    return errorOfHttpStatus(response, text, { phase, isAsync, apiKey: this.#apiKey, now: Date.now() });
  }
}

interface Call extends TypedBody {
  url: URL;
  isAsync: boolean;
}

function isSuccess({ statusCode }: TransportResponse): boolean {
  return statusCode >= 200 && statusCode < 300;
}

/**
 * Returns the task's path from a `Location` header, unless it contains the key: ids are stored and shown. The
 * documented path, and paths on another host or scheme, perhaps added by a proxy, are queried at the service's own
 * address.
 */
function locationOf(
  { headers }: TransportResponse,
  requested: URL,
  endpoints: Endpoints,
  apiKey: string,
): TaskLocation | undefined {
  const location = [headers['location'] ?? []].flat()[0];
  const url = location === undefined ? null : URL.parse(location, requested.href);
  const last = url?.pathname.split('/').findLast((segment) => segment !== '');
  const isOfAll = /\/images\/(?:generations|edits)\/?$/u.test(url?.pathname ?? '');
  if (url === null || last === undefined || isOfAll || redactorFor(apiKey)(url.href) !== url.href) {
    return undefined;
  }
  try {
    const id = decodeURIComponent(last);
    const [, prefix] = /^(.*)\/images\/(?:generations|edits)\/[^/]+\/?$/u.exec(url.pathname) ?? [];
    // The path may lack a gateway's own prefix.
    const isUsual =
      url.origin !== endpoints.origin || prefix === '/v1' || url.href === endpoints.task(id).href;
    return {
      id,
      isDocumented: prefix !== undefined,
      ...(!isUsual && { path: url.pathname + url.search }),
    };
  } catch {
    return undefined;
  }
}

/** Returns the beginning of a body as text. Errors only make it shorter. */
async function beginningOf(body: Readable, limit: number): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      length += chunk.length;
      if (length >= limit) {
        break;
      }
    }
  } catch {
    // The status says enough.
  }
  return Buffer.concat(chunks).toString('utf8', 0, limit);
}
