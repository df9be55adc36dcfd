import type { JSX } from 'preact';
import type { FieldIds } from './field.tsx';
import { Icon } from './button.tsx';

interface SelectProps<Value extends string> extends Partial<FieldIds> {
  'aria-label'?: string;
  value: Value;
  options: readonly { value: Value; label: string }[];
  change: (value: Value) => void;
}

export function Select<Value extends string>({
  options,
  change,
  ...others
}: SelectProps<Value>): JSX.Element {
  return (
    <span class="select">
      <select
        {...others}
        onChange={({ currentTarget }) => {
          const chosen = options.find(({ value }) => value === currentTarget.value);
          if (chosen) {
            change(chosen.value);
          }
        }}
      >
        {options.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
      <Icon name="chevron-down" />
    </span>
  );
}
