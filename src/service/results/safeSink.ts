import { isLimnerError, LimnerError } from '../../common/limnerError.ts';
import type { ImageSink } from '../messages.ts';

/**
 * A sink whose every failure to take bytes is a `LimnerError` `save_failed`, and whose failure to discard them
 * hides no other error.
 */
export class SafeSink implements ImageSink {
  readonly #sink: ImageSink;
  readonly #clean: (text: string) => string;
  #isText = false;

  /** @param clean what is kept of a text */
  constructor(sink: ImageSink, clean: (text: string) => string = (text) => text) {
    this.#sink = sink;
    this.#clean = clean;
  }

  async write(chunk: Uint8Array): Promise<void> {
    const kept = this.#isText ? Buffer.from(this.#clean(Buffer.from(chunk).toString())) : chunk;
    try {
      await this.#sink.write(kept);
    } catch (error) {
      throw saveFailed(error);
    }
  }

  async toText(): Promise<void> {
    this.#isText = true;
    try {
      await this.#sink.toText();
    } catch (error) {
      throw saveFailed(error);
    }
  }

  async close(): Promise<void> {
    try {
      await this.#sink.close();
    } catch (error) {
      throw saveFailed(error);
    }
  }

  async discard(): Promise<void> {
    try {
      await this.#sink.discard();
    } catch {
      // What is left over is swept by whoever owns it; the error that led here counts.
    }
  }
}

function saveFailed(error: unknown): LimnerError {
  if (isLimnerError(error)) return error;
  const reason = error instanceof Error ? `: ${error.message}` : '.';
  return new LimnerError('save_failed', `Couldn't write the image${reason}`, {
    phase: 'save',
    cause: error,
  });
}
