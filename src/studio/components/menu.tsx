import type { JSX, TargetedKeyboardEvent } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { Icon } from './button.tsx';
import { moveFocus } from './focus.ts';
import type { Point } from './zoom.ts';

export interface MenuItem {
  label: string;
  icon: string;
  /** The equivalent key. */
  keyLabel?: string | undefined;
  run: () => void;
}

interface MenuProps {
  label: string;
  items: readonly MenuItem[];
  /** Position of its top left corner in the page. */
  at: Point;
  close: () => void;
}

/** Shows an open menu; closing it returns the focus. */
export function Menu({ label, items, at, close }: MenuProps): JSX.Element {
  const menu = useRef<HTMLDivElement>(null);
  const onClose = useRef(close);
  onClose.current = close;

  useLayoutEffect(() => {
    const element = menu.current;
    const before = document.activeElement;
    if (!element) {
      return undefined;
    }
    element.showPopover();
    const { width, height } = element.getBoundingClientRect();
    element.style.left = `${Math.max(0, Math.min(at.x, window.innerWidth - width))}px`;
    element.style.top = `${Math.max(0, Math.min(at.y, window.innerHeight - height))}px`;
    element.querySelector('button')?.focus();
    // The browser would close the menu when the mouse button that opened it is released.
    const leave = (event: Event): void => {
      if (!(event.target instanceof Node && element.contains(event.target))) {
        onClose.current();
      }
    };
    window.addEventListener('pointerdown', leave, true);
    window.addEventListener('blur', leave);
    return () => {
      window.removeEventListener('pointerdown', leave, true);
      window.removeEventListener('blur', leave);
      const isLost = document.activeElement === document.body || element.contains(document.activeElement);
      if (isLost && before instanceof HTMLElement) {
        before.focus();
      }
    };
  }, [at]);

  const onKeyDown = (event: TargetedKeyboardEvent<HTMLDivElement>): void => {
    // Keeps the keys of a menu from other views.
    event.stopPropagation();
    if (moveFocus(event, 'column') === undefined && (event.key === 'Tab' || event.key === 'Escape')) {
      event.preventDefault();
      onClose.current();
    }
  };
  return (
    <div
      ref={menu}
      class="menu"
      popover="manual"
      role="menu"
      aria-label={label}
      tabIndex={-1}
      onKeyDown={onKeyDown}
    >
      {items.map((item) => (
        <button
          key={item.label}
          type="button"
          role="menuitem"
          tabIndex={-1}
          aria-keyshortcuts={item.keyLabel}
          onPointerMove={({ currentTarget }) => currentTarget.focus()}
          onClick={() => {
            onClose.current();
            item.run();
          }}
        >
          <Icon name={item.icon} />
          {item.label}
          {item.keyLabel !== undefined && (
            <span class="menu-key" aria-hidden="true">
              {item.keyLabel}
            </span>
          )}
        </button>
      ))}
    </div>
  );
}
