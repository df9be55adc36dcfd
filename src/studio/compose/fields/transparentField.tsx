import './transparentField.css';
import * as l10n from '@vscode/l10n';
import type { JSX } from 'preact';
import { Select } from '../../components/select.tsx';
import type { StudioModel } from '../../protocol/state.ts';
import type { ModelFieldProps } from '../../store/studioStore.ts';

/** Shows whether the background is to be transparent, and how the model does that. */
export function TransparentField({ store, model }: ModelFieldProps): JSX.Element {
  const { transparent } = store.state.draft;
  return (
    <div class="field transparent-field">
      <label>
        <input
          type="checkbox"
          checked={transparent}
          aria-describedby="transparent-notes"
          onChange={({ currentTarget }) => store.change({ transparent: currentTarget.checked })}
        />
        <span>{l10n.t('Transparent Background')}</span>
      </label>
      <div class="notes" id="transparent-notes">
        {transparent && <p>{note(model)}</p>}
      </div>
      {transparent && <Trim store={store} />}
    </div>
  );
}

/** Shows how much of the transparent background stays around the subject. */
function Trim({ store }: Pick<ModelFieldProps, 'store'>): JSX.Element {
  const { trim } = store.state.draft;
  const margins = ['5%', '10%', '20%'];
  return (
    <Select
      aria-label={l10n.t('Around the Subject')}
      value={trim}
      options={[
        { value: '', label: l10n.t('Keep All of the Background') },
        { value: '0px', label: l10n.t('Trim to the Subject') },
        ...(trim === '' || trim === '0px' || margins.includes(trim) ? margins : [trim, ...margins]).map(
          (value) => ({ value, label: l10n.t('Trim, with a Margin of {0}', value) }),
        ),
      ]}
      change={(trim) => store.change({ trim })}
    />
  );
}

function note({ transparentBy, name }: StudioModel): string {
  switch (transparentBy) {
    case 'alpha':
      return l10n.t('{0} makes it itself. Limner checks the result.', name);
    case 'key':
      return l10n.t('The subject is painted on one flat color, which Limner removes.');
    case 'grounds':
      return l10n.t('The image is made on white, and then edited to black: two images may be billed.');
  }
}
