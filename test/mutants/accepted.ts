/** Changes that nobody can notice, or that no test of their room is to notice. */
export interface Accepted {
  file: string;
  /** The line on which they begin, without its indentation. */
  line: string;
  /** What stands there, and what would: `< -> <=`. */
  changes: readonly string[];
  reason: string;
}

/** Changes that are not made. */
export const accepted: readonly Accepted[] = [
  {
    file: 'src/demo/faults/connections.ts',
    line: 'const kept = bytes ?? (bodyLength(reply) ?? 0) / 2;',
    changes: ['0 -> 1'],
    reason: 'A body that was gathered has a length.',
  },
  {
    file: 'src/demo/state/imageHost.ts',
    line: "const path = `${PATH}${randomBytes(16).toString('hex')}.${EXTENSIONS[image.format]}`;",
    changes: ['16 -> 32'],
    reason: 'Longer names are as hard to guess.',
  },
  {
    file: 'src/images/codecs/pixels.ts',
    line: 'return width * height > largeImage;',
    changes: ['> -> >='],
    reason: 'At the limit, both ways of writing a file are as good.',
  },
  {
    file: 'src/images/codecs/insertChunks.ts',
    line: 'head.writeUIntLE(width - 1, 4, 3);',
    changes: ['3 -> 4'],
    reason: 'The next line writes over the byte that is too many.',
  },
  {
    file: 'src/images/codecs/insertChunks.ts',
    line: "return file.toString('latin1', 12, 16) === 'VP8L' && ((file[24] ?? 0) & 0x10) !== 0;",
    changes: [
      "file.toString('latin1', 12, 16) === 'VP8L' && ((file[24] ?? 0) & 0x10) !== 0 -> ((file[24] ?? 0) & 0x10) !== 0",
    ],
    reason: 'In a lossy file, this byte is a part of the start code: 0x01.',
  },
  {
    file: 'src/images/codecs/resize.ts',
    line: 'const lights = Float64Array.from({ length: 256 }, (_, level) => {',
    changes: ['256 -> 512'],
    reason: 'No level is above 255.',
  },
  {
    file: 'src/images/formats/animation.ts',
    line: 'const animationFlag = 0b10;',
    changes: ['0b10 -> 3'],
    reason: 'The lowest bit is reserved, and 0.',
  },
  {
    file: 'src/images/formats/orientation.ts',
    line: "if ((order !== 'II' && order !== 'MM') || exif.length < 8) {",
    changes: ['< -> <=', '8 -> 9'],
    reason: 'Eight bytes have no room for an entry.',
  },
  {
    file: 'src/service/http/fetchTransport.ts',
    line: 'const readAhead = 64 * 1024 * 1024;',
    changes: ['64 -> 128', '1024 -> 2048'],
    reason: 'Each limit does that is above the largest body that is taken.',
  },
  {
    file: 'src/service/http/fetchTransport.ts',
    line: '(error: unknown) => this.destroy(error instanceof Error ? error : new Error(String(error))),',
    changes: ['error instanceof Error -> false'],
    reason: 'All that is told of it is that the connection was closed.',
  },
  {
    file: 'src/service/price.ts',
    line: 'const number = rounded.toLocaleString(language, { minimumFractionDigits, maximumFractionDigits: 6 });',
    changes: ['6 -> 7'],
    reason: 'It is rounded to six already.',
  },
  {
    file: 'src/studio/mask/files/encodeMaskPng.ts',
    line: 'for (let y = 0; y < rows; y++) {',
    changes: ['< -> <='],
    reason: 'What is written behind the end of an array is nowhere.',
  },
  {
    file: 'src/studio/mask/surface/overlay.ts',
    line: 'for (let at = 0; at < count; at++) {',
    changes: ['< -> <='],
    reason: 'What is written behind the end of an array is nowhere.',
  },
  {
    file: 'src/studio/mask/surface/overlay.ts',
    line: '{ length: 256 },',
    changes: ['256 -> 512'],
    reason: 'Nothing is marked by more than 255.',
  },
  {
    file: 'src/studio/mask/surface/overlayLayer.ts',
    line: '#style: OverlayStyle = overlayStyle([0, 0, 0], [0, 0]);',
    changes: ['0 -> 1'],
    reason: 'The view sets the style before anything is drawn.',
  },
  {
    file: 'src/tasks/files/stagingStore.ts',
    line: 'const pieceLength = 512 * 1024;',
    changes: ['512 -> 1024', '1024 -> 2048'],
    reason: 'The files are the same; only how long they take to read differs.',
  },
  {
    file: 'src/tasks/files/stagingStore.ts',
    line: 'this.#flushed = 0;',
    changes: ['0 -> 1'],
    reason: 'The disk is asked to begin a byte later.',
  },
];
