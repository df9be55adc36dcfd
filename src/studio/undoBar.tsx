import * as l10n from '@vscode/l10n';
import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { sentence, type StudioStore } from './store/studioStore.ts';
import type { Act } from './store/undoStack.ts';
import { Button, IconButton } from './components/button.tsx';
import { useKeptFocus } from './components/focus.ts';

/** Selectors of the elements that take the focus when the bar disappears. */
const places = [
  '.zoom-pane',
  '.tile:not(.awaited, .gone)',
  '.task-card',
  '[role="tab"][aria-selected="true"]',
];

/** Shows the last act with an Undo button, if it is easily done by mistake. */
export function UndoBar({ store }: { store: StudioStore }): JSX.Element | null {
  const [dismissed, dismiss] = useState<Act>();
  const onFocusIn = useKeptFocus(useRef(document.body), places);
  const { last } = store.acts;
  return last?.isShown && last !== dismissed ? (
    <div class="undo-bar" onFocusIn={onFocusIn}>
      <span>{sentence(last.label)}</span>
      <Button icon="discard" onClick={() => void store.undo()}>
        {l10n.t('Undo')}
      </Button>
      <IconButton icon="close" label={l10n.t('Dismiss')} onClick={() => dismiss(last)} />
    </div>
  ) : null;
}
