import { asLimnerError, LimnerError } from '../../common/limnerError.ts';

/** Most bytes of one inline image, after decoding. */
export const maxInlineLength = 64 * 1024 * 1024;
/** Most bytes of a response without its images. */
export const maxTextLength = 1024 * 1024;
/** Most values of a response, and images in it. */
export const maxValues = 10_000;
export const maxImages = 200;
/** Most bytes of a response with everything in it. */
export const maxAnswerLength = 1024 * 1024 * 1024;

export function tooLong(): LimnerError {
  return new LimnerError('protocol', 'The response is too long.', { sent: true });
}

/** Limits the text of several documents together. */
export class TextAllowance {
  #used = 0;

  /** @throws LimnerError `protocol` once the documents are longer together than one may be */
  take(text: string): void {
    // Also an empty document takes room and time.
    this.#used += text.length + 200;
    if (this.#used > maxTextLength) {
      throw tooLong();
    }
  }
}

/** Returns what went wrong while an answer was read. */
export function readingError(error: unknown): LimnerError {
  return asLimnerError(error, "The response couldn't be read.", { sent: true });
}
