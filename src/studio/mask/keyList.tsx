import * as l10n from '@vscode/l10n';
import type { JSX, TargetedKeyboardEvent } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { IconButton } from '../components/button.tsx';
import type { MaskCommand } from './commands.ts';
import { keyLabel } from '../components/keys.ts';

interface KeyListProps {
  commands: Readonly<Record<string, MaskCommand>>;
  isMac: boolean;
  close: () => void;
}

/** Lists the keys of the editor above the page; closing it returns the focus. */
export function KeyList({ commands, isMac, close }: KeyListProps): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const { current } = dialog;
    current?.showModal();
    return () => current?.close();
  }, []);
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLElement>): void => {
    // The listed keys do nothing meanwhile.
    event.stopPropagation();
    if (event.key === 'Escape' || event.key === '?') {
      event.preventDefault();
      close();
    }
  };
  const mod = isMac ? '⌘' : l10n.t('Ctrl');
  const others: [keys: string, label: string][] = [
    [l10n.t('Arrow keys'), l10n.t('Move the crosshair (Shift: farther, Alt: by one pixel)')],
    [l10n.t('Enter, Space'), l10n.t('Start or stop drawing at the crosshair')],
    ['Esc', l10n.t('Cancel the current drawing')],
    [l10n.t('{0} + arrow keys', mod), l10n.t('Pan the image')],
    [l10n.t('Space + drag'), l10n.t('Pan the image (or drag with the middle button)')],
    [l10n.t('Wheel'), l10n.t('Zoom at the pointer (Shift: pan sideways)')],
    [l10n.t('Alt + drag'), l10n.t('Subtract instead of add, or the reverse (or drag with the right button)')],
    [l10n.t('Shift + click'), l10n.t('Draw a straight line from the last point')],
  ];
  return (
    <dialog
      ref={dialog}
      class="key-list"
      aria-labelledby="key-list-title"
      onKeyDown={onKeyDown}
      onClose={close}
      onClick={({ target, currentTarget }) => target === currentTarget && close()}
    >
      <header>
        <h2 id="key-list-title">{l10n.t('Keyboard Shortcuts')}</h2>
        <IconButton icon="close" label={l10n.t('Close')} onClick={close} />
      </header>
      <dl>
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
    </dialog>
  );
}
