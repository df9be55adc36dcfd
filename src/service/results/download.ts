// Room: images fetched from URLs, and which addresses are refused.
// Never: tasks, files on disk.

import { AddressPolicy } from './addressPolicy.ts';
import { redactorFor, redactedKey } from '../errors/keyRedactor.ts';
import { LimnerError, type ErrorCode } from '../../common/limnerError.ts';
import type { ImageSink } from '../messages.ts';
import { inPhase } from '../errors/phases.ts';
import { SafeSink } from './safeSink.ts';
import { retryAfterOf } from '../errors/httpStatusErrors.ts';
import type { Transport, TransportResponse, TransportTimeouts } from '../http/transport.ts';

/** Most bytes of one result (docs/service.md, "Limits": 20 MB). */
export const maxResultSize = 20 * 1024 * 1024;

const maxRedirects = 3;
const redirectStatuses = new Set([301, 302, 303, 307, 308]);
const timeouts: TransportTimeouts = { connect: 30_000, headers: 60_000, idle: 60_000, whole: 30 * 60_000 };

export interface ResultDownloaderOptions {
  transport: Transport;
  keys: { get(origin: string): Promise<string | undefined> };
  /** Hosts that results may come from although their address is one that is refused otherwise. */
  resultHosts: () => readonly string[];
  log?: (line: string) => void;
}

/** Fetches results: without Authorization, and with every hop of at most 3 redirects checked. */
export class ResultDownloader {
  readonly #options: ResultDownloaderOptions;

  constructor(options: ResultDownloaderOptions) {
    this.#options = options;
  }

  /**
   * Fetches one result into a sink, which is closed when the image is whole and discarded otherwise (docs/service.md,
   * "Result images"). An address that holds the key of the service, where there is one, is not fetched.
   *
   * @returns the media type that the host names; only a hint, the bytes decide
   * @param service where its generations are asked for: results may come from there, wherever it is
   * @throws LimnerError `result_expired` (403, 404, 410), `result_refused`, `result_too_large`, `network`,
   * `timeout`, `rate_limited`, `protocol`, `save_failed`, `stopped`
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
        throw new LimnerError('protocol', 'The image is an empty file.');
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
        // Images are compressed already, and an encoding would hide how long the file is.
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
    // Networks that want a sign-in send everybody round in circles for a while.
    throw new LimnerError('protocol', `The image is behind more than ${maxRedirects} redirects.`);
  }
}

/**
 * Gives back the memory of a chunk that is written, so that the next one is read into the same; the garbage collector
 * would leave dozens of MB of them. A chunk that shares its memory keeps it.
 */
function releaseMemory({ buffer, byteLength }: Buffer): void {
  if (byteLength !== buffer.byteLength || !(buffer instanceof ArrayBuffer)) {
    return;
  }
  try {
    buffer.transfer(0);
  } catch {
    // Some memory can't be given back, like that of WebAssembly.
  }
}

function parseUrl(address: string, base?: URL): URL {
  if (address.includes(redactedKey)) {
    throw new LimnerError('result_refused', "Didn't fetch the image: its URL contains the API key.", {
      sent: false,
    });
  }
  const url = base === undefined ? URL.parse(address) : URL.parse(address, base.href);
  if (url === null) {
    const options = base === undefined ? { sent: false } : {};
    throw new LimnerError('protocol', "The image's URL isn't valid.", options);
  }
  return url;
}

function statusError({ statusCode, headers }: TransportResponse): LimnerError {
  const retryAfter = retryAfterOf(headers, Date.now());
  const { code, message } = statusMeaning(statusCode);
  return new LimnerError(code, `${message} (HTTP ${statusCode}).`, {
    status: statusCode,
    sent: true,
    ...(retryAfter !== undefined && { retryAfter }),
  });
}

function statusMeaning(status: number): { code: ErrorCode; message: string } {
  if (status === 403 || status === 404 || status === 410) {
    return { code: 'result_expired', message: "The image's host doesn't have it" };
  }
  if (status === 429) {
    return { code: 'rate_limited', message: "The image's host reports too many requests" };
  }
  if (status >= 500) {
    return { code: 'network', message: "The image's host couldn't deliver it" };
  }
  return { code: 'protocol', message: "The image's host sent an unexpected response" };
}

function tooLarge(): LimnerError {
  return new LimnerError('result_too_large', `The image is larger than ${maxResultSize / 1024 / 1024} MB.`);
}
