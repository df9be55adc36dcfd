import type { ImageSink } from '../messages.ts';

/**
 * Characters gathered before they are decoded: a multiple of four, large enough for few writes, and below the size from
 * which each string gets memory of its own, which takes three times as long.
 */
const stagingLength = 64 * 1024;

const backslash = 0x5c;
const slash = 0x2f;
const maxPrefixLength = 256;
const dataScheme = 'data:';

/** Why an inline image can't be kept: `invalid` is kept as the text that it came as. */
export type BlobDamage = 'invalid' | 'too_large';

/**
 * Decodes one base64 JSON string into a sink while it arrives. JSON escapes are undone, white space is skipped, and a
 * data URL's prefix (`data:image/png;base64,`) is removed. Both base64 alphabets are understood. What can't be decoded
 * was paid for, too: the sink then gets it as it came.
 */
export class Base64Decoder {
  /** Set once the rest of the string is no longer decoded. */
  damage: BlobDamage | undefined;

  readonly #openSink: () => ImageSink;
  #sink: ImageSink | undefined;
  readonly #limit: number;
  readonly #staging = Buffer.allocUnsafe(stagingLength);
  readonly #decoded = Buffer.allocUnsafe((stagingLength / 4) * 3);
  #staged = 0;
  /** Bytes handed to the sink so far. */
  #bytes = 0;
  #prefixIsOpen = true;
  #escape = '';
  #padded = false;
  #isText = false;

  /**
   * @param openSink called when the first bytes are there
   * @param limit most bytes the sink may get, counted after decoding; of a text, twice as many
   */
  constructor(openSink: () => ImageSink, limit: number) {
    this.#openSink = openSink;
    this.#limit = limit;
  }

  /** Takes the next raw bytes of the string, without its quotation marks; settles when the sink has them. */
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

  /** Ends the string and hands what is left to the sink. Leaves closing or discarding to the caller. */
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
    // An escape that is none, or is not whole, stands in front of the rest.
    const left = Buffer.concat([Buffer.from(this.#escape), rest]);
    this.#escape = '';
    const kept = left.subarray(0, Math.max(2 * this.#limit - this.#bytes, 0));
    this.#bytes += kept.length;
    await this.#sink.write(kept);
  }

  /** Gathers characters until the staging area is full; returns the rest. */
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
          // Some services escape every slash, and base64 has many.
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

  /** Reads one escape, which may come in pieces; returns how many bytes it took. */
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

  /** Whether as many bytes came as there should be: the decoder silently skips what isn't base64. */
  #isWhole(text: string, decodedLength: number, isLast: boolean): boolean {
    const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
    const significant = text.length - padding;
    if (this.#padded && significant > 0) {
      return false;
    }
    return decodedLength === Math.floor((significant * 3) / 4) && (!isLast || significant % 4 !== 1);
  }

  /** Takes white space out of the staging area; returns whether there was any. */
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

/** Returns the character of a JSON escape, nothing for white space, `undefined` for what cannot stand in base64. */
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

/** Stands in the value in place of a diverted string. */
export class DivertedBlob {
  /** Index of the sink that got the bytes. */
  readonly sink: number;
  /** Why it isn't an image. */
  readonly damage: BlobDamage | undefined;

  constructor(sink: number, damage: BlobDamage | undefined) {
    this.sink = sink;
    this.damage = damage;
  }
}
