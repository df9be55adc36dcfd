import type { CodeTable } from './jpegTables.ts';

/** Collects the bits of a JPEG file's pixels. */
export class JpegBits {
  #bytes = new Uint8Array(1024 * 1024);
  #length = 0;
  /** The bits that do not fill a byte yet, at the right. */
  #rest = 0;
  #count = 0;

  /** Adds the code of a symbol, and as many bits of a value as the lower half of the symbol says. */
  addSymbol({ codes, lengths }: CodeTable, symbol: number, value: number): void {
    this.#add(codes[symbol] ?? 0, lengths[symbol] ?? 0);
    const size = symbol & 15;
    if (size > 0) {
      // Negative values are kept less one, so that they begin with 0.
      this.#add((value < 0 ? value - 1 : value) & ((1 << size) - 1), size);
    }
  }

  /** Fills the last byte, and returns all. */
  end(): Uint8Array {
    this.#add(0x7f, 7);
    return this.#bytes.subarray(0, this.#length);
  }

  /** Adds up to 16 bits. */
  #add(bits: number, count: number): void {
    this.#rest = (this.#rest << count) | bits;
    this.#count += count;
    while (this.#count >= 8) {
      this.#count -= 8;
      const byte = (this.#rest >> this.#count) & 255;
      this.#push(byte);
      if (byte === 255) {
        // So that it is no marker.
        this.#push(0);
      }
    }
  }

  #push(byte: number): void {
    if (this.#length === this.#bytes.length) {
      const longer = new Uint8Array(2 * this.#length);
      longer.set(this.#bytes);
      this.#bytes = longer;
    }
    this.#bytes[this.#length++] = byte;
  }
}
