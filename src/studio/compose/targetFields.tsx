import * as l10n from '@vscode/l10n';
import type { JSX } from 'preact';
import { Button } from '../components/button.tsx';
import { Field } from '../components/field.tsx';
import { inputsOf, type StudioContext } from '../store/studioStore.ts';

export function TargetFields({ store, host }: StudioContext): JSX.Element {
  const { draft, defaults, target } = store.state;
  const isBeside = Boolean(inputsOf(store.state)[0]?.path);
  const pick = (): Promise<void> =>
    store.attempt(async () => {
      const folder = await host.ask('pickFolder', {});
      if (folder !== null) {
        store.change({ folder });
      }
    });
  return (
    <>
      <Field id="folder" label={l10n.t('Folder')}>
        {(ids) => (
          <div class="target-folder">
            <input
              {...ids}
              class="input"
              spellcheck={false}
              placeholder={isBeside ? l10n.t('Beside the first input image') : defaults.folder}
              value={draft.folder}
              onInput={({ currentTarget }) => store.change({ folder: currentTarget.value })}
            />
            <Button onClick={() => void pick()}>{l10n.t('Browse…')}</Button>
          </div>
        )}
      </Field>
      <Field id="file-name" label={l10n.t('File Name')} problem={target.problem}>
        {(ids) => (
          <input
            {...ids}
            class="input"
            spellcheck={false}
            title={l10n.t(
              'Without extension. Variables: {prompt}, {date}, {time}, {model}, {index}, {name}, {id}.',
            )}
            placeholder={isBeside ? '{name}-edited' : defaults.fileName}
            value={draft.fileName}
            onInput={({ currentTarget }) => store.change({ fileName: currentTarget.value })}
          />
        )}
      </Field>
      {target.problem === undefined && (
        <p class="target-path">
          <span class="only-spoken">{l10n.t('Will be saved as')} </span>
          <span class="codicon codicon-file-media" aria-hidden="true" />
          <span>{target.path}</span>
        </p>
      )}
    </>
  );
}
