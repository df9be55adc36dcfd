import './iconButton.css';
import type { ComponentProps, JSX } from 'preact';
import { Icon } from './icon.tsx';

interface IconButtonProps extends Omit<ComponentProps<'button'>, 'icon' | 'label'> {
  /** Name of a codicon. */
  icon: string;
  /** Tooltip and accessible name. */
  label: string;
}

/** Shows a button that is only an icon, like those in the editor's toolbars. */
export function IconButton({ icon, label, ...others }: IconButtonProps): JSX.Element {
  return (
    <button type="button" {...others} class="icon-button" title={label} aria-label={label}>
      <Icon name={icon} />
    </button>
  );
}
