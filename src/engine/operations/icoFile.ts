const headLength = 6;
const entryLength = 16;
const bitsPerPixel = 32;

/** Writes PNG files of squares into one ICO file, as browsers and Windows read it. @param side at most 256 */
export function icoFile(icons: readonly { side: number; png: Uint8Array }[]): Uint8Array {
  const head = Buffer.alloc(headLength + entryLength * icons.length);
  // An icon, not a cursor.
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(icons.length, 4);
  let start = head.length;
  for (const [index, { side, png }] of icons.entries()) {
    const entry = headLength + entryLength * index;
    // 0 stands for 256.
    head.writeUInt8(side % 256, entry);
    head.writeUInt8(side % 256, entry + 1);
    // One plane of color.
    head.writeUInt16LE(1, entry + 4);
    head.writeUInt16LE(bitsPerPixel, entry + 6);
    head.writeUInt32LE(png.length, entry + 8);
    head.writeUInt32LE(start, entry + 12);
    start += png.length;
  }
  return Buffer.concat([head, ...icons.map(({ png }) => png)]);
}
