import * as l10n from '@vscode/l10n';
import type { JSX } from 'preact';
import { Field } from '../../components/field.tsx';
import { Select } from '../../components/select.tsx';
import type { StudioContext } from '../../store/studioStore.ts';

/** Shows what width and height are rounded up to, for textures. */
export function MultiplesField({ store }: Pick<StudioContext, 'store'>): JSX.Element {
  return (
    <Field id="multiples" label={l10n.t('Round Size Up')}>
      {(ids) => (
        <Select
          {...ids}
          value={store.state.draft.multiples}
          options={[
            { value: '', label: l10n.t('No') },
            { value: '16', label: l10n.t('Multiples of 16') },
            { value: 'powerOfTwo', label: l10n.t('Powers of 2') },
          ]}
          change={(multiples) => store.change({ multiples })}
        />
      )}
    </Field>
  );
}
