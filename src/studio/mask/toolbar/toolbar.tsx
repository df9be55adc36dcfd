import './toolbar.css';
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { moveFocus } from '../../components/moveFocus.ts';

/** Shows buttons as one stop of the Tab key; arrow keys move between them. */
export function Toolbar({ label, children }: { label: string; children: ComponentChildren }): JSX.Element {
  const bar = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const buttons = enabledButtons(bar.current);
    if (!buttons.some((button) => button.tabIndex === 0)) {
      makeReachable(bar.current, buttons[0]);
    }
  });
  useEffect(() => makeReachable(bar.current, enabledButtons(bar.current)[0]), []);
  return (
    // The arrow keys are for the buttons inside.
    // oxlint-disable-next-line jsx-a11y/interactive-supports-focus
    <div
      ref={bar}
      class="toolbar"
      role="toolbar"
      aria-label={label}
      onKeyDown={(event) => void moveFocus(event, 'row')}
      onFocusIn={({ target }) => target instanceof HTMLElement && makeReachable(bar.current, target)}
    >
      {children}
    </div>
  );
}

function enabledButtons(bar: HTMLElement | null): HTMLButtonElement[] {
  return [...(bar?.querySelectorAll<HTMLButtonElement>('button:enabled') ?? [])];
}

function makeReachable(bar: HTMLElement | null, reachable: HTMLElement | undefined): void {
  for (const button of bar?.querySelectorAll('button') ?? []) {
    button.tabIndex = button === reachable ? 0 : -1;
  }
}
