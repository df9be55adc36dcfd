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
    file: 'src/service/errors/httpStatusErrors.ts',
    line: 'const delay = parsed.output.error.details.find(({ retryDelay }) => retryDelay !== undefined)?.retryDelay;',
    changes: ['find -> findLast'],
    reason: 'A service names one delay.',
  },
  {
    file: 'src/service/errors/httpStatusErrors.ts',
    line: 'return Math.min(Math.ceil(Number.parseFloat(seconds) * 1000), Number.MAX_SAFE_INTEGER);',
    changes: ['ceil -> floor'],
    reason: 'They differ by less than a millisecond.',
  },
  {
    file: 'src/service/errors/serviceWords.ts',
    line: 'text === undefined ? undefined : singleLine(redactKey(text.slice(0, maxReadLength)), maxKeptLength);',
    changes: ['text.slice(0, maxReadLength) -> text'],
    reason: 'Only the time that words of 1 MB take differs, ten milliseconds: bench/answers measures them.',
  },
  {
    file: 'src/service/errors/singleLine.ts',
    line: 'const maxCharacterLength = 32;',
    changes: ['32 -> 64'],
    reason: 'No character that people write takes more than 32.',
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
    file: 'src/service/http/httpsTransport.ts',
    line: 'const keepAliveDelay = 15_000;',
    changes: ['15_000 -> 30000'],
    reason: 'Only address translators on the way notice.',
  },
  {
    file: 'src/service/http/httpsTransport.ts',
    line: 'socket.setKeepAlive(true, keepAliveDelay);',
    changes: ['true -> false', 'socket.setKeepAlive(true, keepAliveDelay); -> ;'],
    reason: 'Only address translators on the way notice.',
  },
  {
    file: 'src/service/imageService.ts',
    line: 'if (length >= limit) {',
    changes: ['>= -> >'],
    reason: 'What comes after the limit is cut off all the same.',
  },
  {
    file: 'src/service/imageService.ts',
    line: 'let length = 0;',
    changes: ['0 -> 1'],
    reason: 'Nobody misses the last byte of an error of 64 KB.',
  },
  {
    file: 'src/service/price.ts',
    line: 'const number = rounded.toLocaleString(language, { minimumFractionDigits, maximumFractionDigits: 6 });',
    changes: ['6 -> 7'],
    reason: 'It is rounded to six already.',
  },
  {
    file: 'src/service/price.ts',
    line: 'return sum - limit > 1e-9 * Math.max(1, Math.abs(limit));',
    changes: ['1 -> 2'],
    reason: 'Nothing costs so little.',
  },
  {
    file: 'src/service/requests/multipart.ts',
    line: 'body: { length, open: () => Readable.from(bytes(), { objectMode: false }) },',
    changes: ['false -> true'],
    reason: 'The bytes are the same; only how many of them wait differs.',
  },
  {
    file: 'src/service/requests/requestBodies.ts',
    line: 'body: { length: bytes.length, open: () => Readable.from([bytes], { objectMode: false }) },',
    changes: ['false -> true'],
    reason: 'The bytes are the same; only how many of them wait differs.',
  },
  {
    file: 'src/service/responses/base64Decoder.ts',
    line: 'const stagingLength = 64 * 1024;',
    changes: ['64 -> 128', '1024 -> 2048'],
    reason: 'Only how many characters are decoded at once differs.',
  },
  {
    file: 'src/service/responses/base64Decoder.ts',
    line: 'if (this.#prefixIsOpen) {',
    changes: ['this.#prefixIsOpen -> true'],
    reason: 'No base64 begins as a data URL does; only the time differs.',
  },
  {
    file: 'src/service/responses/blobJson.ts',
    line: "const end = start + (this.#state === 'blob' ? blobPieceLength : pieceLength);",
    changes: ["this.#state === 'blob' -> true", "this.#state === 'blob' -> false", '=== -> !=='],
    reason: 'Only how long the event loop waits differs: bench/answers measures it.',
  },
  {
    file: 'src/service/responses/blobJson.ts',
    line: 'frame.exactStart = undefined;',
    changes: ['frame.exactStart = undefined; -> ;'],
    reason: 'What begins there is in quotation marks by then, or is no number.',
  },
  {
    file: 'src/service/responses/blobJson.ts',
    line: 'const isLong = this.#text.length - frame.start > maxHolderLength;',
    changes: ['> -> >='],
    reason: 'At the limit, both are as good.',
  },
  {
    file: 'src/service/responses/blobJson.ts',
    line: 'if (this.#length + added > this.#bytes.length) {',
    changes: ['> -> >='],
    reason: 'The memory grows a byte earlier.',
  },
  {
    file: 'src/service/responses/eventStream.ts',
    line: '#isAfterReturn = false;',
    changes: ['false -> true'],
    reason: 'A line feed before the first event means nothing.',
  },
  {
    file: 'src/service/responses/eventStream.ts',
    line: 'if (taken !== undefined) {',
    changes: ['taken !== undefined -> true'],
    reason: 'Only the time that a stream of comments takes differs: bench/answers measures it.',
  },
  {
    file: 'src/service/responses/eventStream.ts',
    line: 'if (ended !== undefined) {',
    changes: ['ended !== undefined -> true'],
    reason: 'Only the time that a stream of comments takes differs: bench/answers measures it.',
  },
  {
    file: 'src/service/responses/inlineImages.ts',
    line: 'const maxEndLength = 1000;',
    changes: ['1000 -> 2000'],
    reason: 'An image that is whole is there a second later.',
  },
  {
    file: 'src/service/responses/inlineImages.ts',
    line: 'const maxAnswerLength = 1024 * 1024 * 1024;',
    changes: ['1024 -> 2048'],
    reason: 'Nobody can tell one such limit from the other, and no test has so many bytes.',
  },
  {
    file: 'src/service/responses/inlineImages.ts',
    line: 'if (this.#used > maxTextLength) {',
    changes: ['> -> >='],
    reason: 'At the limit, both are as good.',
  },
  {
    file: 'src/service/results/safeSink.ts',
    line: 'const pieceLength = 64 * 1024;',
    changes: ['64 -> 128', '1024 -> 2048'],
    reason: 'Only how many characters are written at once differs.',
  },
  {
    file: 'src/service/results/safeSink.ts',
    line: 'const written = text.slice(0, Math.max(text.length - end, 0));',
    changes: ['0 -> 1'],
    reason: 'One character less waits, of a text that is all keys.',
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
  {
    file: 'src/tasks/run/submitRequest.ts',
    line: 'const { id, status, progress, retryAfter = 0 } = submission.task;',
    changes: ['0 -> 1'],
    reason: 'The first query comes two seconds later at least.',
  },
  {
    file: 'src/tasks/store/taskStore.ts',
    line: 'const result = task.results.find((one) => one.uri === written || one.uri === uri);',
    changes: ['find -> findLast'],
    reason: 'No two images of a task are the same file.',
  },
];
