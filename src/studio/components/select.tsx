import './select.css';
import type { ComponentProps, JSX } from 'preact';
import { Icon } from './icon.tsx';

/** A list to choose one from, as in the settings of the editor. */
export function Select(props: ComponentProps<'select'>): JSX.Element {
  return (
    <span class="select">
      <select {...props} />
      <Icon name="chevron-down" />
    </span>
  );
}
