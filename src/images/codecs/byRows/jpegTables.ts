/** The place in a block, row by row, of each coefficient in the order of a file, which goes along the diagonals. */
export const places = [
  0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25, 18, 11, 4, 5, 12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13, 6, 7,
  14, 21, 28, 35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46,
  53, 60, 61, 54, 47, 55, 62, 63,
];

/** What coefficients are divided by at quality 50, row by row: the table of the WebAssembly encoder. */
const divisorsAt50 = [
  16, 16, 16, 18, 25, 37, 56, 85, 16, 17, 20, 27, 34, 40, 53, 75, 16, 20, 24, 31, 43, 62, 91, 135, 18, 27, 31,
  40, 53, 74, 106, 156, 25, 34, 43, 53, 69, 94, 131, 189, 37, 40, 62, 74, 94, 124, 169, 238, 56, 53, 91, 106,
  131, 169, 226, 311, 85, 75, 135, 156, 189, 238, 311, 418,
];

/** Returns what coefficients are divided by at a quality from 1 to 100, row by row, from 1 to 255. */
export function divisorsAt(quality: number): number[] {
  const percent = quality < 50 ? 5000 / quality : 200 - 2 * quality;
  return divisorsAt50.map((divisor) =>
    Math.max(1, Math.min(255, Math.floor((divisor * percent + 50) / 100))),
  );
}

/** A table of Huffman codes. */
export interface CodeTable {
  /** As a file holds it: how many codes there are of each length from 1 to 16, then the symbols in their order. */
  data: Uint8Array;
  /** By symbol. */
  codes: Uint16Array;
  /** By symbol, in bits. */
  lengths: Uint8Array;
}

/** The tables that the standard proposes, for the first coefficient of a block and for the others. */
export const codeTables = {
  luma: {
    first: codeTable('00010501010101010100000000000000', '000102030405060708090a0b'),
    others: codeTable(
      '0002010303020403050504040000017d',
      `01020300041105122131410613516107227114328191a1082342b1c11552d1f02433627282090a161718191a25262728292a3435
      363738393a434445464748494a535455565758595a636465666768696a737475767778797a838485868788898a92939495969798
      999aa2a3a4a5a6a7a8a9aab2b3b4b5b6b7b8b9bac2c3c4c5c6c7c8c9cad2d3d4d5d6d7d8d9dae1e2e3e4e5e6e7e8e9eaf1f2f3f4
      f5f6f7f8f9fa`,
    ),
  },
  chroma: {
    first: codeTable('00030101010101010101010000000000', '000102030405060708090a0b'),
    others: codeTable(
      '00020102040403040705040400010277',
      `000102031104052131061241510761711322328108144291a1b1c109233352f0156272d10a162434e125f11718191a262728292a
      35363738393a434445464748494a535455565758595a636465666768696a737475767778797a82838485868788898a9293949596
      9798999aa2a3a4a5a6a7a8a9aab2b3b4b5b6b7b8b9bac2c3c4c5c6c7c8c9cad2d3d4d5d6d7d8d9dae2e3e4e5e6e7e8e9eaf2f3f4
      f5f6f7f8f9fa`,
    ),
  },
};

function codeTable(counts: string, symbols: string): CodeTable {
  const data = Buffer.from(counts + symbols.replaceAll(/\s/gu, ''), 'hex');
  const table = { data, codes: new Uint16Array(256), lengths: new Uint8Array(256) };
  let [at, code] = [16, 0];
  for (let length = 1; length <= 16; length++, code <<= 1) {
    for (let count = data[length - 1] ?? 0; count > 0; count--) {
      const symbol = data[at++] ?? 0;
      table.codes[symbol] = code++;
      table.lengths[symbol] = length;
    }
  }
  return table;
}
