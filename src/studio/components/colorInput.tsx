import type { JSX } from 'preact';
import type { FieldIds } from './field.tsx';

interface ColorInputProps extends Partial<FieldIds> {
  'aria-label'?: string;
  tabIndex?: number;
  /** Like `#ff8800`. */
  value: string;
  change: (value: string) => void;
}

export function ColorInput({ change, ...others }: ColorInputProps): JSX.Element {
  return (
    <input
      type="color"
      class="color-input"
      {...others}
      onInput={({ currentTarget }) => change(currentTarget.value)}
    />
  );
}
