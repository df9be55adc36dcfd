import { t } from '@vscode/l10n';
import type { JSX } from 'preact';
import { Field } from '../parts/field.tsx';
import type { ModelParts } from './modelParts.ts';

/** The quality to ask for, in the service's own words. */
export function QualityField({ work, model }: ModelParts): JSX.Element {
  const note = model.family === 'native' ? t('Not sent, like the size.') : undefined;
  return (
    <Field id="quality" label={t('Quality')} note={note}>
      {(ids) => (
        <input
          {...ids}
          class="input"
          disabled={note !== undefined}
          spellcheck={false}
          placeholder={t('Service decides')}
          title={t('A word that the service knows, such as “standard”.')}
          value={work.state.draft.quality}
          onInput={({ currentTarget }) => work.change({ quality: currentTarget.value })}
        />
      )}
    </Field>
  );
}
