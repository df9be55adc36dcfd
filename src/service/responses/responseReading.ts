import type { BlobJsonReader, SpareBlob } from './blobJson.ts';
import type { DivertedBlob } from './base64Decoder.ts';
import { EventStreamReader } from './eventStream.ts';
import { maxTextLength, readingError, TextAllowance, tooLong } from './responseLimits.ts';
import { LimnerError } from '../../common/limnerError.ts';
import { sniffImage, sniffLength } from '../../images/formats/sniff.ts';

/** The JSON documents of one body, as far as they came. */
export interface Documents {
  /** One of an ordinary response, many of an event stream; those of an array at the root each by itself. */
  values: unknown[];
  /** Images that are whole in their sinks. */
  kept: DivertedBlob[];
  /** Drafts and inline data that isn't called an image, in open sinks. */
  spares: SpareBlob[];
  /** Why the body could not be read to its end. */
  broken?: LimnerError;
}

/** Takes the bytes of a body that is an image itself. */
export interface PlainImage {
  write(bytes: Buffer): Promise<void>;
  /** @returns the image, once it is whole */
  end(): Promise<DivertedBlob>;
  discard(): Promise<void>;
}

/** How the parts of a body are read. */
export interface Readers {
  json(): BlobJsonReader;
  image(): PlainImage;
  /** Most spare blobs that are held; each has an open file. */
  maxSpares: number;
}

type Framing = 'unknown' | 'json' | 'events' | 'image';

/** White space and the bytes of a byte order mark. */
const blankBytes = new Set([0x20, 0x0a, 0x0d, 0x09, 0xef, 0xbb, 0xbf]);
const openBrace = 0x7b;
const openBracket = 0x5b;
const doneMark = '[DONE]';

/**
 * Reads one body by its first bytes, whatever its media type says: JSON, server-sent events (docs/service.md, "Native
 * stream"), or the image itself.
 */
export class ResponseReading {
  readonly documents: Documents = { values: [], kept: [], spares: [] };

  readonly #readers: Readers;
  readonly #isCalledImage: boolean;
  readonly #events: EventStreamReader;
  readonly #allowance = new TextAllowance();
  #framing: Framing = 'unknown';
  #start = Buffer.alloc(0);
  /** Bytes before the start, by which some services keep the connection alive. */
  #blanks = 0;
  #reader: BlobJsonReader;
  #image: PlainImage | undefined;
  /** The rest of the current document is passed over. */
  #isDamaged = false;

  /** @param isCalledImage whether the response says that its body is an image */
  constructor(readers: Readers, isCalledImage: boolean) {
    this.#readers = readers;
    this.#isCalledImage = isCalledImage;
    this.#reader = readers.json();
    this.#events = new EventStreamReader({
      data: (bytes) => this.#takeEventData(bytes),
      endEvent: () => this.#endDocument(),
    });
  }

  async write(chunk: Buffer): Promise<void> {
    if (this.#framing !== 'unknown') {
      await this.#take(chunk);
      return;
    }
    const start = this.#start.length === 0 ? chunk.findIndex((byte) => !blankBytes.has(byte)) : 0;
    if (start === -1) {
      this.#blanks += chunk.length;
      if (this.#blanks > maxTextLength) {
        throw tooLong();
      }
      return;
    }
    this.#start = Buffer.concat([this.#start, chunk.subarray(start)]);
    const [first] = this.#start;
    if (this.#start.length >= sniffLength || first === openBrace || first === openBracket) {
      await this.#begin();
    }
  }

  /** Whether nothing can follow; of events and images, more may always come. */
  get isWhole(): boolean {
    return this.#framing === 'json' && this.#reader.isWhole;
  }

  async end(): Promise<void> {
    if (this.#framing === 'unknown' && this.#start.length > 0) {
      await this.#begin();
    }
    if (this.#framing === 'json') {
      await this.#endDocument();
    } else if (this.#framing === 'events') {
      await this.#events.end();
    } else if (this.#image) {
      this.documents.kept.push(await this.#image.end());
      return;
    }
    if (this.documents.values.length === 0) {
      const message = 'The response is neither JSON nor an event stream.';
      this.documents.broken ??= new LimnerError('protocol', message, { sent: true });
    }
  }

  /** Keeps the complete part of a document that broke off. */
  async breakOff(error: LimnerError): Promise<void> {
    this.documents.broken ??= error;
    await this.#image?.discard();
    const value = await this.#reader.salvage();
    if (value !== undefined) {
      this.#add(value);
    }
    await this.#takeBlobs();
  }

  async #begin(): Promise<void> {
    const [first] = this.#start;
    const isJson = first === openBrace || first === openBracket;
    const isImage = !isJson && (this.#isCalledImage || sniffImage(this.#start) !== undefined);
    this.#framing = isJson ? 'json' : isImage ? 'image' : 'events';
    if (isImage) {
      this.#image = this.#readers.image();
    }
    await this.#take(this.#start);
  }

  async #take(chunk: Buffer): Promise<void> {
    switch (this.#framing) {
      case 'json':
        await this.#reader.write(chunk);
        break;
      case 'image':
        await this.#image?.write(chunk);
        break;
      default:
        await this.#events.write(chunk);
    }
  }

  /** Takes data of an event; one damaged event does not lose the others. */
  async #takeEventData(bytes: Buffer): Promise<void> {
    if (this.#isDamaged) {
      return;
    }
    try {
      await this.#reader.write(bytes);
    } catch (error) {
      const damage = readingError(error);
      if (damage.code !== 'protocol') {
        throw error;
      }
      await this.breakOff(damage);
      this.#isDamaged = true;
    }
  }

  async #endDocument(): Promise<void> {
    const text = this.#isDamaged ? '' : this.#reader.text.trim();
    // The one document of other bodies has a limit of its own.
    if (this.#framing === 'events') {
      this.#allowance.take(text);
    }
    if (text !== '' && text !== doneMark) {
      try {
        this.#add(this.#reader.end());
        await this.#takeBlobs();
      } catch (error) {
        await this.breakOff(readingError(error));
      }
    }
    this.#reader = this.#readers.json();
    this.#isDamaged = false;
  }

  #add(value: unknown): void {
    for (const each of Array.isArray(value) ? (value as unknown[]) : [value]) {
      this.documents.values.push(each);
    }
  }

  async #takeBlobs(): Promise<void> {
    const { kept, spares } = this.documents;
    kept.push(...this.#reader.kept.splice(0));
    for (const spare of this.#reader.spares.splice(0)) {
      // Of drafts, the last one is the best.
      const before = spare.isDraft ? spares.findIndex(({ isDraft }) => isDraft) : -1;
      const dropped = before === -1 ? spares.splice(this.#readers.maxSpares - 1) : spares.splice(before, 1);
      spares.push(spare);
      await Promise.all(dropped.map(async ({ sink }) => sink.discard()));
    }
  }
}
