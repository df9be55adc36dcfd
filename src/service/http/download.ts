import { StringDecoder } from 'node:string_decoder';
import * as english from '../../common/english.ts';
import { isLimnerError, LimnerError, type ErrorCode } from '../../common/limnerError.ts';
import type { ImageSink } from '../terms/messages.ts';
import { AddressPolicy } from './addressPolicy.ts';
import { redactorFor, redactedKey } from './keyRedactor.ts';
import { inPhase } from './transportErrors.ts';
import { retryAfterOf } from './httpStatusErrors.ts';
import type { Transport, TransportResponse, TransportTimeouts } from './transport.ts';

/** More characters than a key has, however it is spelled. */
const longestKey = 8 * 1024;
/** Number of characters to collect before writing. */
const pieceLength = 64 * 1024;

/** A sink that reports every failed write as `save_failed`. A failed discard never hides another error. */
export class SafeSink implements ImageSink {
  readonly #sink: ImageSink;
  readonly #clean: (text: string) => string;
  #isText = false;
  readonly #decoder = new StringDecoder();
  /** The end of a text, held back because a key may begin in it. */
  #held = '';

  /** @param clean removes secrets from a text */
  constructor(sink: ImageSink, clean: (text: string) => string = (text) => text) {
    this.#sink = sink;
    this.#clean = clean;
  }

  async write(chunk: Uint8Array): Promise<void> {
    if (!this.#isText) {
      await orSaveFailed(() => this.#sink.write(chunk));
      return;
    }
    this.#held += this.#decoder.write(chunk);
    if (this.#held.length > pieceLength) {
      await this.#writeText(longestKey);
    }
  }

  async toText(): Promise<void> {
    this.#isText = true;
    await orSaveFailed(() => this.#sink.toText());
  }

  async close(): Promise<void> {
    if (this.#isText) {
      this.#held += this.#decoder.end();
      await this.#writeText(0);
    }
    await orSaveFailed(() => this.#sink.close());
  }

  /** Writes the held text without the key, except for at least `end` characters at its end. */
  async #writeText(end: number): Promise<void> {
    const text = this.#clean(this.#held);
    const cut = Math.max(text.length - end, 0);
    const isBetweenSurrogates = (text.charCodeAt(cut) & 0xfc00) === 0xdc00;
    const written = text.slice(0, isBetweenSurrogates ? cut - 1 : cut);
    this.#held = text.slice(written.length);
    await orSaveFailed(() => this.#sink.write(Buffer.from(written)));
  }

  async discard(): Promise<void> {
    try {
      await this.#sink.discard();
    } catch {
      // The owner sweeps leftovers; the error that led here counts.
    }
  }
}

async function orSaveFailed(work: () => void | Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (isLimnerError(error)) {
      throw error;
    }
    throw new LimnerError(
      'save_failed',
      english.t("Couldn't write the image: {0}", error instanceof Error ? error.message : String(error)),
      {
        phase: 'save',
        cause: error,
      },
    );
  }
}

/** Maximum size of one result in bytes (docs/service.md, "Limits": 20 MB). */
export const maxResultSize = 20 * 1024 * 1024;

const maxRedirects = 3;
const redirectStatuses = new Set([301, 302, 303, 307, 308]);
const timeouts: TransportTimeouts = { connect: 30_000, headers: 60_000, idle: 60_000, whole: 30 * 60_000 };

export interface ResultDownloaderOptions {
  transport: Transport;
  keys: { get(origin: string): Promise<string | undefined> };
  /** Hosts whose results are allowed despite their address. */
  resultHosts: () => readonly string[];
  log?: (line: string) => void;
}

/** Fetches results without an Authorization header, and checks each of at most 3 redirects. */
export class ResultDownloader {
  readonly #options: ResultDownloaderOptions;

  constructor(options: ResultDownloaderOptions) {
    this.#options = options;
  }

  /**
   * Fetches one result into a sink, which is closed when the image is complete and discarded otherwise
   * (docs/service.md, "Result images"). Never fetches an address that contains the service's key.
   *
   * @returns the media type that the host states; only a hint, the bytes decide
   * @param service URL of its generations endpoint: results may always come from this host
   * @throws LimnerError `result_expired` (403, 404, 410), `result_refused`, `result_too_large`, `network`, `timeout`,
   *   `rate_limited`, `protocol`, `save_failed`, `stopped`
   */
  async download(
    service: URL,
    url: string,
    target: ImageSink,
    signal?: AbortSignal,
  ): Promise<string | undefined> {
    const policy = new AddressPolicy(service, this.#options.resultHosts());
    const apiKey = await this.#options.keys.get(service.origin);
    const sink = new SafeSink(target);
    try {
      const { headers, body } = await this.#follow(url, policy, redactorFor(apiKey ?? ''), signal);
      const announced = Number([headers['content-length'] ?? []].flat()[0] ?? 0);
      if (announced > maxResultSize) {
        body.destroy();
        throw tooLarge();
      }
      let bytes = 0;
      for await (const chunk of body as AsyncIterable<Buffer>) {
        bytes += chunk.length;
        if (bytes > maxResultSize) {
          throw tooLarge();
        }
        await sink.write(chunk);
        releaseMemory(chunk);
      }
      if (bytes === 0) {
        throw new LimnerError('protocol', english.t('The image is an empty file.'));
      }
      await sink.close();
      return [headers['content-type'] ?? []].flat()[0]?.split(';')[0]?.trim().toLowerCase();
    } catch (error) {
      await sink.discard();
      throw inPhase(error, 'download', 'yes');
    }
  }

  async #follow(
    address: string,
    policy: AddressPolicy,
    redactKey: (text: string) => string,
    signal: AbortSignal | undefined,
  ): Promise<TransportResponse> {
    let url = parseUrl(redactKey(address));
    for (let redirects = 0; redirects <= maxRedirects; redirects += 1) {
      await policy.check(url);
      const response = await this.#options.transport.request({
        method: 'GET',
        url,
        // Images are already compressed, and an encoding would hide the length of the file.
        headers: {
          accept: 'image/png, image/jpeg, image/webp, */*;q=0.1',
          'accept-encoding': 'identity',
          'user-agent': 'Limner',
        },
        timeouts,
        lookup: policy.lookupFor(url),
        log: this.#options.log,
        ...(signal !== undefined && { signal }),
      });
      if (response.statusCode === 200) {
        return response;
      }
      response.body.destroy();
      const location = [response.headers['location'] ?? []].flat()[0];
      if (!redirectStatuses.has(response.statusCode) || location === undefined) {
        throw statusError(response);
      }
      url = parseUrl(redactKey(location), url);
    }
    // Networks with a sign-in page may redirect in circles for a while.
    throw new LimnerError(
      'protocol',
      english.t('The image is behind more than {0} redirects.', maxRedirects),
    );
  }
}

/**
 * Frees the memory of a written chunk, so that the next one reuses it; the garbage collector would leave dozens of MB.
 * A chunk that shares its memory keeps it.
 */
function releaseMemory({ buffer, byteLength }: Buffer): void {
  if (byteLength !== buffer.byteLength || !(buffer instanceof ArrayBuffer)) {
    return;
  }
  try {
    buffer.transfer(0);
  } catch {
    // Some memory can't be freed, such as that of WebAssembly.
  }
}

function parseUrl(address: string, base?: URL): URL {
  if (address.includes(redactedKey)) {
    throw new LimnerError(
      'result_refused',
      english.t("Didn't fetch the image: its URL contains the API key."),
      {
        sent: false,
      },
    );
  }
  const url = base === undefined ? URL.parse(address) : URL.parse(address, base.href);
  if (url === null) {
    const options = base === undefined ? { sent: false } : {};
    throw new LimnerError('protocol', english.t("The image's URL isn't valid."), options);
  }
  return url;
}

function statusError({ statusCode, headers }: TransportResponse): LimnerError {
  const retryAfter = retryAfterOf(headers, Date.now());
  const { code, message } = statusMeaning(statusCode);
  return new LimnerError(code, message, {
    status: statusCode,
    sent: true,
    ...(retryAfter !== undefined && { retryAfter }),
  });
}

function statusMeaning(status: number): { code: ErrorCode; message: string } {
  if (status === 403 || status === 404 || status === 410) {
    return {
      code: 'result_expired',
      message: english.t("The image's host doesn't have it (HTTP {0}).", status),
    };
  }
  if (status === 429) {
    return {
      code: 'rate_limited',
      message: english.t("The image's host reports too many requests (HTTP {0}).", status),
    };
  }
  if (status >= 500) {
    return {
      code: 'network',
      message: english.t("The image's host couldn't deliver it (HTTP {0}).", status),
    };
  }
  return {
    code: 'protocol',
    message: english.t("The image's host sent an unexpected response (HTTP {0}).", status),
  };
}

function tooLarge(): LimnerError {
  return new LimnerError(
    'result_too_large',
    english.t('The image is larger than {0} MB.', maxResultSize / 1024 / 1024),
  );
}
