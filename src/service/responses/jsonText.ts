/** A growing piece of JSON text as UTF-8 bytes, of which the beginning can be read while it grows. */
export class JsonText {
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
    if (typeof part === 'string') this.#bytes.write(part, this.#length);
    else this.#bytes.set(part, this.#length);
    this.#length += added;
  }

  slice(start: number, end = this.#length): string {
    return this.#bytes.toString('utf8', start, end);
  }

  /** Forgets everything from this byte on. */
  truncate(length: number): void {
    this.#length = Math.min(length, this.#length);
  }
}
