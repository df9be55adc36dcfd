/** Most bytes that are remembered of one body. */
const longest = 96 * 1024 * 1024;
/** How images begin as base64. */
const beginnings = ['data:image/', 'iVBORw0KGgo', '/9j/', String.raw`\/9j\/`, 'UklGR'];

/**
 * The bytes of a response as they came, until an image of it is known: without one, they are what was paid for, and the
 * image may be in them in a form that the document doesn't know.
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

  /** Forgets the bytes: an image is on its way to a file. */
  release(): void {
    this.#isNeeded = false;
    this.#pieces = [];
    this.#length = 0;
  }

  /** In bytes. */
  get length(): number {
    return this.#length;
  }

  /** Whether something in it begins like an image. */
  get mayHoldImage(): boolean {
    const { bytes } = this;
    return beginnings.some((beginning) => bytes.includes(beginning));
  }

  get bytes(): Buffer {
    const all = Buffer.concat(this.#pieces);
    this.#pieces = [all];
    return all;
  }

  /** Returns the bytes without the key, wherever they repeat it. @param clean takes the key out of a text */
  withoutKey(clean: (text: string) => string): Buffer {
    // In Latin-1 each byte is one character, which the key's replacement isn't.
    const text = clean(this.bytes.toString('latin1'));
    return Buffer.from(text.replaceAll(/[^\0-\u00ff]/gu, '*'), 'latin1');
  }
}
