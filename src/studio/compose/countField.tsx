import * as l10n from '@vscode/l10n';
import type { JSX } from 'preact';
import { Field } from '../components/field.tsx';
import { Select } from '../components/select.tsx';
import { type StudioContext, countOf, type ModelFieldProps } from '../store/studioStore.ts';
import { IconButton } from '../components/button.tsx';

/** Shows the multiple to which width and height are rounded up, for textures. */
export function MultiplesField({ store }: Pick<StudioContext, 'store'>): JSX.Element {
  return (
    <Field id="multiples" label={l10n.t('Round Size Up')}>
      {(ids) => (
        <Select
          {...ids}
          value={store.state.draft.multiples}
          options={[
            { value: '', label: l10n.t({ message: 'No', comment: ['The size is not rounded up'] }) },
            { value: '16', label: l10n.t('Multiples of 16') },
            { value: 'powerOfTwo', label: l10n.t('Powers of 2') },
          ]}
          change={(multiples) => store.change({ multiples })}
        />
      )}
    </Field>
  );
}

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
