const forward = { row: 'ArrowRight', column: 'ArrowDown' };
const backward = { row: 'ArrowLeft', column: 'ArrowUp' };

/** Which of so many controls in a row or column a key goes to, round its ends; nothing for any other key. */
export function neighbour(
  key: string,
  from: number,
  count: number,
  along: 'row' | 'column',
): number | undefined {
  switch (key) {
    case forward[along]:
      return (from + 1) % count;
    case backward[along]:
      return (from + count - 1) % count;
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return undefined;
  }
}
