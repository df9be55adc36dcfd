import * as l10n from '@vscode/l10n';
import type { JSX } from 'preact';
import { ColorInput } from '../components/colorInput.tsx';
import { Field } from '../components/field.tsx';
import { NinePlaces } from '../components/ninePlaces.tsx';
import { Select } from '../components/select.tsx';
import type { StudioContext, ModelFieldProps } from '../store/studioStore.ts';
import type { StudioModel } from '../protocol/state.ts';

/** Shows how to fit images to the requested size, if one is chosen. */
export function FitField({ store }: Pick<StudioContext, 'store'>): JSX.Element | null {
  const { fit, size, multiples, focus } = store.state.draft;
  if (size === '' && multiples === '') {
    return null;
  }
  return (
    <Field id="fit" label={l10n.t('If the Result Has Another Size')} note={notes()[fit]}>
      {(ids) => (
        <>
          <Select
            {...ids}
            value={fit}
            options={[
              { value: 'off', label: l10n.t('Keep It') },
              { value: 'crop', label: l10n.t('Crop') },
              { value: 'pad', label: l10n.t('Pad') },
              { value: 'stretch', label: l10n.t('Stretch') },
            ]}
            change={(fit) => store.chooseFit(fit)}
          />
          {fit === 'crop' && (
            <NinePlaces
              name="focus"
              label={l10n.t('Part to Keep')}
              place={focus}
              change={(focus) => store.change({ focus })}
            />
          )}
          {fit === 'pad' && <Fill store={store} />}
        </>
      )}
    </Field>
  );
}

function notes(): Partial<Record<string, string>> {
  return {
    crop: l10n.t('Scaled to cover the size. The rest is cropped around the part you choose.'),
    pad: l10n.t('Scaled to fit into the size. The rest is filled.'),
    stretch: l10n.t('Scaled to the size. Its proportions change.'),
  };
}

function Fill({ store }: Pick<StudioContext, 'store'>): JSX.Element {
  const { fill } = store.state.draft;
  const isColor = fill.startsWith('#');
  return (
    <div class="fill">
      <Select
        aria-label={l10n.t('Fill With')}
        value={isColor ? 'color' : fill}
        options={[
          { value: 'transparent', label: l10n.t('Transparency') },
          { value: 'edge', label: l10n.t('Pixels at the Edge') },
          { value: 'color', label: l10n.t('Color') },
        ]}
        change={(kind) => store.change({ fill: kind === 'color' ? '#ffffff' : kind })}
      />
      {isColor && (
        <ColorInput aria-label={l10n.t('Color')} value={fill} change={(fill) => store.change({ fill })} />
      )}
    </div>
  );
}

/** Shows whether to make the background transparent, and how the model does that. */
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

/** Shows how much of the transparent background to keep around the subject. */
function Trim({ store }: Pick<ModelFieldProps, 'store'>): JSX.Element {
  const { trim } = store.state.draft;
  const margins = ['5%', '10%', '20%'];
  return (
    <Select
      aria-label={l10n.t('Around the Subject')}
      value={trim}
      options={[
        { value: '', label: l10n.t("Don't Trim") },
        { value: '0px', label: l10n.t('Trim to Subject') },
        ...(trim === '' || trim === '0px' || margins.includes(trim) ? margins : [trim, ...margins]).map(
          (value) => ({ value, label: l10n.t('Trim with a Margin of {0}', value) }),
        ),
      ]}
      change={(trim) => store.change({ trim })}
    />
  );
}

function note({ transparentBy, name }: StudioModel): string {
  switch (transparentBy) {
    case 'alpha':
      return l10n.t('{0} generates it itself. Limner checks the result.', name);
    case 'key':
      return l10n.t('The subject is painted on one flat color, which Limner removes.');
    case 'grounds':
      return l10n.t('The image is generated on white and then edited to black.');
  }
}
