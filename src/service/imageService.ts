// Room: the service's protocol, and where the API key may go.
// Never: tasks, the disk's layout.

import type { CallStyle } from '../common/callStyle.ts';
import type { Readable } from 'node:stream';
import { type Clock, sleep, systemClock } from '../common/clock.ts';
import { endpointsOf, type Endpoints } from './endpoints.ts';
import { gatherAnswers } from './responses/gatherAnswers.ts';
import { type Asked, queriedTaskOf, submissionOf, type TaskLocation } from './responses/imageAnswers.ts';
import { InlineImages, type ReadBody } from './responses/inlineImages.ts';
import { checkedKey, requireKeyMayGo } from './keyPolicy.ts';
import { redactorFor } from './errors/keyRedactor.ts';
import type { LimnerError, Phase } from '../common/limnerError.ts';
import type { Answer, ImageRequest, OpenImageSink, RemoteTask, Submission } from './messages.ts';
import { editForm } from './requests/multipart.ts';
import { nativeAnswerOf } from './responses/nativeAnswers.ts';
import { discardSpares } from './responses/salvage.ts';
import { inPhase } from './errors/phases.ts';
import { contentBody, generationBody, type TypedBody } from './requests/requestBodies.ts';
import { errorOfHttpStatus, retryAfterOf } from './errors/httpStatusErrors.ts';
import type { Transport, TransportResponse, TransportTimeouts } from './http/transport.ts';

export interface ImageServiceOptions {
  baseUrl: string;
  apiKey: string;
  /** By use: every POST, every poll. */
  transports: { posts: Transport; polls: Transport };
  /** How long the response to a POST may take to begin, in milliseconds. */
  requestTimeout: number;
  /** Origins other than loopback that a person allowed to be called over plain http. */
  plainHttpOrigins?: readonly string[];
  log?: (line: string) => void;
  /** By which it waits while the service is busy. */
  clock?: Clock;
}

export interface AnswerOptions {
  signal?: AbortSignal;
  /** Takes the images that come inline. */
  openSink: OpenImageSink;
  /** Keeps the body of a successful response in which no image was found, without the key. */
  keepBody?: (bytes: Buffer) => Promise<void>;
}

const connectTimeout = 30_000;
/** The time that a slow line takes for several images; in milliseconds, like all times here. */
const maxAnswerLength = 60 * 60_000;
/** The time for the body of an error or of an accepted task, which need no painting. */
const statusWhole = 30_000;
const pollTimeouts: TransportTimeouts = { connect: 15_000, headers: 30_000, idle: 30_000, whole: 5 * 60_000 };
/** The part of an error's body that is read. */
const maxErrorBodyLength = 64 * 1024;

/**
 * One service under one key: a method for each of its calls. Every method rejects with a `LimnerError` that says
 * in which phase it arose and what it means for the bill; a method that was given a `signal` settles at once when
 * it is aborted. No request that may have been taken is sent again: only one of several native calls that the service
 * refused with 429 is repeated.
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

  /** Scheme, host and port that the key is sent to, and nowhere else. */
  get origin(): string {
    return this.#endpoints.origin;
  }

  /**
   * Has images made or edited, with one POST; a native generation, once for each image that is wanted (docs/service.md,
   * "Native call"), and calls that fail do not lose the images of the others. There is no native edit. Whatever the
   * style, a service that accepts a task is believed, and so is one that answers at once.
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
   * Asks once how a task stands (docs/service.md, "Query task"). A failed task is an answer, not an error.
   *
   * @param path where the service is asked for it, if not at the document's path: path and query
   * @throws LimnerError `task_not_found`, `task_query_failed`, `unauthorized`, `rate_limited`, `network`,
   * `timeout`, `protocol`, `stopped`
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
        // A gateway may send its headers at once and the images when they are made.
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

  /** Reads a successful response; without an image in it, its body is kept. */
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
      // Base64 compresses by what it added, and takes longer to compress than to send.
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
 * Returns where a `Location` says that a task is, unless it holds the key: ids are kept and shown. The document's own
 * path, and that of another host or scheme, which a proxy may have put there, are asked for at the service's address.
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
    // A gateway's own prefix isn't always part of it.
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

/** Returns the beginning of a body as text; what goes wrong on the way only makes it shorter. */
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
