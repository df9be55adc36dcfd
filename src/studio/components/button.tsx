import './button.css';
import type { ComponentChildren, ComponentProps, JSX } from 'preact';
import { Icon } from './icon.tsx';

interface ButtonProps extends Omit<ComponentProps<'button'>, 'icon'> {
  children: ComponentChildren;
  /** Name of a codicon before the label. */
  icon?: string;
  /** Whether this is the main action of a view. */
  primary?: boolean;
}

/** Shows a button with a label, like those in the editor's dialogs. */
export function Button({ children, icon, primary = false, onClick, ...others }: ButtonProps): JSX.Element {
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
      {icon !== undefined && <Icon name={icon} />}
      <span>{children}</span>
    </button>
  );
}
