/** A line without its end. */
export interface Line {
  start: number;
  text: string;
}

/** Walks through the lines of a text, whatever their ends are. */
export function* linesOf(text: string): Generator<Line> {
  for (let start = 0; start <= text.length;) {
    const end = text.indexOf('\n', start);
    const stop = end < 0 ? text.length : end;
    yield { start, text: text.slice(start, text[stop - 1] === '\r' ? Math.max(start, stop - 1) : stop) };
    start = stop + 1;
  }
}
