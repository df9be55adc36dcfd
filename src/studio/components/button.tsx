import type { JSX, ComponentChildren, ComponentProps } from 'preact';

/** Shows a codicon, hidden from screen readers. */
export function Icon({ name, spins = false }: { name: string; spins?: boolean }): JSX.Element {
  return (
    <span class={`codicon codicon-${name}${spins ? ' codicon-modifier-spin' : ''}`} aria-hidden="true" />
  );
}

interface ButtonProps extends Omit<ComponentProps<'button'>, 'icon'> {
  children: ComponentChildren;
  /** Name of a codicon in front of the label. */
  icon?: string;
  spins?: boolean;
  /** Whether this is the main action of a view. */
  primary?: boolean;
}

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

export function IconButton({ icon, label, spins = false, ...others }: IconButtonProps): JSX.Element {
  return (
    <button type="button" {...others} class="icon-button" title={label} aria-label={label}>
      <Icon name={icon} spins={spins} />
    </button>
  );
}
