import * as english from '../../common/english.ts';
import type { BlobJsonReader, SpareBlob } from './blobJson.ts';
import type { DivertedBlob } from './base64Decoder.ts';
import { EventStreamReader } from './eventStream.ts';
import { maxTextLength, readingError, TextAllowance, tooLong } from './responseLimits.ts';
import { LimnerError } from '../../common/limnerError.ts';
import { sniffImage, sniffLength } from '../../images/formats/sniff.ts';

export interface Documents {
  /** One for an ordinary response, several for an event stream; elements of a root array count separately. */
  values: unknown[];
  /** Complete images in their sinks. */
  kept: DivertedBlob[];
  /** Drafts and inline data not labeled as an image, in open sinks. */
  spares: SpareBlob[];
  broken?: LimnerError;
}

/** Takes the bytes of a body that is itself an image. */
export interface PlainImage {
  write(bytes: Buffer): Promise<void>;
  end(): Promise<DivertedBlob>;
  discard(): Promise<void>;
}

export interface Readers {
  json(): BlobJsonReader;
  image(): PlainImage;
  /** Maximum number of spare blobs; each has an open file. */
  maxSpares: number;
}

type Framing = 'unknown' | 'json' | 'events' | 'image';

/** White space and the bytes of a byte order mark. */
const blankBytes = new Set([0x20, 0x0a, 0x0d, 0x09, 0xef, 0xbb, 0xbf]);
const openBrace = 0x7b;
const openBracket = 0x5b;
const doneMark = '[DONE]';

/**
 * Reads one body by its first bytes, whatever its media type: JSON, server-sent events (docs/service.md, "Native
 * stream"), or an image.
 */
export class ResponseReading {
  readonly documents: Documents = { values: [], kept: [], spares: [] };

  readonly #readers: Readers;
  readonly #isCalledImage: boolean;
  readonly #events: EventStreamReader;
  readonly #allowance = new TextAllowance();
  #framing: Framing = 'unknown';
  #start = Buffer.alloc(0);
  /** Number of bytes before the start. Some services send them to keep the connection alive. */
  #blanks = 0;
  #reader: BlobJsonReader;
  #image: PlainImage | undefined;
  /** Whether the rest of the current document is skipped. */
  #isDamaged = false;

  /** @param isCalledImage whether the response declares its body as an image */
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

  /** Whether nothing can follow. More events or image bytes can always follow. */
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
      const message = english.t('The response is neither JSON nor an event stream.');
      this.documents.broken ??= new LimnerError('protocol', message, { sent: true });
    }
  }

  /** Keeps the complete part of an incomplete document. */
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

  /** Takes data of an event; a damaged event does not lose the others. */
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
    // Other bodies have only one document, with its own limit.
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
      // The last draft is the best.
      const before = spare.isDraft ? spares.findIndex(({ isDraft }) => isDraft) : -1;
      const dropped = before === -1 ? spares.splice(this.#readers.maxSpares - 1) : spares.splice(before, 1);
      spares.push(spare);
      await Promise.all(dropped.map(async ({ sink }) => sink.discard()));
    }
  }
}

/** Maximum number of bytes to remember of one body. */
const longest = 96 * 1024 * 1024;
/** Beginnings of images in base64. */
const beginnings = ['data:image/', 'iVBORw0KGgo', '/9j/', String.raw`\/9j\/`, 'UklGR'];

/**
 * The bytes of a response as they arrived, until an image is found. Without one, they are all that was paid for, and
 * may contain the image in an unknown form.
 */
export class RawBody {
  #pieces: Buffer[] = [];
  #length = 0;
  #isNeeded = true;

  /** @returns whether the piece is remembered */
  take(piece: Buffer): boolean {
    const isRemembered = this.#isNeeded && this.#length + piece.length <= longest;
    if (isRemembered) {
      this.#pieces.push(piece);
      this.#length += piece.length;
    }
    return isRemembered;
  }

  /** Forgets the bytes, since an image was found. */
  release(): void {
    this.#isNeeded = false;
    this.#pieces = [];
    this.#length = 0;
  }

  /** In bytes. */
  get length(): number {
    return this.#length;
  }

  /** Whether something in the body begins like an image. */
  get mayHoldImage(): boolean {
    const { bytes } = this;
    return beginnings.some((beginning) => bytes.includes(beginning));
  }

  get bytes(): Buffer {
    const all = Buffer.concat(this.#pieces);
    this.#pieces = [all];
    return all;
  }

  /** Returns the bytes without any occurrence of the key. @param clean removes the key from a text */
  withoutKey(clean: (text: string) => string): Buffer {
    // Latin-1 maps bytes to characters one to one; the mark in place of the key is not Latin-1.
    const text = clean(this.bytes.toString('latin1'));
    return Buffer.from(text.replaceAll(/[^\0-\u00ff]/gu, '*'), 'latin1');
  }
}
