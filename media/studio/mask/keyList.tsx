import './keyList.css';
import { t } from '@vscode/l10n';
import type { JSX } from 'preact';
import type { MaskCommands } from './commands.ts';
import { keyLabel } from './keys.ts';

/** What every key does while the picture has the focus. */
export function KeyList({ commands, isMac }: { commands: MaskCommands; isMac: boolean }): JSX.Element {
  const mod = isMac ? '⌘' : t('Ctrl');
  const others: [keys: string, label: string][] = [
    [t('Arrow keys'), t('Move the crosshair; far with Shift, by one pixel with Alt')],
    [t('Enter, Space'), t('Put the tool down at the crosshair, and lift it')],
    ['Esc', t('Take back what is being drawn')],
    [t('{0} + arrow keys', mod), t('Move the picture')],
    [t('Space + drag'), t('Move the picture, as the middle button does')],
    [t('{0} + wheel', mod), t('Zoom at the pointer')],
    [t('Alt + drag'), t('Take away instead of adding, or the other way round')],
  ];
  return (
    <dl class="key-list" aria-label={t('Keys')}>
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
