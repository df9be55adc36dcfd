import type { TargetedKeyboardEvent } from 'preact';

const forward = { row: 'ArrowRight', column: 'ArrowDown' };
const backward = { row: 'ArrowLeft', column: 'ArrowUp' };

/**
 * Moves the focus along the enabled buttons of a row or column, around its ends.
 *
 * @returns the index of the button that has the focus now, or undefined for any other key
 */
export function moveFocus(
  event: TargetedKeyboardEvent<HTMLElement>,
  along: 'row' | 'column',
): number | undefined {
  const buttons = [...event.currentTarget.querySelectorAll<HTMLButtonElement>('button:enabled')];
  const from = buttons.findIndex((button) => button === document.activeElement);
  const next = neighbour(event.key, from, buttons.length, along);
  if (next !== undefined) {
    event.preventDefault();
    buttons[next]?.focus();
  }
  return next;
}

function neighbour(key: string, from: number, count: number, along: 'row' | 'column'): number | undefined {
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
