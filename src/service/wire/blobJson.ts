import { randomUUID } from 'node:crypto';
import * as english from '../../common/english.ts';
import { Base64Decoder, DivertedBlob } from './base64Decoder.ts';
import { LimnerError } from '../../common/limnerError.ts';
import type { ImageSink } from '../terms/messages.ts';
import { EventLoopYielder, tooLong } from './responseLimits.ts';

/**
 * The rule for a string: divert its base64 to a sink (always, only from a data URL, or also if it begins like an
 * image), drop it, or keep it.
 */
export type StringRule = 'base64' | 'dataUrl' | 'picture' | 'drop' | 'keep';

export interface IndexedSink {
  index: number;
  sink: ImageSink;
}

/** A blob whose sink has all its bytes and is still open. */
interface OpenBlob {
  blob: DivertedBlob;
  sink: ImageSink;
}

export interface SpareBlob extends OpenBlob {
  isDraft: boolean;
}

export interface BlobJsonOptions {
  /** Returns the rule for a string, by its key and by the key of the object around it. */
  ruleFor(key: string, parent: string | undefined): StringRule;
  /** The rule for strings that are array elements or the document itself; by default, they are kept. */
  ruleForElement?: StringRule;
  openSink(): IndexedSink;
  /** Whether a diverted string is an image of the answer, once the object around it is complete. */
  isWanted(holder: unknown): boolean;
  /** Whether an unwanted string is a draft of the image. */
  isDraft?(holder: unknown): boolean;
  /** Whether an object at a key must be seen with the object around it to tell what is wanted. */
  isPart?(key: string): boolean;
  /** Whether a number at a key is kept as text, since it may have too many digits for a number. */
  isExact?(key: string): boolean;
  /**
   * Whether a key of the document itself is wanted. In the lists of unwanted keys only objects are read, since they
   * may contain diverted strings; texts and numbers there don't count as values.
   */
  isAskedFor?(key: string): boolean;
  /** Returns the part to keep of a string that was not diverted. */
  clean?(text: string): string;
  /** Maximum number of bytes of one diverted string, after decoding. */
  blobLimit: number;
  /** Maximum number of bytes of the document without its diverted strings. */
  textLimit: number;
  /** Maximum number of values: many small ones take longer than a few large ones. */
  valueLimit: number;
}

interface Frame {
  isObject: boolean;
  /** Key of this container; elements of an array have the key of the array. */
  name: string | undefined;
  /** Position of its start in the text. */
  start: number;
  /** Whether it, or a container around it, is unwanted. */
  isUnasked: boolean;
  /** Number of open lists in an unwanted list. */
  nested: number;
  expectsKey: boolean;
  key: string | undefined;
  /** Position of the start of a number that is kept as text. */
  exactStart: number | undefined;
  /** Blobs that wait for the end of this object. */
  pending: OpenBlob[];
}

type State = 'structure' | 'string' | 'scheme' | 'blob' | 'dropped';

const maxDepth = 100;
/** Beginnings of diverted strings by rule; slashes may be escaped. */
const beginnings = {
  dataUrl: ['data:'],
  picture: ['data:', 'ivborw0kggo', '/9j/', String.raw`\/9j\/`, String.raw`\u002f9j`, 'uklgr'],
} as const;
const longestBeginning = 16;

/** Maximum number of bytes of a string that is kept. */
const maxStringLength = 64 * 1024;
/** Maximum number of bytes to read without yielding: of a diverted string, which is faster, and of other text. */
const blobPieceLength = 256 * 1024;
const pieceLength = 16 * 1024;
/** Maximum number of bytes of an object to parse for a diverted string: objects may be nested. */
const maxHolderLength = 16 * 1024;
/** Maximum number of bytes of long texts that are skipped. */
const maxPassedOver = 32 * 1024 * 1024;
/** Maximum number of digits of a number. */
const maxNumberLength = 100;
const number = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/u;

const quote = 0x22;
const backslash = 0x5c;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const comma = 0x2c;
const colon = 0x3a;

/**
 * Reads one JSON document as it arrives, in pieces of any size. Base64 strings at certain keys are decoded into sinks
 * and never become strings; `JSON.parse` parses the rest, with a `DivertedBlob` in the place of each. Every method
 * rejects with a `LimnerError` `protocol` for invalid JSON or exceeded limits, and with the errors of sinks.
 */
export class BlobJsonReader {
  /** Complete, wanted blobs whose sinks are closed, in order of arrival. */
  readonly kept: DivertedBlob[] = [];
  /** Complete but unwanted blobs. Their sinks are open: the caller closes or discards them. */
  readonly spares: SpareBlob[] = [];

  readonly #options: BlobJsonOptions;
  readonly #text = new JsonText();
  readonly #stack: Frame[] = [];
  readonly #blobs: DivertedBlob[] = [];
  /** Marks the positions of blobs in the text; random, so that no document can imitate it. */
  readonly #marker = `${randomUUID()}:`;
  #state: State = 'structure';
  #values = 0;
  readonly #yielder = new EventLoopYielder();
  #isEscaped = false;
  #stringStart = 0;
  /** Whether the string being dropped is the rest of an overlong text. */
  #isCut = false;
  #passedOver = 0;
  /** Whether the position is in a string of an unwanted list. */
  #isQuoted = false;
  /** Number of bytes of the document that are not in the text. */
  #forgotten = 0;
  #beginnings: readonly string[] = [];
  #schemeLength = 0;
  /** The beginning of a string as it was written. */
  readonly #scheme = Buffer.alloc(longestBeginning);
  #decoder: Base64Decoder | undefined;
  #open: IndexedSink | undefined;
  /** The sink that is being closed while the next one fills. */
  #closing: Promise<void> = Promise.resolve();
  /** The text up to this length is complete except for the ends of the containers open there. */
  #safe = { length: 0, depth: 0 };

  constructor(options: BlobJsonOptions) {
    this.#options = options;
  }

  /** Takes the next bytes. Settles when the sinks have them, and at the end when the sinks are closed. */
  async write(chunk: Buffer): Promise<void> {
    for (let start = 0; start < chunk.length;) {
      const end = start + (this.#state === 'blob' ? blobPieceLength : pieceLength);
      await this.#read(chunk.subarray(start, end));
      start = end;
    }
  }

  async #read(chunk: Buffer): Promise<void> {
    let position = 0;
    while (position < chunk.length) {
      if (this.#yielder.isDue) {
        await this.#yielder.yield();
      }
      switch (this.#state) {
        case 'structure':
          position = await this.#readStructure(chunk, position);
          break;
        case 'string':
          position = this.#readString(chunk, position);
          break;
        case 'scheme':
          position = await this.#readScheme(chunk, position);
          break;
        case 'blob':
          position = await this.#readBlob(chunk, position);
          break;
        case 'dropped':
          position = this.#skipString(chunk, position);
          break;
      }
    }
  }

  end(): unknown {
    if (this.#state !== 'structure' || this.#stack.length > 0) {
      throw new LimnerError('network', english.t('The response ended unexpectedly.'), { sent: true });
    }
    return this.#restored(this.#parse(0));
  }

  /** Whether the document is closed: anything that follows doesn't belong to it. */
  get isWhole(): boolean {
    return this.#state === 'structure' && this.#stack.length === 0 && this.#values > 0;
  }

  get text(): string {
    return this.#text.slice(0);
  }

  /** Returns the complete part of an incomplete document, if any. Discards an incomplete blob. */
  async salvage(): Promise<unknown> {
    await this.#discardOpen();
    this.#state = 'structure';
    this.#text.truncate(this.#safe.length);
    this.#stack.length = Math.min(this.#safe.depth, this.#stack.length);
    try {
      while (this.#stack.length > 0) {
        this.#text.append(this.#stack.at(-1)?.isObject === true ? '}' : ']');
        await this.#closeFrame();
      }
      return this.#restored(this.#parse(0));
    } catch {
      await this.abandon();
      return undefined;
    }
  }

  async abandon(): Promise<void> {
    const sinks = this.#stack.flatMap((frame) => frame.pending.map(({ sink }) => sink));
    this.#stack.length = 0;
    await Promise.all([this.#discardOpen(), ...sinks.map((sink) => sink.discard())]);
  }

  async #discardOpen(): Promise<void> {
    const sink = this.#open?.sink;
    this.#open = undefined;
    await sink?.discard();
    this.#closing = this.#closing.catch(() => undefined);
    await this.#closing;
  }

  /** Reads up to the beginning of a string or the end of the chunk. */
  async #readStructure(chunk: Buffer, start: number): Promise<number> {
    let copied = start;
    let position = start;
    for (; position < chunk.length; position += 1) {
      const frame = this.#stack.at(-1);
      if (isForgotten(frame)) {
        this.#append(chunk.subarray(copied, position));
        position = this.#forget(chunk, position, frame);
        copied = position;
        if (position === chunk.length) {
          break;
        }
      }
      const byte = chunk[position] ?? 0;
      switch (byte) {
        case quote:
          this.#append(chunk.subarray(copied, position));
          this.#beginString(frame);
          return position + 1;
        case openBrace:
        case openBracket:
          this.#openFrame(byte === openBrace, this.#text.length + position - copied);
          break;
        case closeBrace:
        case closeBracket:
          if (frame?.isObject !== (byte === closeBrace)) {
            throw notJson();
          }
          this.#append(chunk.subarray(copied, position));
          copied = position;
          this.#keepExact(frame);
          this.#append(chunk.subarray(copied, position + 1));
          copied = position + 1;
          await this.#closeFrame();
          break;
        case comma:
          this.#count();
          if (frame === undefined) {
            break;
          }
          if (frame.exactStart !== undefined) {
            this.#append(chunk.subarray(copied, position));
            copied = position;
            this.#keepExact(frame);
          }
          frame.expectsKey = frame.isObject;
          break;
        case colon:
          if (frame === undefined) {
            break;
          }
          frame.expectsKey = false;
          if (frame.key !== undefined && this.#options.isExact?.(frame.key) === true) {
            frame.exactStart = this.#text.length + position + 1 - copied;
          }
          break;
        default:
      }
    }
    this.#append(chunk.subarray(copied, position));
    return position;
  }

  /** Skips an unwanted list up to its end or to an object in it, and returns that position. */
  #forget(chunk: Buffer, start: number, frame: Frame): number {
    let position = start;
    for (; position < chunk.length; position += 1) {
      const byte = chunk[position];
      if (this.#isQuoted) {
        if (this.#isEscaped) {
          this.#isEscaped = false;
        } else if (byte === backslash) {
          this.#isEscaped = true;
        } else if (byte === quote) {
          this.#isQuoted = false;
        }
      } else if (byte === quote) {
        this.#isQuoted = true;
      } else if (byte === openBracket) {
        frame.nested += 1;
      } else if (byte === closeBracket && frame.nested > 0) {
        frame.nested -= 1;
      } else if (byte === openBrace || byte === closeBrace || byte === closeBracket) {
        break;
      }
    }
    this.#forgotten += position - start;
    return position;
  }

  #count(): void {
    this.#values += 1;
    if (this.#values > this.#options.valueLimit) {
      throw tooLong();
    }
  }

  /** Puts a number that is kept as text into quotation marks. */
  #keepExact(frame: Frame): void {
    if (frame.exactStart === undefined) {
      return;
    }
    const isShort = this.#text.length - frame.exactStart < maxNumberLength;
    const written = isShort ? this.#text.slice(frame.exactStart).trim() : '';
    if (number.test(written)) {
      this.#text.truncate(frame.exactStart);
      this.#text.append(`"${written}"`);
    }
    frame.exactStart = undefined;
  }

  #openFrame(isObject: boolean, start: number): void {
    this.#count();
    if (this.#stack.length === maxDepth) {
      throw new LimnerError('protocol', english.t('The response is nested too deeply.'));
    }
    const parent = this.#stack.at(-1);
    const name = parent?.isObject === true ? parent.key : parent?.name;
    const isUnasked =
      this.#stack.length === 1 &&
      parent?.isObject === true &&
      this.#options.isAskedFor?.(parent.key ?? '') === false;
    this.#stack.push({
      isObject,
      name,
      start,
      isUnasked: isUnasked || parent?.isUnasked === true,
      nested: 0,
      expectsKey: isObject,
      key: undefined,
      exactStart: undefined,
      pending: [],
    });
  }

  async #closeFrame(): Promise<void> {
    const frame = this.#stack.at(-1);
    if (frame === undefined) {
      return;
    }
    const parent = this.#stack.at(-2);
    if (parent && this.#options.isPart?.(frame.name ?? '') === true) {
      parent.pending.push(...frame.pending.splice(0));
    }
    if (frame.pending.length > 0) {
      const isLong = this.#text.length - frame.start > maxHolderLength;
      const holder = isLong ? undefined : this.#parse(frame.start);
      const isWanted = isLong || this.#options.isWanted(holder);
      const isDraft = !isWanted && this.#options.isDraft?.(holder) === true;
      for (const pending of frame.pending.splice(0)) {
        if (isWanted) {
          await this.#settle(pending);
        } else {
          this.spares.push({ ...pending, isDraft });
        }
      }
    }
    this.#stack.pop();
    if (isForgotten(this.#stack.at(-1))) {
      this.#forgotten += this.#text.length - frame.start;
      this.#text.truncate(frame.start);
    }
    this.#markSafe();
    if (this.#stack.length === 0) {
      await this.#closing;
    }
  }

  async #settle({ blob, sink }: OpenBlob): Promise<void> {
    await this.#closing;
    this.#closing = this.#close(blob, sink);
    // The error is reported when the next sink is closed, or at the end of the document.
    this.#closing.catch(() => undefined);
  }

  async #close(blob: DivertedBlob, sink: ImageSink): Promise<void> {
    try {
      await sink.close();
    } catch (error) {
      await sink.discard();
      throw error;
    }
    if (blob.damage === undefined) {
      this.kept.push(blob);
    }
  }

  #beginString(frame: Frame | undefined): void {
    const rule =
      frame?.isObject === true && !frame.expectsKey && frame.key !== undefined
        ? this.#options.ruleFor(frame.key, frame.name)
        : frame?.isObject === true
          ? 'keep'
          : (this.#options.ruleForElement ?? 'keep');
    this.#stringStart = this.#text.length;
    switch (rule) {
      case 'base64':
        this.#beginBlob();
        break;
      case 'dataUrl':
      case 'picture':
        this.#state = 'scheme';
        this.#beginnings = beginnings[rule];
        this.#schemeLength = 0;
        break;
      case 'drop':
        this.#state = 'dropped';
        this.#text.append('"');
        break;
      case 'keep':
        this.#state = 'string';
        this.#text.append('"');
        break;
    }
  }

  #readString(chunk: Buffer, start: number): number {
    const end = this.#endOfString(chunk, start);
    const isEnd = this.#state === 'structure';
    const room = Math.max(this.#stringStart + maxStringLength - this.#text.length, 0);
    if (end - start <= room) {
      this.#append(chunk.subarray(start, end));
    } else {
      this.#append(chunk.subarray(start, start + room));
      this.#isCut = !isEnd;
      // Skip an overlong text, since its neighbors may be useful.
      this.#state = isEnd ? 'structure' : 'dropped';
      this.#endInTheMiddle();
    }
    if (isEnd) {
      this.#endString();
    }
    return end;
  }

  /** Ends the text of a string at the current position, before an incomplete escape. */
  #endInTheMiddle(): void {
    const raw = this.#text.slice(this.#stringStart);
    const start = raw.search(/\\(?:u[0-9a-f]{0,3})?$/iu);
    let backslashes = 0;
    while (raw[start - backslashes] === '\\') {
      backslashes += 1;
    }
    const whole = backslashes % 2 === 0 ? raw : raw.slice(0, start);
    this.#text.truncate(this.#stringStart);
    this.#text.append(this.#state === 'dropped' ? whole : `${whole}"`);
  }

  #skipString(chunk: Buffer, start: number): number {
    const end = this.#endOfString(chunk, start);
    if (this.#isCut) {
      this.#passedOver += end - start;
    }
    if (this.#passedOver > maxPassedOver) {
      throw tooLong();
    }
    if (this.#state === 'structure') {
      this.#isCut = false;
      this.#text.append('"');
      this.#endString();
    }
    return end;
  }

  /** Returns the position after the string's closing quotation mark, or the end of the chunk. */
  #endOfString(chunk: Buffer, start: number): number {
    for (let position = start; position < chunk.length; position += 1) {
      if (this.#isEscaped) {
        this.#isEscaped = false;
      } else if (chunk[position] === backslash) {
        this.#isEscaped = true;
      } else if (chunk[position] === quote) {
        this.#state = 'structure';
        return position + 1;
      }
    }
    return chunk.length;
  }

  #endString(): void {
    const frame = this.#stack.at(-1);
    if (frame?.expectsKey === true) {
      frame.key = keyOf(this.#text.slice(this.#stringStart));
    } else {
      this.#markSafe();
    }
  }

  /** Reads the part of a string that decides whether it is diverted. */
  async #readScheme(chunk: Buffer, start: number): Promise<number> {
    for (let position = start; position < chunk.length; position += 1) {
      const byte = chunk[position] ?? 0;
      this.#scheme[this.#schemeLength] = byte;
      const start = this.#scheme.toString('latin1', 0, this.#schemeLength + 1).toLowerCase();
      if (!this.#beginnings.some((beginning) => beginning.startsWith(start))) {
        this.#state = 'string';
        this.#text.append('"');
        this.#text.append(this.#scheme.subarray(0, this.#schemeLength));
        return position;
      }
      this.#schemeLength += 1;
      if (this.#beginnings.includes(start)) {
        await this.#beginBlob().write(this.#scheme.subarray(0, this.#schemeLength));
        return position + 1;
      }
    }
    return chunk.length;
  }

  #beginBlob(): Base64Decoder {
    this.#state = 'blob';
    this.#decoder = new Base64Decoder(() => {
      this.#open = this.#options.openSink();
      return this.#open.sink;
    }, this.#options.blobLimit);
    return this.#decoder;
  }

  async #readBlob(chunk: Buffer, start: number): Promise<number> {
    const end = this.#endOfBlob(chunk, start);
    await this.#decoder?.write(chunk.subarray(start, end === -1 ? chunk.length : end));
    if (end === -1) {
      return chunk.length;
    }
    await this.#endBlob();
    return end + 1;
  }

  /** Returns the position of the quotation mark that ends the string, skipping escaped ones; -1 if there is none. */
  #endOfBlob(chunk: Buffer, start: number): number {
    for (let from = start; ;) {
      const end = chunk.indexOf(quote, from);
      const last = end === -1 ? chunk.length : end;
      let run = last;
      while (run > start && chunk[run - 1] === backslash) {
        run -= 1;
      }
      // A backslash at the end of the previous chunk may escape the first character.
      const backslashes = last - run + (run === start && this.#isEscaped ? 1 : 0);
      const isEscaped = backslashes % 2 === 1;
      if (end === -1 || !isEscaped) {
        this.#isEscaped = isEscaped;
        return end;
      }
      from = end + 1;
    }
  }

  async #endBlob(): Promise<void> {
    await this.#decoder?.end();
    if (this.#decoder === undefined) {
      return;
    }
    const blob = new DivertedBlob(this.#open?.index ?? -1, this.#decoder.damage);
    if (this.#open === undefined && blob.damage === undefined) {
      this.#text.append('""');
    } else {
      this.#text.append(`"${this.#marker}${this.#blobs.length}"`);
      this.#blobs.push(blob);
    }
    if (this.#open !== undefined) {
      if (blob.damage === 'too_large') {
        await this.#open.sink.discard();
      } else {
        const { sink } = this.#open;
        const frame = this.#stack.at(-1);
        if (frame) {
          frame.pending.push({ blob, sink });
        } else {
          this.spares.push({ blob, sink, isDraft: false });
        }
      }
    }
    this.#open = undefined;
    this.#decoder = undefined;
    this.#state = 'structure';
    this.#markSafe();
  }

  #markSafe(): void {
    this.#safe = { length: this.#text.length, depth: this.#stack.length };
  }

  #append(part: Buffer): void {
    if (this.#forgotten + this.#text.length + part.length > this.#options.textLimit) {
      throw tooLong();
    }
    this.#text.append(part);
  }

  #parse(start: number): unknown {
    const text = this.#text.slice(start).replace(/^\ufeff/u, '');
    try {
      return JSON.parse(text);
    } catch {
      // The parser's own error repeats a part of the text.
      throw notJson();
    }
  }

  /** Returns the value with its blobs restored and its texts cleaned; a reviver would be much slower. */
  #restored(value: unknown): unknown {
    if (typeof value === 'string') {
      return value.startsWith(this.#marker)
        ? this.#blobs[Number(value.slice(this.#marker.length))]
        : (this.#options.clean?.(value) ?? value);
    }
    if (Array.isArray(value)) {
      return value.map((item: unknown) => this.#restored(item));
    }
    if (typeof value === 'object' && value !== null) {
      for (const [key, item] of Object.entries(value)) {
        Reflect.set(value, key, this.#restored(item));
      }
    }
    return value;
  }
}

/** Whether a frame is a list of which only objects are read. */
function isForgotten(frame: Frame | undefined): frame is Frame {
  return frame?.isUnasked === true && !frame.isObject;
}

/** Returns the decoded key; an invalid key fails later, when the whole is parsed. */
function keyOf(raw: string): string {
  if (!raw.includes('\\')) {
    return raw.slice(1, -1);
  }
  try {
    return String(JSON.parse(raw));
  } catch {
    return raw;
  }
}

function notJson(): LimnerError {
  return new LimnerError('protocol', english.t("The response isn't valid JSON."), { sent: true });
}

/** A growing JSON text as UTF-8 bytes, whose beginning can be read as it grows. */
class JsonText {
  #bytes = Buffer.allocUnsafe(4096);
  #length = 0;

  /** In bytes. */
  get length(): number {
    return this.#length;
  }

  append(part: Uint8Array | string): void {
    const added = typeof part === 'string' ? Buffer.byteLength(part) : part.length;
    if (this.#length + added > this.#bytes.length) {
      const larger = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, this.#length + added));
      this.#bytes.copy(larger, 0, 0, this.#length);
      this.#bytes = larger;
    }
    if (typeof part === 'string') {
      this.#bytes.write(part, this.#length);
    } else {
      this.#bytes.set(part, this.#length);
    }
    this.#length += added;
  }

  slice(start: number, end = this.#length): string {
    return this.#bytes.toString('utf8', start, end);
  }

  truncate(length: number): void {
    this.#length = Math.min(length, this.#length);
  }
}
