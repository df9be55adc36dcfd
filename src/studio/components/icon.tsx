import type { JSX } from 'preact';

/** A codicon, by its name; a picture beside words, which no screen reader reads. */
export function Icon({ name, spins = false }: { name: string; spins?: boolean }): JSX.Element {
  return (
    <span class={`codicon codicon-${name}${spins ? ' codicon-modifier-spin' : ''}`} aria-hidden="true" />
  );
}
