import './undoBar.css';
import * as l10n from '@vscode/l10n';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { sentence, type StudioStore } from '../store/studioStore.ts';
import type { Act } from '../store/undoStack.ts';
import { Button, IconButton } from './button.tsx';

/** Shows the last act with a button that undoes it, if it is one that is easily done by mistake. */
export function UndoBar({ store }: { store: StudioStore }): JSX.Element | null {
  const [dismissed, dismiss] = useState<Act>();
  const { last } = store.acts;
  return last?.isShown && last !== dismissed ? (
    <div class="undo-bar">
      <span>{sentence(last.label)}</span>
      <Button icon="discard" onClick={() => void store.undo()}>
        {l10n.t('Undo')}
      </Button>
      <IconButton icon="close" label={l10n.t('Dismiss')} onClick={() => dismiss(last)} />
    </div>
  ) : null;
}
