import { isLimnerError, LimnerError } from '../../common/limnerError.ts';
import type { ImageSink } from '../messages.ts';

/**
 * A sink whose every failure to take bytes is a `LimnerError` `save_failed`, and whose failure to discard them hides no
 * other error.
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
    await orSaveFailed(() => this.#sink.write(kept));
  }

  async toText(): Promise<void> {
    this.#isText = true;
    await orSaveFailed(() => this.#sink.toText());
  }

  async close(): Promise<void> {
    await orSaveFailed(() => this.#sink.close());
  }

  async discard(): Promise<void> {
    try {
      await this.#sink.discard();
    } catch {
      // What is left over is swept by whoever owns it; the error that led here counts.
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
    const reason = error instanceof Error ? `: ${error.message}` : '.';
    throw new LimnerError('save_failed', `Couldn't write the image${reason}`, {
      phase: 'save',
      cause: error,
    });
  }
}
