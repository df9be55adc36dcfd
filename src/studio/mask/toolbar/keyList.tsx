import './keyList.css';
import * as l10n from '@vscode/l10n';
import type { JSX } from 'preact';
import type { MaskCommands } from './commands.ts';
import { keyLabel } from './keys.ts';

/** Lists the keys that work while the image has the focus. */
export function KeyList({ commands, isMac }: { commands: MaskCommands; isMac: boolean }): JSX.Element {
  const mod = isMac ? '⌘' : l10n.t('Ctrl');
  const others: [keys: string, label: string][] = [
    [l10n.t('Arrow keys'), l10n.t('Move the crosshair (Shift: farther, Alt: by one pixel)')],
    [l10n.t('Enter, Space'), l10n.t('Start or stop drawing at the crosshair')],
    ['Esc', l10n.t('Cancel the current drawing')],
    [l10n.t('{0} + arrow keys', mod), l10n.t('Pan the image')],
    [l10n.t('Space + drag'), l10n.t('Pan the image (or drag with the middle button)')],
    [l10n.t('{0} + wheel', mod), l10n.t('Zoom at the pointer')],
    [l10n.t('Alt + drag'), l10n.t('Subtract instead of add, or the reverse')],
  ];
  return (
    // Focusable, so that it can be scrolled by keys where there is little room.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <dl class="key-list" tabIndex={0} aria-label={l10n.t('Keyboard Shortcuts')}>
      {others.map(([keys, label]) => (
        <div key={keys}>
          <dt>{keys}</dt>
          <dd>{label}</dd>
        </div>
      ))}
      {Object.values(commands)
        .flatMap(({ label, combos: [combo] }) => (combo === undefined ? [] : [[combo, label] as const]))
        .map(([combo, label]) => (
          <div key={combo}>
            <dt>{keyLabel(combo, isMac)}</dt>
            <dd>{label}</dd>
          </div>
        ))}
    </dl>
  );
}
