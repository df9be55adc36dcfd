import type { Readable } from 'node:stream';
import * as english from '../../common/english.ts';
import { decodedBody } from './contentEncoding.ts';
import { GuardedBody } from './guardedBody.ts';
import { LimnerError } from '../../common/limnerError.ts';
import { isThisMachine } from './hosts.ts';
import { refusedByProxy, timeoutError, transportError } from './transportErrors.ts';
import type { TransportRequest, TransportResponse, TransportTimeouts } from './transport.ts';

type Step = 'connect' | 'send' | 'headers' | 'body';

/**
 * The course of one request, the same for every transport: its time limits, its cancellation, and its error. A
 * transport reports the events of its HTTP client; `response` settles once.
 */
export class Exchange {
  readonly #request: TransportRequest;
  readonly #log: (outcome: string) => void;
  readonly #abandon: () => void;
  readonly #response = Promise.withResolvers<TransportResponse>();
  #step: Step = 'connect';
  #timer: NodeJS.Timeout | undefined;
  #body: GuardedBody | undefined;
  #isRequestSent: boolean;
  #settled = false;

  /** @throws LimnerError `stopped` if the request was cancelled before it began */
  static throwIfStopped(request: TransportRequest): void {
    if (request.signal?.aborted === true) {
      const stopped = new LimnerError('stopped', english.t('The request was stopped.'), { sent: false });
      logOf(request, Date.now())(outcomeOf(stopped));
      throw stopped;
    }
  }

  /** @param abandon closes the connection; called at most once, if the exchange fails before the response */
  constructor(request: TransportRequest, abandon: () => void) {
    this.#request = request;
    this.#log = logOf(request, Date.now());
    this.#abandon = abandon;
    this.#isRequestSent = request.body === undefined;
    request.signal?.addEventListener('abort', this.#onAbort);
    this.#limit('connect', request.timeouts.connect);
  }

  /** Rejects with a `LimnerError` whose `sent` is `false` only if no byte of the request can have been sent. */
  get response(): Promise<TransportResponse> {
    return this.#response.promise;
  }

  /** Records that the connection is established: from here on, bytes may have been sent. */
  connected(): void {
    if (this.#step !== 'connect') {
      return;
    }
    if (this.#isRequestSent) {
      this.#limit('headers', this.#request.timeouts.headers);
    } else {
      this.#limit('send', this.#request.timeouts.idle);
    }
  }

  progressed(): void {
    if (this.#step === 'send') {
      this.#timer?.refresh();
    }
  }

  requestSent(): void {
    this.#isRequestSent = true;
    if (this.#step === 'send') {
      this.#limit('headers', this.#request.timeouts.headers);
    }
  }

  /** Takes the response's headers, and guards and decodes its body from here on. */
  answered(statusCode: number, headers: TransportResponse['headers'], raw: Readable): void {
    if (this.#settled) {
      raw.on('error', () => undefined).destroy();
      return;
    }
    const { url } = this.#request;
    if (statusCode === 407 && url.protocol === 'http:' && !isThisMachine(url)) {
      // Without encryption, a proxy answers in the service's place.
      raw.on('error', () => undefined).destroy();
      this.fail(refusedByProxy(statusCode, url));
      return;
    }
    this.#settled = true;
    clearTimeout(this.#timer);
    this.#step = 'body';
    this.#body = new GuardedBody(decodedBody(raw, headers['content-encoding']), {
      ...limitsFor(statusCode, this.#request.timeouts),
      onClose: (bytes) => {
        this.#request.signal?.removeEventListener('abort', this.#onAbort);
        this.#log(`${statusCode}, ${bytes} bytes`);
      },
    });
    this.#response.resolve({ statusCode, headers, body: this.#body });
  }

  /** Ends the exchange with an error, unless the response has started. Then its body reports the error. */
  fail(error: unknown): void {
    if (this.#settled) {
      return;
    }
    this.#settled = true;
    clearTimeout(this.#timer);
    this.#request.signal?.removeEventListener('abort', this.#onAbort);
    const reason = transportError(error, this.#request.url, this.#sent);
    this.#response.reject(reason);
    this.#abandon();
    this.#log(outcomeOf(reason));
  }

  get #sent(): boolean {
    return this.#step !== 'connect';
  }

  readonly #onAbort = (): void => {
    const stopped = new LimnerError('stopped', english.t('The request was stopped.'), { sent: this.#sent });
    if (this.#body === undefined) {
      this.fail(stopped);
    } else {
      this.#body.destroy(stopped);
    }
  };

  #limit(step: 'connect' | 'send' | 'headers', milliseconds: number): void {
    // An abandoned connection may still be established; nobody waits for it.
    if (this.#settled) {
      return;
    }
    this.#step = step;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.fail(timeoutError(step, milliseconds, this.#request.url, this.#sent));
    }, milliseconds);
  }
}

function logOf({ method, url, log }: TransportRequest, start: number): (outcome: string) => void {
  return (outcome) => {
    try {
      log?.(`${method} ${url.host}${url.pathname} ${outcome}, ${Date.now() - start} ms`);
    } catch {
      // A closing window accepts no more log lines; the outcome of the request matters more.
    }
  };
}

function outcomeOf({ code, message }: LimnerError): string {
  return `${code} (${message})`;
}

function limitsFor(
  statusCode: number,
  { idle, whole, statusWhole = whole }: TransportTimeouts,
): { idle: number; whole: number } {
  const bringsResult = statusCode < 300 && statusCode !== 202;
  return { idle, whole: bringsResult ? whole : statusWhole };
}
