import * as l10n from '@vscode/l10n';
import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import type { StudioInput } from '../protocol/state.ts';
import { isMasked, type ModelFieldProps } from '../store/studioStore.ts';
import { Button, IconButton, Icon } from '../components/button.tsx';
import { inputType } from './inputList.ts';
import { sizeText } from '../../common/text.ts';

interface InputRowProps extends ModelFieldProps {
  input: StudioInput;
  /** From 0. */
  index: number;
  count: number;
  /** Whether a dragged image would be dropped before this one. */
  isDropPlace: boolean;
  move: (to: number) => void;
  remove: () => void;
}

export function InputRow(props: InputRowProps): JSX.Element {
  const { store, host, model, input, index, count, isDropPlace, move, remove } = props;
  const row = useRef<HTMLLIElement>(null);
  const { name } = input;
  // The thumbnail shows the current file, whose size is unknown until it is reloaded.
  const isOutdated = input.onDisk !== undefined && input.onDisk !== 'deleted';
  const reload = (): Promise<void> =>
    store.attempt(async () => {
      const { id } = input;
      const fresh = await host.ask('reloadInput', { id });
      store.replaceInput(id, fresh);
    });
  const step = (to: number, button: string): void => {
    move(to);
    // Moving the row in the page takes the focus from its buttons.
    requestAnimationFrame(() => {
      const buttons = row.current?.querySelectorAll<HTMLButtonElement>('.input-moves button:enabled');
      const same = [...(buttons ?? [])].find(({ dataset }) => dataset['step'] === button);
      (same ?? buttons?.[0])?.focus();
    });
  };
  return (
    <li
      ref={row}
      class={isDropPlace ? 'input-row drop-place' : 'input-row'}
      draggable={count > 1}
      onDragStart={({ dataTransfer }) => {
        dataTransfer?.setData(inputType, input.id);
        if (dataTransfer) {
          dataTransfer.effectAllowed = 'move';
        }
      }}
    >
      {input.url === '' ? (
        <span class="input-missing">
          <Icon name="file-media" />
        </span>
      ) : (
        <img src={input.url} alt="" draggable={false} />
      )}
      <div class="input-words">
        <span class="input-name" title={input.path || input.name}>
          {name}
        </span>
        {!isOutdated && <span class="input-size">{`${sizeText(input)} · ${bytesText(input.size)}`}</span>}
        {input.notes.map((note) => (
          <span key={note} class="input-note">
            <Icon name="warning" />
            <span>{note}</span>
          </span>
        ))}
        {input.onDisk && (
          <span class="input-note" role="status">
            <Icon name="warning" />
            <span>{onDiskText(input.onDisk)}</span>
          </span>
        )}
        {isOutdated && (
          <Button icon="refresh" onClick={() => void reload()}>
            {l10n.t('Reload')}
          </Button>
        )}
        {index === 0 && model.mask !== 'none' && (
          <Button icon="paintcan" onClick={() => store.updateView({ stage: 'mask' })}>
            {isMasked(store.state) ? l10n.t('Edit Mask') : l10n.t('Paint Mask')}
          </Button>
        )}
      </div>
      <div class="input-moves">
        <IconButton icon="close" label={l10n.t('Remove {0}', name)} onClick={remove} />
        {count > 1 && (
          <>
            <IconButton
              icon="arrow-up"
              data-step="up"
              label={l10n.t('Move {0} Up', name)}
              disabled={index === 0}
              onClick={() => step(index - 1, 'up')}
            />
            <IconButton
              icon="arrow-down"
              data-step="down"
              label={l10n.t('Move {0} Down', name)}
              disabled={index === count - 1}
              onClick={() => step(index + 1, 'down')}
            />
          </>
        )}
      </div>
    </li>
  );
}

function onDiskText(onDisk: NonNullable<StudioInput['onDisk']>): string {
  switch (onDisk) {
    case 'changed':
      return l10n.t('Changed on disk.');
    case 'replaced':
      return l10n.t('Replaced by an edited image.');
    case 'deleted':
      return l10n.t('Deleted.');
  }
}

function bytesText(bytes: number): string {
  return bytes < 1024 * 1024
    ? l10n.t('{0} KB', Math.max(1, Math.round(bytes / 1024)))
    : l10n.t('{0} MB', (bytes / 1024 / 1024).toFixed(1));
}
