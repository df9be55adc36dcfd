/** A text that stands above what follows it. */
export interface Heading {
  start: number;
  text: string;
}

/** Returns the last heading before a place, if there is one. @param headings in the order of the document */
export function headingBefore(headings: readonly Heading[], at: number): string | undefined {
  let [low, high] = [0, headings.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((headings[middle]?.start ?? Infinity) < at) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return headings[low - 1]?.text;
}
