import type { JSX } from 'preact';

/** Shows a codicon, hidden from screen readers. */
export function Icon({ name, spins = false }: { name: string; spins?: boolean }): JSX.Element {
  return (
    <span class={`codicon codicon-${name}${spins ? ' codicon-modifier-spin' : ''}`} aria-hidden="true" />
  );
}
