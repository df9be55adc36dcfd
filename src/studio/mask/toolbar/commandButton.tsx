import './commandButton.css';
import type { JSX } from 'preact';
import { Icon } from '../../components/icon.tsx';
import type { MaskCommand } from './commands.ts';
import { keyLabel } from './keys.ts';

/** Shows a command as a button with its key. */
export function CommandButton({ command, isMac }: { command: MaskCommand; isMac: boolean }): JSX.Element {
  const { label, icon, combos, run, isDisabled = false, isPressed } = command;
  const [combo] = combos;
  const key = combo === undefined ? undefined : keyLabel(combo, isMac);
  return (
    <button
      type="button"
      class="command-button"
      title={key === undefined ? label : `${label} (${key})`}
      aria-label={label}
      aria-keyshortcuts={combo === undefined ? undefined : ariaKeys(combo, isMac)}
      aria-pressed={isPressed}
      disabled={isDisabled}
      onClick={run}
    >
      {icon === 'lasso' ? <LassoIcon /> : <Icon name={icon} />}
      {key !== undefined && key.length <= 3 && <kbd aria-hidden="true" data-key={key} />}
    </button>
  );
}

/** Draws a lasso, which the codicons lack. */
function LassoIcon(): JSX.Element {
  return (
    <svg width="16" height="16" viewBox="0 0 16 16" fill="none" stroke="currentColor" aria-hidden="true">
      <path d="M5 9.8C3 9.3 1.5 8 1.5 6.3 1.5 3.9 4.4 2 8 2s6.5 1.9 6.5 4.3S11.6 10.6 8 10.6c-.5 0-1 0-1.5-.1" />
      <circle cx="5.5" cy="10.5" r="1.3" />
      <path d="M5.3 11.8c.4 1-.1 2-1.3 2.4" />
    </svg>
  );
}

function ariaKeys(combo: string, isMac: boolean): string {
  return combo
    .split(/\+(?=.)/)
    .map((part) => (part === 'mod' ? (isMac ? 'Meta' : 'Control') : part === '+' ? 'Plus' : upperFirst(part)))
    .join('+');
}

function upperFirst(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
