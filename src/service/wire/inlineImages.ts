import * as english from '../../common/english.ts';
import { fieldsOf } from './namedPictures.ts';
import type { Readable } from 'node:stream';
import { BlobJsonReader, type IndexedSink, type StringRule } from './blobJson.ts';
import { DivertedBlob } from './base64Decoder.ts';
import { redactorFor, maxReadLength } from '../http/keyRedactor.ts';
import { LimnerError } from '../../common/limnerError.ts';
import type { ImageSink, OpenImageSink } from '../terms/messages.ts';
import { RawBody, type Documents, type PlainImage, ResponseReading } from './responseReading.ts';
import {
  maxAnswerLength,
  maxImages,
  maxInlineLength,
  maxTextLength,
  maxValues,
  readingError,
  tooLong,
} from './responseLimits.ts';
import { SafeSink } from '../http/download.ts';

/** Maximum time for the end of a body after its document is complete, in milliseconds. */
const maxEndLength = 1000;

export interface ReadBody extends Documents {
  /** The bytes of the body, unless they contain an image. */
  raw: RawBody;
}

/** The sinks for all responses of one call; indexes continue across responses. */
export class InlineImages {
  readonly #open: OpenImageSink;
  readonly #clean: (text: string) => string;
  readonly #longest: number;
  #count = 0;

  /**
   * @param apiKey is removed from every text of the answer
   * @param longest maximum number of bytes of one body
   */
  constructor(open: OpenImageSink, apiKey: string, longest = maxAnswerLength) {
    this.#open = open;
    this.#clean = redactorFor(apiKey);
    this.#longest = longest;
  }

  /** Reads a whole body; never rejects. @param mediaType from the response */
  async read(body: Readable, mediaType = ''): Promise<ReadBody> {
    const raw = new RawBody();
    const openSink = (): IndexedSink => {
      raw.release();
      return this.openSink();
    };
    const readers = {
      json: () => this.#reader(openSink),
      image: () => new WholeImage(openSink()),
      maxSpares: 4,
    };
    const reading = new ResponseReading(readers, /^image\//iu.test(mediaType));
    let damage: LimnerError | undefined;
    let mayHoldImage: boolean | undefined;
    try {
      for await (const chunk of this.#chunksOf(body, () => reading.isWhole)) {
        const isKept = raw.take(chunk);
        if (damage === undefined) {
          damage = await reading.write(chunk).then(
            () => undefined,
            (error: unknown) => readingError(error),
          );
        }
        // A damaged response may still contain paid images.
        if (damage !== undefined) {
          mayHoldImage ??= damage.code === 'protocol' && raw.mayHoldImage;
          if (!isKept || !mayHoldImage) {
            break;
          }
        }
      }
      if (damage === undefined) {
        await reading.end();
      }
    } catch (error) {
      damage ??= readingError(error);
    }
    if (damage !== undefined) {
      await reading.breakOff(damage);
    }
    return { ...reading.documents, raw };
  }

  /** Reads bytes again for images under any name, into sinks that stay open. */
  async reread(bytes: Buffer): Promise<Documents> {
    const json = (): BlobJsonReader =>
      new BlobJsonReader({
        ruleFor: (key) => (/thought_?signature/iu.test(key) ? 'drop' : 'picture'),
        ruleForElement: 'picture',
        openSink: () => this.openSink(),
        isWanted: () => false,
        clean: (text) => this.clean(text),
        blobLimit: maxInlineLength,
        textLimit: maxTextLength,
        valueLimit: maxValues,
      });
    const reading = new ResponseReading({ json, image: noImage, maxSpares: 24 }, false);
    try {
      await reading.write(bytes);
      await reading.end();
    } catch (error) {
      await reading.breakOff(readingError(error));
    }
    return reading.documents;
  }

  /** Opens the sink of the next image. @throws LimnerError `protocol` if there are too many */
  openSink(): IndexedSink {
    if (this.#count >= maxImages) {
      throw tooLong();
    }
    const index = this.#count;
    this.#count += 1;
    return { index, sink: new SafeSink(this.#open(index), this.#clean) };
  }

  clean(text: string): string {
    // This may leave a part of a key at the end, but beyond the length that is kept.
    return this.#clean(text.slice(0, maxReadLength));
  }

  withoutKey(raw: RawBody): Buffer {
    return raw.withoutKey(this.#clean);
  }

  #reader(openSink: () => IndexedSink): BlobJsonReader {
    return new BlobJsonReader({
      ruleFor,
      isWanted,
      isDraft,
      isPart: (key) => key === 'inlineData' || key === 'inline_data',
      // Some services use numbers with up to twenty digits as task ids.
      isExact: (key) => idNames.has(key),
      isAskedFor: (key) => askedFor.has(key),
      clean: (text) => this.clean(text),
      openSink,
      blobLimit: maxInlineLength,
      textLimit: maxTextLength,
      valueLimit: maxValues,
    });
  }

  /** Reads a body piece by piece, up to a limit. Once the document is complete, a missing or broken end is ignored. */
  async *#chunksOf(body: Readable, isWhole: () => boolean): AsyncGenerator<Buffer> {
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
}

/** Refuses images: a body that is itself an image was recognized on the first read. */
function noImage(): never {
  throw tooLong();
}

/** Waits for the end of a complete body; `undefined` if that takes too long or fails. */
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

/** Keys of a response whose lists, or objects with lists, are read. */
const askedFor = new Set(
  'data error errors message Message msg detail candidates promptFeedback output result task base_resp'.split(
    ' ',
  ),
);
/** Names for the id of a task, the documented one first. */
export const idNames: ReadonlySet<string> = new Set(['id', 'task_id', 'taskId']);

/** Returns the rule for inline images: `b64_json`, `inlineData.data`, and data URLs at `url`. */
function ruleFor(key: string, parent: string | undefined): StringRule {
  switch (key) {
    case 'b64_json':
      return 'base64';
    case 'data':
      return parent === 'inlineData' || parent === 'inline_data' ? 'base64' : 'keep';
    case 'url':
      // Elsewhere it may belong to the request.
      return parent === 'data' || parent === undefined ? 'dataUrl' : 'keep';
    case 'thoughtSignature':
    case 'thought_signature':
      // A signature of megabytes that only the model understands.
      return 'drop';
    default:
      return 'keep';
  }
}

/**
 * Whether inline data is an image of the answer. It isn't if its type says otherwise, or if it precedes the image: a
 * thought of the model, or a partial image. Otherwise the bytes decide.
 */
function isWanted(holder: unknown): boolean {
  if (typeof holder !== 'object' || holder === null) {
    return true;
  }
  const part: Record<string, unknown> = { ...holder };
  const inline = part['inlineData'] ?? part['inline_data'] ?? part;
  const { mimeType, mime_type = mimeType }: Record<string, unknown> =
    typeof inline === 'object' && inline !== null ? { ...inline } : {};
  return !isDraft(holder) && (typeof mime_type !== 'string' || /^image\//iu.test(mime_type));
}

function isDraft(holder: unknown): boolean {
  const { thought, type } = fieldsOf(holder);
  return thought === true || (typeof type === 'string' && isPartialImage(type));
}

/** Whether an event of this type contains an unfinished image. */
export function isPartialImage(type: string): boolean {
  return /partial_image/iu.test(type);
}

class WholeImage implements PlainImage {
  readonly #index: number;
  readonly #sink: ImageSink;
  #length = 0;

  constructor({ index, sink }: IndexedSink) {
    this.#index = index;
    this.#sink = sink;
  }

  async write(bytes: Buffer): Promise<void> {
    this.#length += bytes.length;
    if (this.#length > maxInlineLength) {
      throw new LimnerError(
        'result_too_large',
        english.t('The image in the response is larger than 64 MB.'),
        {
          billing: 'yes',
          sent: true,
        },
      );
    }
    await this.#sink.write(bytes);
  }

  async end(): Promise<DivertedBlob> {
    await this.#sink.close();
    return new DivertedBlob(this.#index, undefined);
  }

  async discard(): Promise<void> {
    await this.#sink.discard();
  }
}
