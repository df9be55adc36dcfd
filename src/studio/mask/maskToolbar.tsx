import * as l10n from '@vscode/l10n';
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Icon } from '../components/button.tsx';
import { moveFocus } from '../components/focus.ts';
import type { MaskCommand, ViewCommands } from './commands.ts';
import { keyLabel } from '../components/keys.ts';

interface MaskToolbarProps {
  label: string;
  /** Commands in groups, before those of the view. */
  tools: readonly (readonly MaskCommand[])[];
  view: ViewCommands;
  scale: number;
  isMac: boolean;
  /** Behind the buttons. */
  children?: ComponentChildren;
}

export function MaskToolbar({ label, tools, view, scale, isMac, children }: MaskToolbarProps): JSX.Element {
  const buttons = (...chosen: readonly MaskCommand[]): JSX.Element[] =>
    chosen.map((command) => <CommandButton key={command.label} command={command} isMac={isMac} />);
  return (
    <Toolbar label={label}>
      {tools.map((group, index) => (
        <div key={index} class="group">
          {buttons(...group)}
        </div>
      ))}
      <div class="group">
        {buttons(view.zoomOut)}
        <output class="scale">{l10n.t('{0}%', Math.round(100 * scale))}</output>
        {buttons(view.zoomIn, view.fit, view.actualSize, view.keys)}
        {children}
      </div>
    </Toolbar>
  );
}

/** Shows buttons as one tab stop; arrow keys move between them. */
function Toolbar({ label, children }: { label: string; children: ComponentChildren }): JSX.Element {
  const bar = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const buttons = enabledButtons(bar.current);
    if (!buttons.some((button) => button.tabIndex === 0)) {
      makeReachable(bar.current, buttons[0]);
    }
  });
  useEffect(() => makeReachable(bar.current, enabledButtons(bar.current)[0]), []);
  return (
    // The arrow keys are for the buttons inside.
    // oxlint-disable-next-line jsx-a11y/interactive-supports-focus
    <div
      ref={bar}
      class="toolbar"
      role="toolbar"
      aria-label={label}
      onKeyDown={(event) => void moveFocus(event, 'row')}
      onFocusIn={({ target }) => target instanceof HTMLElement && makeReachable(bar.current, target)}
    >
      {children}
    </div>
  );
}

function enabledButtons(bar: HTMLElement | null): HTMLButtonElement[] {
  return [...(bar?.querySelectorAll<HTMLButtonElement>('button:enabled') ?? [])];
}

function makeReachable(bar: HTMLElement | null, reachable: HTMLElement | undefined): void {
  for (const button of bar?.querySelectorAll('button') ?? []) {
    button.tabIndex = button === reachable ? 0 : -1;
  }
}

function CommandButton({ command, isMac }: { command: MaskCommand; isMac: boolean }): JSX.Element {
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
