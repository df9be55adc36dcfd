import * as english from '../../common/english.ts';
import { asLimnerError, LimnerError } from '../../common/limnerError.ts';

/** Maximum number of bytes of one inline image, after decoding. */
export const maxInlineLength = 64 * 1024 * 1024;
/** Maximum number of bytes of a response without its images. */
export const maxTextLength = 1024 * 1024;
/** Maximum number of values in a response, and of images. */
export const maxValues = 10_000;
export const maxImages = 200;
/** Maximum number of bytes of a response with its images. */
export const maxAnswerLength = 1024 * 1024 * 1024;

export function tooLong(): LimnerError {
  return new LimnerError('protocol', english.t('The response is too long.'), { sent: true });
}

export class TextAllowance {
  #used = 0;

  /** @throws LimnerError `protocol` once the documents together exceed the limit for one */
  take(text: string): void {
    // Even an empty document takes space and time.
    this.#used += text.length + 200;
    if (this.#used > maxTextLength) {
      throw tooLong();
    }
  }
}

export function readingError(error: unknown): LimnerError {
  return asLimnerError(error, english.t("The response couldn't be read."), { sent: true });
}

/** Maximum time in milliseconds for which a piece of a response blocks the event loop. */
const maxBlockingTime = 5;

export class EventLoopYielder {
  #since = performance.now();

  /** Whether it is time to yield. Check first: awaiting nothing adds up. */
  get isDue(): boolean {
    return performance.now() - this.#since >= maxBlockingTime;
  }

  async yield(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    this.#since = performance.now();
  }
}
