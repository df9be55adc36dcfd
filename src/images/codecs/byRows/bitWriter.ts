const pieceLength = 1024 * 1024;

/** Writes numbers of a few bits, the lowest bit first. */
export class BitWriter {
  readonly #pieces: Uint8Array[] = [];
  #piece = new Uint8Array(pieceLength);
  #length = 0;
  /** Bits that don't fill two bytes yet, and their number. */
  #open = 0;
  #openCount = 0;

  /** @param count of bits, at most 16 */
  write(value: number, count: number): void {
    this.#open |= value << this.#openCount;
    this.#openCount += count;
    if (this.#openCount >= 16) {
      this.#flush();
    }
  }

  /** Returns the bytes so far, of which the last one is filled up with 0. */
  bytes(): Uint8Array[] {
    const rest = [this.#open & 255, (this.#open >> 8) & 255].slice(0, Math.ceil(this.#openCount / 8));
    return [...this.#pieces, this.#piece.subarray(0, this.#length), Uint8Array.from(rest)];
  }

  #flush(): void {
    this.#piece[this.#length] = this.#open & 255;
    this.#piece[this.#length + 1] = (this.#open >> 8) & 255;
    this.#length += 2;
    this.#open >>>= 16;
    this.#openCount -= 16;
    if (this.#length === pieceLength) {
      this.#pieces.push(this.#piece);
      this.#piece = new Uint8Array(pieceLength);
      this.#length = 0;
    }
  }
}
