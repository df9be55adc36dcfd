import type { Readable } from 'node:stream';
import { BlobJsonReader, type IndexedSink, type StringRule, tooLong } from './blobJson.ts';
import type { DivertedBlob } from './base64Decoder.ts';
import { redactorFor } from '../errors/keyRedactor.ts';
import { asLimnerError, type LimnerError } from '../../common/limnerError.ts';
import type { OpenImageSink } from '../messages.ts';
import { SafeSink } from '../results/safeSink.ts';
import { maxReadLength } from '../errors/singleLine.ts';

/** Most bytes of one inline image, after decoding. */
const maxInlineLength = 64 * 1024 * 1024;
/** Most bytes of a response without its images. */
const maxTextLength = 1024 * 1024;
/** Most values of a response, and images in it. */
const maxValues = 10_000;
export const maxImages = 200;
/** Most bytes of a response with everything in it. */
const maxAnswerLength = 1024 * 1024 * 1024;

/** How long the end of a body may take once its document is closed, in milliseconds. */
const maxEndLength = 1000;

/** A JSON body as far as it came. */
export interface ReadBody {
  /** The value, or as much of it as is whole; `undefined` if that is nothing. */
  value: unknown;
  /** Images that are whole in their sinks. */
  kept: DivertedBlob[];
  /** Why the body could not be read to its end. */
  broken?: LimnerError;
}

/** The sinks of one call's responses, which may be several documents: indexes run through all of them. */
export class InlineImages {
  readonly #open: OpenImageSink;
  readonly #clean: (text: string) => string;
  readonly #longest: number;
  #count = 0;

  /**
   * @param apiKey is taken out of everything that the answer says
   * @param longest most bytes of one body
   */
  constructor(open: OpenImageSink, apiKey: string, longest = maxAnswerLength) {
    this.#open = open;
    this.#clean = redactorFor(apiKey);
    this.#longest = longest;
  }

  reader(): BlobJsonReader {
    return new BlobJsonReader({
      ruleFor,
      isWanted,
      // Some services number their tasks, with up to twenty digits.
      isExact: (key) => key === 'id',
      isAskedFor: (key) => askedFor.has(key),
      // Of a text that is longer than anything that is kept, a part of a key may be left beyond that.
      clean: (text) => this.#clean(text.slice(0, maxReadLength)),
      openSink: () => this.#next(),
      blobLimit: maxInlineLength,
      textLimit: maxTextLength,
      valueLimit: maxValues,
    });
  }

  /** Reads a whole body as one document; never rejects. */
  async read(body: Readable): Promise<ReadBody> {
    const reader = this.reader();
    try {
      for await (const chunk of this.chunksOf(body, () => reader.isWhole)) {
        await reader.write(chunk);
      }
      return { value: reader.end(), kept: reader.kept };
    } catch (error) {
      return { value: await reader.salvage(), kept: reader.kept, broken: readingError(error) };
    }
  }

  /**
   * Reads a body piece by piece, up to a limit. Once the document is complete, neither a missing end nor a broken one
   * counts.
   */
  async *chunksOf(body: Readable, isWhole: () => boolean): AsyncGenerator<Buffer> {
    const chunks = (body as AsyncIterable<Buffer>)[Symbol.asyncIterator]();
    let length = 0;
    let patience: Promise<undefined> | undefined;
    let timer: NodeJS.Timeout | undefined;
    try {
      for (;;) {
        if (isWhole()) {
          patience ??= new Promise((resolve) => (timer = setTimeout(resolve, maxEndLength, undefined)));
        }
        const next = await (patience ? endOf(chunks, patience) : chunks.next());
        if (next === undefined || next.done === true) {
          return;
        }
        length += next.value.length;
        if (length > this.#longest) {
          throw tooLong();
        }
        yield next.value;
      }
    } finally {
      clearTimeout(timer);
      body.destroy();
    }
  }

  #next(): IndexedSink {
    if (this.#count >= maxImages) {
      throw tooLong();
    }
    const index = this.#count;
    this.#count += 1;
    return { index, sink: new SafeSink(this.#open(index), this.#clean) };
  }
}

/** Waits for the end of a complete body; `undefined` when that takes too long or breaks off. */
async function endOf(
  chunks: AsyncIterator<Buffer>,
  patience: Promise<undefined>,
): Promise<IteratorResult<Buffer> | undefined> {
  try {
    return await Promise.race([chunks.next(), patience]);
  } catch {
    return undefined;
  }
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

/** Keys of a response at which a list is read, or an object with lists. */
const askedFor = new Set(['data', 'error', 'errors', 'message', 'Message', 'msg', 'detail', 'candidates']);

/** Tells where images are inline: `b64_json`, `inlineData.data`, and data URLs at `url`. */
function ruleFor(key: string, parent: string | undefined): StringRule {
  switch (key) {
    case 'b64_json':
      return 'base64';
    case 'data':
      return parent === 'inlineData' || parent === 'inline_data' ? 'base64' : 'keep';
    case 'url':
      return 'dataUrl';
    case 'thoughtSignature':
    case 'thought_signature':
      // Megabytes beside an image that mean nothing to anyone but the model.
      return 'drop';
    default:
      return 'keep';
  }
}

/** Whether inline data is wanted: not if it says that it isn't an image. The bytes decide about the rest. */
function isWanted(holder: unknown): boolean {
  if (typeof holder !== 'object' || holder === null) {
    return true;
  }
  const mediaType: unknown =
    'mimeType' in holder ? holder.mimeType : 'mime_type' in holder ? holder.mime_type : undefined;
  return typeof mediaType !== 'string' || /^image\//iu.test(mediaType);
}
