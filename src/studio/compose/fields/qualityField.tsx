import * as l10n from '@vscode/l10n';
import type { JSX } from 'preact';
import { Field } from '../../components/field.tsx';
import type { ModelFieldProps } from '../../store/studioStore.ts';

/** Shows the quality to ask for, a word that the service defines. */
export function QualityField({ store, model }: ModelFieldProps): JSX.Element {
  const note = model.family === 'native' ? l10n.t('Not sent, like the size.') : undefined;
  return (
    <Field id="quality" label={l10n.t('Quality')} note={note}>
      {(ids) => (
        <input
          {...ids}
          class="input"
          disabled={note !== undefined}
          spellcheck={false}
          placeholder={l10n.t('Auto')}
          title={l10n.t('A value the service supports, such as "standard".')}
          value={store.state.draft.quality}
          onInput={({ currentTarget }) => store.change({ quality: currentTarget.value })}
        />
      )}
    </Field>
  );
}
