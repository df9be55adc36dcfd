import './brushPopover.css';
import type { ComponentChildren, JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

/** Shows options above the image until Esc or a click elsewhere; closing it returns the focus to where it was. */
export function BrushPopover({
  close,
  children,
}: {
  close: () => void;
  children: ComponentChildren;
}): JSX.Element {
  const popover = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const { current } = popover;
    const bar = current?.previousElementSibling?.getBoundingClientRect();
    current?.showPopover();
    if (current && bar) {
      current.style.left = `${bar.left}px`;
      current.style.top = `${bar.bottom}px`;
    }
    current?.querySelector('input')?.focus();
  }, []);
  return (
    <div
      ref={popover}
      class="brush-popover"
      popover="auto"
      onToggle={({ newState }) => newState === 'closed' && close()}
    >
      {children}
    </div>
  );
}
