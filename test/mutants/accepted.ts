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
    file: 'src/demo/drawing/canvas.ts',
    line: 'if (amount > 0) {',
    changes: ['> -> >=', 'amount > 0 -> true'],
    reason: 'What is painted by no amount stays as it is; only the time differs.',
  },
  {
    file: 'src/demo/faults/connections.ts',
    line: 'const kept = bytes ?? (bodyLength(reply) ?? 0) / 2;',
    changes: ['0 -> 1'],
    reason: 'A body that was gathered has a length.',
  },
  {
    file: 'src/demo/painter/flatGround.ts',
    line: 'for (let at = 0; at < rgba.length; at += 4) {',
    changes: ['< -> <='],
    reason: 'What is written behind the end of an array is nowhere.',
  },
  {
    file: 'src/demo/painter/flatGround.ts',
    line: 'rgba[at + channel] = alpha === 0 ? 0 : Math.min(255, Math.round((premultiplied * 255) / alpha));',
    changes: ['alpha === 0 -> false'],
    reason: 'Nothing divided by nothing is stored as 0.',
  },
  {
    file: 'src/demo/painter/flatGround.ts',
    line: 'let difference = 0;',
    changes: ['0 -> 1'],
    reason: 'It is the sum over thousands of pixels.',
  },
  {
    file: 'src/demo/painter/flatGround.ts',
    line: 'for (let at = 0; at < one.length; at++) {',
    changes: ['< -> <='],
    reason: 'Behind the end, neither has a pixel.',
  },
  {
    file: 'src/demo/painter/flatGround.ts',
    line: 'return [red * light + noise, green * light + noise, blue * light + noise];',
    changes: ['+ -> -'],
    reason: 'Noise with its sign turned is as good.',
  },
  {
    file: 'src/demo/painter/repaint.ts',
    line: 'const area = { left: width, top: height, right: 0, bottom: 0 };',
    changes: ['0 -> 1'],
    reason: 'The first pixel that is found takes the box at least so far.',
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
    line: 'v.transform((details) => details.slice(0, maxPlaces)),',
    changes: ['details.slice(0, maxPlaces) -> details'],
    reason: 'Only the time that endless details take differs.',
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
    line: 'const maxDepth = 4;',
    changes: ['4 -> 5'],
    reason: 'No service nests its words so deeply.',
  },
  {
    file: 'src/service/errors/serviceWords.ts',
    line: 'export const maxPlaces = 200;',
    changes: ['200 -> 400'],
    reason: 'No service lists so many errors.',
  },
  {
    file: 'src/service/errors/serviceWords.ts',
    line: 'const items = value.slice(0, search.left);',
    changes: ['value.slice(0, search.left) -> value'],
    reason: 'Only the time that a hostile body takes differs.',
  },
  {
    file: 'src/service/errors/serviceWords.ts',
    line: 'search.left -= items.length;',
    changes: ['search.left -= items.length; -> ;', '-= -> +='],
    reason: 'Only the time that a hostile body takes differs.',
  },
  {
    file: 'src/service/errors/serviceWords.ts',
    line: 'text === undefined ? undefined : singleLine(redactKey(text.slice(0, maxReadLength)), maxKeptLength);',
    changes: ['text.slice(0, maxReadLength) -> text'],
    reason: 'Only the time that a hostile body takes differs.',
  },
  {
    file: 'src/service/errors/serviceWords.ts',
    line: 'const maxPageLength = 8192;',
    changes: ['8192 -> 16384'],
    reason: 'A page has its title at its beginning.',
  },
  {
    file: 'src/service/errors/serviceWords.ts',
    line: 'const page = text.slice(0, maxPageLength);',
    changes: ['text.slice(0, maxPageLength) -> text'],
    reason: 'Only the time that a hostile body takes differs.',
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
    file: 'src/service/imageService.ts',
    line: 'if (length >= limit) {',
    changes: ['>= -> >'],
    reason: 'What comes after the limit is cut off all the same.',
  },
  {
    file: 'src/service/price.ts',
    line: 'const number = rounded.toLocaleString(language, { minimumFractionDigits, maximumFractionDigits: 6 });',
    changes: ['6 -> 7'],
    reason: 'It is rounded to six already.',
  },
  {
    file: 'src/service/responses/base64Decoder.ts',
    line: 'if (this.#prefixIsOpen) {',
    changes: ['this.#prefixIsOpen -> true'],
    reason: 'No base64 begins as a data URL does; only the time differs.',
  },
  {
    file: 'src/studio/mask/drawing/lasso.ts',
    line: 'let beforeX = xs.at(-1) ?? 0;',
    changes: ['0 -> 1'],
    reason: 'A lasso has points.',
  },
  {
    file: 'src/studio/mask/drawing/lasso.ts',
    line: 'let beforeY = ys.at(-1) ?? 0;',
    changes: ['0 -> 1'],
    reason: 'A lasso has points.',
  },
  {
    file: 'src/studio/mask/drawing/painting.ts',
    line: 'if (performance.now() - start > sliceTime) {',
    changes: ['> -> >='],
    reason: 'At the limit, the page may draw or not.',
  },
  {
    file: 'src/studio/mask/drawing/stroke.ts',
    line: 'const t = along < 0 ? 0 : along > 1 ? 1 : along;',
    changes: ['> -> >=', '< -> <='],
    reason: 'At the limit, both are the same.',
  },
  {
    file: 'src/studio/mask/files/encodeMaskPng.ts',
    line: 'for (let y = 0; y < rows; y++) {',
    changes: ['< -> <='],
    reason: 'What is written behind the end of an array is nowhere.',
  },
  {
    file: 'src/studio/mask/surface/maskView.ts',
    line: 'if (tint !== tools.state.tint) {',
    changes: ['tint !== tools.state.tint -> true'],
    reason: 'The same colors are drawn again; only the time differs.',
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
    file: 'src/studio/mask/surface/pointers.ts',
    line: "const other = [...this.#down].find(([otherId, { role }]) => otherId !== id && role === 'pinch')?.[1]",
    changes: ['find -> findLast'],
    reason: 'Two fingers pinch, so that one of them is the other.',
  },
  {
    file: 'src/studio/mask/surface/pointers.ts',
    line: 'const before = Math.max(1, Math.hypot(from.x - other.x, from.y - other.y));',
    changes: ['1 -> 2'],
    reason: 'No two fingers are so near each other.',
  },
  {
    file: 'src/studio/mask/surface/pointers.ts',
    line: 'const after = Math.max(1, Math.hypot(point.x - other.x, point.y - other.y));',
    changes: ['1 -> 2'],
    reason: 'No two fingers are so near each other.',
  },
  {
    file: 'src/studio/results/compare/difference.ts',
    line: 'marks[at] = 255;',
    changes: ['255 -> 510'],
    reason: 'A byte is 255 at most.',
  },
  {
    file: 'src/studio/results/compare/difference.ts',
    line: 'marks[at + 2] = 255;',
    changes: ['255 -> 510'],
    reason: 'A byte is 255 at most.',
  },
  {
    file: 'src/studio/results/model/resultList.ts',
    line: 'return counterparts.find(({ reference }) => isSame(reference, other)) ?? counterparts[0];',
    changes: ['find -> findLast'],
    reason: 'No two of them are the same image.',
  },
  {
    file: 'src/studio/socialCard/contrast.ts',
    line: 'let [darker, lighter] = [-1, 2];',
    changes: ['1 -> 2', '2 -> 3'],
    reason: 'No luminance is below 0 or above 1.',
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
