import './select.css';
import type { ComponentProps, JSX } from 'preact';
import { Icon } from './icon.tsx';

/** Shows a drop-down list, like those in the editor's settings. */
export function Select(props: ComponentProps<'select'>): JSX.Element {
  return (
    <span class="select">
      <select {...props} />
      <Icon name="chevron-down" />
    </span>
  );
}
