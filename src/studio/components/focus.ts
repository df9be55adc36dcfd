import type { RefObject, TargetedFocusEvent, TargetedKeyboardEvent } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';

/** Focuses the result of `find` once the changes of this turn are rendered. */
export function focusAfterRender(find: () => HTMLElement | null | undefined): void {
  // They are rendered in a microtask, which may only be queued after this call.
  queueMicrotask(() => queueMicrotask(() => find()?.focus()));
}

/** Returns the focus to the element that lost it to a VS Code dialog; VS Code itself only returns it to the page. */
export function returnFocusFromDialogs(): void {
  let last: EventTarget | null = null;
  document.addEventListener('focusin', () => (last = null));
  document.addEventListener('focusout', ({ target }) => (last = target));
  window.addEventListener('focus', () => {
    if (last instanceof HTMLElement && document.activeElement === document.body) {
      last.focus();
    }
  });
}

/**
 * Keeps the focus in an area of the page: if the focused element disappears or is disabled, focuses its successor.
 *
 * @param places selectors of elements that can take the focus or contain a button that can, in order of preference
 * @returns a listener for `onFocusIn` of the area
 */
export function useKeptFocus<Area extends HTMLElement>(
  area: RefObject<Area | null>,
  places: readonly string[],
): (event: TargetedFocusEvent<Area>) => void {
  /** The element that had the focus last, and how many of each of the places come before it. */
  const last = useRef<{ element: HTMLElement; positions: readonly number[] }>(undefined);

  const keep = (): void => {
    const { activeElement, body } = document;
    const { element, positions } = last.current ?? {};
    if (!element || !positions || (element.isConnected && !element.matches(':disabled'))) {
      return;
    }
    // The focus is not taken from another part of the page or of VS Code.
    if ((activeElement === body || activeElement === element) && document.hasFocus()) {
      last.current = undefined;
      successor(area.current, places, positions)?.focus();
    }
  };
  useLayoutEffect(keep);
  useEffect(() => {
    // The focused element may have disappeared while a VS Code dialog was open.
    window.addEventListener('focus', keep);
    return () => window.removeEventListener('focus', keep);
  }, []);
  return ({ target, currentTarget }) => {
    if (target instanceof HTMLElement) {
      const isBefore = (place: Element): boolean =>
        !place.contains(target) &&
        (target.compareDocumentPosition(place) & Node.DOCUMENT_POSITION_PRECEDING) !== 0;
      last.current = {
        element: target,
        positions: places.map((place) => [...currentTarget.querySelectorAll(place)].filter(isBefore).length),
      };
    }
  };
}

/** Returns the element to focus: at the same position among the first places that exist, or else the last. */
function successor(
  area: HTMLElement | null,
  places: readonly string[],
  positions: readonly number[],
): HTMLElement | null | undefined {
  for (const [index, place] of places.entries()) {
    const found = [...(area?.querySelectorAll<HTMLElement>(place) ?? [])];
    const next = found[positions[index] ?? 0] ?? found.at(-1);
    if (next) {
      return next.matches('[tabindex]') ? next : next.querySelector<HTMLElement>('button:enabled');
    }
  }
  return undefined;
}

const forward = { row: 'ArrowRight', column: 'ArrowDown' };
const backward = { row: 'ArrowLeft', column: 'ArrowUp' };

/**
 * Moves the focus along the enabled buttons of a row or column, wrapping at its ends.
 *
 * @returns the index of the focused button, or undefined for any other key
 */
export function moveFocus(
  event: TargetedKeyboardEvent<HTMLElement>,
  along: 'row' | 'column',
): number | undefined {
  const buttons = [...event.currentTarget.querySelectorAll<HTMLButtonElement>('button:enabled')];
  const from = buttons.findIndex((button) => button === document.activeElement);
  const next = neighbor(event.key, from, buttons.length, along);
  if (next !== undefined) {
    event.preventDefault();
    buttons[next]?.focus();
  }
  return next;
}

function neighbor(key: string, from: number, count: number, along: 'row' | 'column'): number | undefined {
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
