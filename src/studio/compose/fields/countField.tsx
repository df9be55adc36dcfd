import './countField.css';
import * as l10n from '@vscode/l10n';
import type { JSX } from 'preact';
import { Field } from '../../components/field.tsx';
import { IconButton } from '../../components/button.tsx';
import { countOf, type ModelFieldProps } from '../../store/studioStore.ts';

/** Shows the number of images to ask for, up to the limit of the model. */
export function CountField({ store, model }: ModelFieldProps): JSX.Element {
  const count = countOf(store.state.draft, model);
  const set = (wanted: number): void => {
    if (Number.isInteger(wanted)) {
      store.change({ count: Math.max(1, Math.min(wanted, model.maxCount)) });
    }
  };
  return (
    <Field
      id="count"
      label={l10n.t('Images')}
      note={model.maxCount === 1 ? l10n.t('{0} returns one image at a time.', model.name) : undefined}
    >
      {(ids) => (
        <div class="count-field">
          <IconButton
            icon="remove"
            label={l10n.t('Fewer')}
            disabled={count <= 1}
            onClick={() => set(count - 1)}
          />
          <input
            {...ids}
            class="input"
            type="number"
            min={1}
            max={model.maxCount}
            disabled={model.maxCount === 1}
            value={count}
            onInput={({ currentTarget }) => set(currentTarget.valueAsNumber)}
            onBlur={({ currentTarget }) => {
              currentTarget.value = String(count);
            }}
          />
          <IconButton
            icon="add"
            label={l10n.t('More')}
            disabled={count >= model.maxCount}
            onClick={() => set(count + 1)}
          />
        </div>
      )}
    </Field>
  );
}
