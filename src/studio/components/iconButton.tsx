import './iconButton.css';
import type { ComponentProps, JSX } from 'preact';
import { Icon } from './icon.tsx';

interface IconButtonProps extends Omit<ComponentProps<'button'>, 'icon' | 'label'> {
  /** Name of a codicon. */
  icon: string;
  /** What it does; its tooltip and what a screen reader says. */
  label: string;
}

/** A button that is only an icon, as in the toolbars of the editor. */
export function IconButton({ icon, label, ...others }: IconButtonProps): JSX.Element {
  return (
    <button type="button" {...others} class="icon-button" title={label} aria-label={label}>
      <Icon name={icon} />
    </button>
  );
}
