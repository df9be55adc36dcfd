import './fitField.css';
import * as l10n from '@vscode/l10n';
import type { JSX } from 'preact';
import { ColorInput } from '../../components/colorInput.tsx';
import { Field } from '../../components/field.tsx';
import { NinePlaces } from '../../components/ninePlaces.tsx';
import { Select } from '../../components/select.tsx';
import type { StudioContext } from '../../store/studioStore.ts';

/** Shows what becomes of images whose size isn't the requested one; nothing while none is requested. */
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
            change={(fit) => store.change({ fit })}
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
    crop: l10n.t('Scaled to cover the size. What is too much is cut off around the chosen part.'),
    pad: l10n.t('Scaled to fit into the size. The rest is filled.'),
    stretch: l10n.t('Scaled to the size. Its proportions change.'),
  };
}

/** Shows what surrounds a padded image. */
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
