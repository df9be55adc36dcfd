import { Readable } from 'node:stream';
import * as english from '../../common/english.ts';
import { isLimnerError, LimnerError } from '../../common/limnerError.ts';
import { bareError, timeoutError } from './transportErrors.ts';

export interface GuardedBodyOptions {
  /** Maximum wait for the next chunk while the reader wants one, in milliseconds. */
  idle: number;
  /** Maximum time for the whole body, in milliseconds. */
  whole: number;
  onClose: (bytes: number) => void;
}

/**
 * The body of a response with time limits, and every error as a `LimnerError`. The wait for a chunk counts only while
 * the reader wants data: a slow disk is not a stalled service. The limit for the whole ends bodies that never end.
 */
export class GuardedBody extends Readable {
  readonly #source: Readable;
  readonly #idle: number;
  readonly #onClose: (bytes: number) => void;
  readonly #timer: NodeJS.Timeout;
  readonly #deadline: NodeJS.Timeout;
  #bytes = 0;
  #waiting = true;
  #ended = false;

  constructor(source: Readable, options: GuardedBodyOptions) {
    super();
    // An error may occur before a reader attaches; the reader gets it anyway.
    this.on('error', () => undefined);
    this.#source = source;
    this.#idle = options.idle;
    this.#onClose = options.onClose;
    this.#timer = setTimeout(this.#onIdle, this.#idle);
    this.#deadline = setTimeout(() => this.#runOut('whole', options.whole), options.whole);
    source.on('data', (chunk: Buffer) => {
      this.#timer.refresh();
      this.#bytes += chunk.length;
      if (!this.push(chunk)) {
        this.#waiting = false;
        source.pause();
      }
    });
    source.on('end', () => {
      this.#ended = true;
      this.push(null);
    });
    source.on('error', (error: Error) => this.destroy(bodyError(error)));
    source.on('close', () => {
      if (!this.#ended) {
        this.destroy(bodyError(undefined));
      }
    });
  }

  override _read(): void {
    if (this.#waiting) {
      return;
    }
    this.#waiting = true;
    this.#timer.refresh();
    this.#source.resume();
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    clearTimeout(this.#timer);
    clearTimeout(this.#deadline);
    this.#source.destroy();
    this.#onClose(this.#bytes);
    callback(error);
  }

  readonly #onIdle = (): void => {
    if (this.#waiting) {
      this.#runOut('body', this.#idle);
    }
  };

  #runOut(step: 'body' | 'whole', milliseconds: number): void {
    if (!this.#ended) {
      this.destroy(timeoutError(step, milliseconds, undefined, true));
    }
  }
}

function bodyError(error: Error | undefined): LimnerError {
  if (isLimnerError(error)) {
    return error;
  }
  return new LimnerError(
    'network',
    english.t('The connection was closed before the response was complete.'),
    {
      sent: true,
      ...(error !== undefined && { cause: bareError(error) }),
    },
  );
}
