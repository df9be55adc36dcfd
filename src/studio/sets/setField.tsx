import * as l10n from '@vscode/l10n';
import type { JSX, TargetedClipboardEvent } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { IconButton } from '../components/button.tsx';
import { Notes } from '../components/field.tsx';
import { focusAfterRender } from '../components/focus.ts';
import { isUndo } from '../components/keys.ts';
import type { SetRow } from '../protocol/draft.ts';
import type { StudioReplies } from '../protocol/messages.ts';
import type { StudioContext } from '../store/studioStore.ts';
import type { Act } from '../store/undoStack.ts';
import { filledRows, nameId, promptId, withRow, withRows } from './setRows.ts';

/** Shows the table of a set. A table or a list that is pasted into it becomes its rows. */
export function SetField({ store, host }: StudioContext): JSX.Element {
  const { setRows } = store.state.draft;
  const [problem, setProblem] = useState<string>();
  const [isWriting, setIsWriting] = useState(false);
  const table = useRef<HTMLTableElement>(null);
  const { length } = filledRows(store.state.draft);
  const done = useRef<{ act: Act | undefined; rows: readonly SetRow[] }>(undefined);
  useEffect(() => document.getElementById(promptId(setRows.length))?.focus(), []);
  const change = (at: number, changed: Partial<SetRow>): void => {
    setProblem(undefined);
    store.change({ setRows: withRow(setRows, at, changed) });
  };
  /** Changes whole rows, which the undo key of a text field can't undo. */
  const act = (label: string, rows: SetRow[]): void => {
    store.act(label, { setRows: rows }, true);
    done.current = { act: store.acts.last, rows };
  };
  const undoRows = (event: KeyboardEvent): void => {
    const { acts, state } = store;
    const isLast = acts.last === done.current?.act && state.draft.setRows === done.current?.rows;
    if (isLast && isUndo(event, store.state.isMac)) {
      event.preventDefault();
      event.stopPropagation();
      void store.undo();
    }
  };
  const add = (rows: readonly SetRow[], at: number): void => {
    const added = withRows(store.state.draft.setRows, at, rows);
    act(rows.length === 1 ? l10n.t('added 1 image') : l10n.t('added {0} images', rows.length), added);
    focusAfterRender(() => document.getElementById(promptId(added.length)));
  };
  const addRead = (reading: Promise<StudioReplies['pickSet']>, at?: number): void => {
    void store.attempt(async () => {
      const read = await reading;
      if (read) {
        setProblem(read.problem);
      }
      if (read && read.rows.length > 0) {
        add(read.rows, at ?? store.state.draft.setRows.length);
      }
    });
  };
  const paste = (event: TargetedClipboardEvent<HTMLTableElement>): void => {
    const text = event.clipboardData?.getData('text/plain').trim() ?? '';
    // A word or a sentence goes into its field.
    if (!/[\r\n\t]|^\|/u.test(text)) {
      return;
    }
    event.preventDefault();
    addRead(host.ask('readSet', { text }), rowOf(event.target) ?? setRows.length);
  };
  const write = async (): Promise<void> => {
    if (isWriting) {
      return;
    }
    setIsWriting(true);
    await store.attempt(async () => {
      const rows = await host.ask('writeSet', {});
      if (rows) {
        add(rows, store.state.draft.setRows.length);
      }
    });
    setIsWriting(false);
  };
  const remove = (at: number): void => {
    act(l10n.t('removed an image of the set'), setRows.toSpliced(at, 1));
    focusAfterRender(() => document.getElementById(promptId(at)));
  };
  return (
    <div class="set-field" role="group" aria-labelledby="set-label">
      <div class="field-head">
        <span id="set-label">{l10n.t('Set of Images')}</span>
        <div class="prompt-buttons">
          {store.state.hasLanguageModel && (
            <IconButton
              icon={isWriting ? 'loading' : 'sparkle'}
              spins={isWriting}
              label={l10n.t('Write with a Language Model…')}
              aria-disabled={isWriting}
              onClick={() => void write()}
            />
          )}
          <IconButton
            icon="folder-opened"
            label={l10n.t('Add from a File…')}
            onClick={() => addRead(host.ask('pickSet', {}))}
          />
          <IconButton
            icon="clear-all"
            label={l10n.t('Clear the Set')}
            disabled={length === 0}
            onClick={() => {
              act(l10n.t('cleared the set'), []);
              focusAfterRender(() => document.getElementById(promptId(0)));
            }}
          />
          <IconButton
            icon="file-media"
            label={l10n.t('Generate a Single Image')}
            onClick={() => {
              store.change({ isSet: false });
              focusAfterRender(() => document.getElementById('prompt'));
            }}
          />
        </div>
      </div>
      <table ref={table} onPaste={paste} onKeyDown={undoRows}>
        <thead>
          <tr>
            <th scope="col">{l10n.t('Name')}</th>
            <th scope="col">{l10n.t('Prompt')}</th>
          </tr>
        </thead>
        <tbody>
          {[...setRows, { name: '', prompt: '' }].map(({ name, prompt }, index) => (
            <tr key={index} data-row={index}>
              <td>
                <input
                  id={nameId(index)}
                  class="input"
                  aria-label={l10n.t('Name of Image {0}', index + 1)}
                  spellcheck={false}
                  value={name}
                  onInput={({ currentTarget }) => change(index, { name: currentTarget.value })}
                />
              </td>
              <td>
                <textarea
                  id={promptId(index)}
                  class="input"
                  aria-label={l10n.t('Prompt of Image {0}', index + 1)}
                  rows={1}
                  dir="auto"
                  spellcheck
                  value={prompt}
                  placeholder={setRows.length === 0 ? l10n.t('Type, or paste a table or a list') : undefined}
                  onInput={({ currentTarget }) => change(index, { prompt: currentTarget.value })}
                />
              </td>
              <td>
                {index < setRows.length && (
                  <IconButton
                    icon="close"
                    label={l10n.t('Remove Image {0}', index + 1)}
                    onClick={() => remove(index)}
                  />
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <Notes
        id="set-notes"
        note={l10n.t('All images get the settings below. Their names are part of the file names.')}
        problem={problem}
      />
    </div>
  );
}

/** Returns the row in which something happened. */
function rowOf(target: EventTarget | null): number | undefined {
  const row = target instanceof Element ? target.closest<HTMLElement>('[data-row]') : null;
  return row ? Number(row.dataset['row']) : undefined;
}
