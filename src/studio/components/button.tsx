// Room: controls that look like the editor's own.
// Never: words about images.

import './button.css';
import './iconButton.css';
import type { ComponentChildren, ComponentProps, JSX } from 'preact';
import { Icon } from './icon.tsx';

interface ButtonProps extends Omit<ComponentProps<'button'>, 'icon'> {
  children: ComponentChildren;
  /** Name of a codicon before the label. */
  icon?: string;
  spins?: boolean;
  /** Whether this is the main action of a view. */
  primary?: boolean;
}

/** Shows a button with a label, like those in the editor's dialogs. */
export function Button({
  children,
  icon,
  spins = false,
  primary = false,
  onClick,
  ...others
}: ButtonProps): JSX.Element {
  return (
    <button
      type="button"
      {...others}
      class={primary ? 'button primary' : 'button'}
      onClick={(event) => {
        // Ignores the second click of a double click: some buttons cost money.
        if (event.detail <= 1) {
          onClick?.(event);
        }
      }}
    >
      {icon !== undefined && <Icon name={icon} spins={spins} />}
      <span>{children}</span>
    </button>
  );
}

interface IconButtonProps extends Omit<ComponentProps<'button'>, 'icon' | 'label'> {
  icon: string;
  /** Tooltip and accessible name. */
  label: string;
  spins?: boolean;
}

/** Shows a button that is only an icon, like those in the editor's toolbars. */
export function IconButton({ icon, label, spins = false, ...others }: IconButtonProps): JSX.Element {
  return (
    <button type="button" {...others} class="icon-button" title={label} aria-label={label}>
      <Icon name={icon} spins={spins} />
    </button>
  );
}
