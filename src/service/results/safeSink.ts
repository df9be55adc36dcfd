import { StringDecoder } from 'node:string_decoder';
import { isLimnerError, LimnerError } from '../../common/limnerError.ts';
import type { ImageSink } from '../messages.ts';

/** More characters than a key has, however it is spelled. */
const longestKey = 8 * 1024;
/** Characters of a text that are gathered before they are written. */
const pieceLength = 64 * 1024;

/**
 * A sink whose every failure to take bytes is a `LimnerError` `save_failed`, and whose failure to discard them hides no
 * other error.
 */
export class SafeSink implements ImageSink {
  readonly #sink: ImageSink;
  readonly #clean: (text: string) => string;
  #isText = false;
  readonly #decoder = new StringDecoder();
  /** The end of a text, which is not written yet: a key may begin in it. */
  #held = '';

  /** @param clean what is kept of a text */
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

  /** Writes what is held of a text, without the key and without at least so many characters of its end. */
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
