import './fitField.css';
import * as l10n from '@vscode/l10n';
import type { JSX } from 'preact';
import { Field } from '../../components/field.tsx';
import { Select } from '../../components/select.tsx';
import type { StudioContext } from '../../store/studioStore.ts';

/** Shows what becomes of images whose size isn't the requested one; nothing while no size is requested. */
export function FitField({ store }: Pick<StudioContext, 'store'>): JSX.Element | null {
  const { fit, size } = store.state.draft;
  if (size === '') {
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
          {fit === 'crop' && <Focus store={store} />}
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

const shares = [0, 0.5, 1];

/** Shows which part of a cropped image stays, as a grid of nine places. */
function Focus({ store }: Pick<StudioContext, 'store'>): JSX.Element {
  const { focus } = store.state.draft;
  const rows = [l10n.t('top'), l10n.t('middle'), l10n.t('bottom')];
  const columns = [l10n.t('left'), l10n.t('center'), l10n.t('right')];
  return (
    <div class="focus-grid" role="radiogroup" aria-label={l10n.t('Part to Keep')}>
      {shares.map((y, row) =>
        shares.map((x, column) => (
          <label key={`${x} ${y}`} title={`${rows[row]}, ${columns[column]}`}>
            <input
              type="radio"
              name="focus"
              aria-label={`${rows[row]}, ${columns[column]}`}
              checked={focus.x === x && focus.y === y}
              onChange={() => store.change({ focus: { x, y } })}
            />
          </label>
        )),
      )}
    </div>
  );
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
        <input
          type="color"
          aria-label={l10n.t('Color')}
          value={fill}
          onInput={({ currentTarget }) => store.change({ fill: currentTarget.value })}
        />
      )}
    </div>
  );
}
