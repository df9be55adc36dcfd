/** Rows beyond the visible ones that are drawn as well, so that scrolling never shows a gap. */
const margin = 8;

/** Which of `total` rows of one height are to be drawn: from `first` up to, and without, `end`. */
export function rowWindow(
  scrollTop: number,
  height: number,
  rowHeight: number,
  total: number,
): { first: number; end: number } {
  const first = Math.min(total, Math.max(0, Math.floor(scrollTop / rowHeight) - margin));
  const end = Math.min(total, Math.max(first, Math.ceil((scrollTop + height) / rowHeight) + margin));
  return { first, end };
}

/** How far to scroll so that a row is seen whole; as it is when it is seen already. */
export function scrolledTo(row: number, scrollTop: number, height: number, rowHeight: number): number {
  const top = row * rowHeight;
  return Math.min(top, Math.max(scrollTop, top + rowHeight - height));
}
