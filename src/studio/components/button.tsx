import './button.css';
import type { ComponentChildren, ComponentProps, JSX } from 'preact';
import { Icon } from './icon.tsx';

interface ButtonProps extends Omit<ComponentProps<'button'>, 'icon'> {
  children: ComponentChildren;
  /** Name of a codicon before the words. */
  icon?: string;
  /** The one that a view is for. */
  primary?: boolean;
}

/** A button with words, as in the dialogs of the editor. */
export function Button({ children, icon, primary = false, onClick, ...others }: ButtonProps): JSX.Element {
  return (
    <button
      type="button"
      {...others}
      class={primary ? 'button primary' : 'button'}
      onClick={(event) => {
        // Only the first click of a double click: some buttons cost money.
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
