/** The second bytes of markers. */
const markers = { quantisation: 0xdb, frame: 0xc0, scan: 0xda };

/** A component of an image: brightness, or one of the two colours. */
export interface Component {
  /** How many blocks it has across and down in a unit. */
  across: number;
  down: number;
  /** By what its coefficients are divided, in the order of rows. */
  steps: readonly number[];
}

/** What a JPEG file says before its pixels. */
export interface JpegHead {
  /** All segments of it but the codes and the scan, with the size still to be written. */
  segments: Buffer;
  /** Where the height is in them, followed by the width. */
  sizeAt: number;
  /** The segment that begins the scan. */
  scan: Buffer;
  components: readonly Component[];
}

/** The position in a block of each coefficient in the order in which files have them: along diagonals. */
export const zigzag: readonly number[] = Array.from({ length: 64 }, (_, at) => at).toSorted((one, other) => {
  const [row, column, otherRow, otherColumn] = [one >> 3, one & 7, other >> 3, other & 7];
  const [diagonal, otherDiagonal] = [row + column, otherRow + otherColumn];
  return diagonal - otherDiagonal || (diagonal % 2 === 0 ? column - otherColumn : row - otherRow);
});

/** Reads the head of a JPEG file that an encoder wrote just now. @throws RangeError for one without a frame and a scan */
export function readJpegHead(file: Buffer): JpegHead {
  const tables = new Map<number, number[]>();
  const kept: Buffer[] = [file.subarray(0, 2)];
  let frame: Buffer | undefined;
  let sizeAt = 0;
  for (let at = 2; file[at] === 0xff;) {
    const segment = file.subarray(at, at + 2 + file.readUInt16BE(at + 2));
    const data = segment.subarray(4);
    const marker = segment[1] ?? 0;
    if (marker === markers.scan && frame) {
      return {
        segments: Buffer.concat(kept),
        sizeAt,
        scan: segment,
        components: componentsOf(frame, tables),
      };
    }
    if (marker === markers.quantisation) {
      readTables(data, tables);
    }
    if (marker === markers.frame) {
      frame = data;
      sizeAt = kept.reduce((sum, { length }) => sum + length, 0) + 5;
    }
    if (marker === markers.frame || marker === markers.quantisation || marker >> 4 === 0xe) {
      kept.push(segment);
    }
    at += segment.length;
  }
  throw new RangeError('The JPEG encoder wrote no scan.');
}

function readTables(data: Buffer, tables: Map<number, number[]>): void {
  for (let at = 0; at < data.length;) {
    const name = data[at++] ?? 0;
    const steps: number[] = [];
    for (const position of zigzag) {
      steps[position] = data.readUInt8(at++);
    }
    tables.set(name, steps);
  }
}

function componentsOf(frame: Buffer, tables: ReadonlyMap<number, number[]>): Component[] {
  return Array.from({ length: frame[5] ?? 0 }, (_, index) => {
    const [factors = 0, table = 0] = frame.subarray(7 + 3 * index, 9 + 3 * index);
    return { across: factors >> 4, down: factors & 15, steps: tables.get(table) ?? [] };
  });
}
