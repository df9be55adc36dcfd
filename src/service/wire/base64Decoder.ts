import type { ImageSink } from '../terms/messages.ts';

/**
 * Number of characters to gather before decoding: a multiple of four, large enough for few writes, and below the size
 * from which each string gets memory of its own, which is three times slower.
 */
const stagingLength = 64 * 1024;

const backslash = 0x5c;
const slash = 0x2f;
const maxPrefixLength = 256;
const dataScheme = 'data:';

/** Why an inline image can't be kept. If `invalid`, it is kept as text. */
export type BlobDamage = 'invalid' | 'too_large';

/**
 * Decodes one base64 JSON string into a sink as it arrives. Handles JSON escapes, white space, both base64 alphabets,
 * and the prefix of a data URL (`data:image/png;base64,`). Data that can't be decoded was paid for, too: the sink gets
 * it as text.
 */
export class Base64Decoder {
  /** Set when the rest of the string is no longer decoded. */
  damage: BlobDamage | undefined;

  readonly #openSink: () => ImageSink;
  #sink: ImageSink | undefined;
  readonly #limit: number;
  readonly #staging = Buffer.allocUnsafe(stagingLength);
  readonly #decoded = Buffer.allocUnsafe((stagingLength / 4) * 3);
  #staged = 0;
  #bytes = 0;
  #prefixIsOpen = true;
  #escape = '';
  #padded = false;
  #isText = false;

  /**
   * @param openSink called when the first bytes are decoded
   * @param limit most bytes for the sink, after decoding; twice as many for text
   */
  constructor(openSink: () => ImageSink, limit: number) {
    this.#openSink = openSink;
    this.#limit = limit;
  }

  /** Takes the next raw bytes of the string, without its quotation marks. Settles when the sink has them. */
  async write(raw: Buffer): Promise<void> {
    let rest = raw;
    while (rest.length > 0 && this.damage === undefined) {
      rest = this.#stage(rest);
      if (this.#staged === stagingLength) {
        await this.#flush(false);
      }
    }
    if (this.damage === 'invalid') {
      await this.#keepText(rest);
    }
  }

  /** Ends the string and writes the rest to the sink. The caller closes or discards the sink. */
  async end(): Promise<void> {
    if (this.#escape !== '') {
      this.damage ??= 'invalid';
    }
    if (this.damage === undefined) {
      await this.#flush(true);
    }
    if (this.damage === 'invalid') {
      await this.#keepText(Buffer.alloc(0));
    }
  }

  async #keepText(rest: Buffer): Promise<void> {
    this.#sink ??= this.#openSink();
    if (!this.#isText) {
      this.#isText = true;
      await this.#sink.toText();
      await this.#sink.write(this.#staging.subarray(0, this.#staged));
      this.#bytes = (this.#bytes / 3) * 4 + this.#staged;
    }
    // Keep an invalid or incomplete escape in front of the next chunk.
    const left = Buffer.concat([Buffer.from(this.#escape), rest]);
    this.#escape = '';
    const kept = left.subarray(0, Math.max(2 * this.#limit - this.#bytes, 0));
    this.#bytes += kept.length;
    await this.#sink.write(kept);
  }

  /** Gathers characters until the staging area is full, and returns the rest. */
  #stage(raw: Buffer): Buffer {
    let position = 0;
    while (position < raw.length && this.#staged < stagingLength && this.damage === undefined) {
      if (this.#escape !== '') {
        position += this.#continueEscape(raw.subarray(position));
        continue;
      }
      const escape = raw.indexOf(backslash, position);
      const end = escape === -1 ? raw.length : escape;
      const copied = raw.copy(this.#staging, this.#staged, position, end);
      this.#staged += copied;
      position += copied;
      if (position === escape) {
        position += 1;
        if (raw[position] === slash && this.#staged < stagingLength) {
          // Fast path: some services escape every slash, and base64 has many.
          this.#staging[this.#staged] = slash;
          this.#staged += 1;
          position += 1;
        } else {
          this.#escape = '\\';
        }
      }
      if (this.#prefixIsOpen) {
        this.#takeOutBlanks();
        this.#takeOffPrefix();
      }
    }
    return raw.subarray(position);
  }

  /** Reads an escape, which may be split between chunks. Returns its number of bytes. */
  #continueEscape(raw: Buffer): number {
    if (this.#escape.length === 1) {
      this.#escape += String.fromCharCode(raw[0] ?? 0);
      if (this.#escape !== '\\u') {
        this.#endEscape();
      }
      return 1;
    }
    const missing = raw.subarray(0, 6 - this.#escape.length);
    this.#escape += missing.toString('latin1');
    if (this.#escape.length === 6) {
      this.#endEscape();
    }
    return missing.length;
  }

  #endEscape(): void {
    const character = unescaped(this.#escape);
    if (character === undefined) {
      this.damage = 'invalid';
      return;
    }
    this.#staged += this.#staging.write(character, this.#staged, 'latin1');
    this.#escape = '';
    if (this.#prefixIsOpen) {
      this.#takeOffPrefix();
    }
  }

  #takeOffPrefix(): void {
    const start = this.#staging.toString('latin1', 0, Math.min(this.#staged, maxPrefixLength));
    const compared = Math.min(start.length, dataScheme.length);
    if (start.slice(0, compared).toLowerCase() !== dataScheme.slice(0, compared)) {
      this.#prefixIsOpen = false;
      return;
    }
    const comma = start.indexOf(',');
    if (comma === -1) {
      if (start.length === maxPrefixLength) {
        this.damage = 'invalid';
      }
      return;
    }
    const [, ...parameters] = start.slice(dataScheme.length, comma).toLowerCase().split(';');
    if (!parameters.includes('base64')) {
      this.damage = 'invalid';
      return;
    }
    this.#staging.copyWithin(0, comma + 1, this.#staged);
    this.#staged -= comma + 1;
    this.#prefixIsOpen = false;
  }

  async #flush(isLast: boolean): Promise<void> {
    const text = this.#staging.toString('latin1', 0, this.#staged);
    const decodedLength = this.#decoded.write(text, 'base64');
    if (!this.#isWhole(text, decodedLength, isLast)) {
      if (!this.#takeOutBlanks()) {
        this.damage = 'invalid';
      } else if (isLast) {
        await this.#flush(true);
      }
      return;
    }
    this.#padded ||= text.endsWith('=');
    this.#staged = 0;
    if (decodedLength === 0) {
      return;
    }
    if (this.#bytes + decodedLength > this.#limit) {
      this.damage = 'too_large';
      return;
    }
    this.#bytes += decodedLength;
    this.#sink ??= this.#openSink();
    await this.#sink.write(this.#decoded.subarray(0, decodedLength));
  }

  /** Whether the decoded length is as expected: the decoder silently skips invalid characters. */
  #isWhole(text: string, decodedLength: number, isLast: boolean): boolean {
    const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
    const significant = text.length - padding;
    if (this.#padded && significant > 0) {
      return false;
    }
    return decodedLength === Math.floor((significant * 3) / 4) && (!isLast || significant % 4 !== 1);
  }

  /** Removes white space from the staging area, and returns whether there was any. */
  #takeOutBlanks(): boolean {
    let kept = 0;
    for (const byte of this.#staging.subarray(0, this.#staged)) {
      if (!blanks.has(byte)) {
        this.#staging[kept] = byte;
        kept += 1;
      }
    }
    const had = kept < this.#staged;
    this.#staged = kept;
    return had;
  }
}

const blanks = new Set([0x20, 0x0a, 0x0d, 0x09]);

/** Returns the character of a JSON escape, '' for white space, `undefined` for characters outside base64. */
function unescaped(escape: string): string | undefined {
  if (escape[1] === 'u') {
    const code = Number.parseInt(escape.slice(2), 16);
    if (!/^\\u[0-9a-f]{4}$/iu.test(escape) || code > 0x7e) {
      return undefined;
    }
    const character = String.fromCharCode(code);
    return character.trim();
  }
  if (escape === '\\/') {
    return '/';
  }
  return /^\\[nrt]$/u.test(escape) ? '' : undefined;
}

/** Replaces a diverted string in the parsed value. */
export class DivertedBlob {
  /** Index of the sink with the bytes. */
  readonly sink: number;
  readonly damage: BlobDamage | undefined;

  constructor(sink: number, damage: BlobDamage | undefined) {
    this.sink = sink;
    this.damage = damage;
  }
}
