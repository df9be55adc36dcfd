import * as l10n from '@vscode/l10n';
import type { JSX } from 'preact';
import { ColorInput } from '../components/colorInput.tsx';
import { Field } from '../components/field.tsx';
import { NinePlaces } from '../components/ninePlaces.tsx';
import { Select } from '../components/select.tsx';
import type { Card } from '../protocol/draft.ts';

interface CardFieldsProps {
  card: Card;
  change: (changes: Partial<Card>) => void;
}

export function CardFields({ card, change }: CardFieldsProps): JSX.Element {
  return (
    <div class="social-card-fields">
      <Field id="card-title" label={l10n.t('Title')}>
        {(ids) => (
          <input
            {...ids}
            class="input"
            dir="auto"
            value={card.title}
            onInput={({ currentTarget }) => change({ title: currentTarget.value })}
          />
        )}
      </Field>
      <Field id="card-site" label={l10n.t('Site Name')}>
        {(ids) => (
          <input
            {...ids}
            class="input"
            dir="auto"
            value={card.siteName}
            onInput={({ currentTarget }) => change({ siteName: currentTarget.value })}
          />
        )}
      </Field>
      <Field id="card-font" label={l10n.t('Font')}>
        {(ids) => (
          <Select
            {...ids}
            value={card.font}
            options={[
              { value: 'sans', label: l10n.t('Sans Serif') },
              { value: 'serif', label: l10n.t('Serif') },
              { value: 'mono', label: l10n.t('Monospace') },
              { value: 'editor', label: l10n.t('Editor Font') },
            ]}
            change={(font) => change({ font })}
          />
        )}
      </Field>
      <Field id="card-color" label={l10n.t('Text Color')}>
        {(ids) => <ColorInput {...ids} value={card.color} change={(color) => change({ color })} />}
      </Field>
      <Field id="card-shade" label={l10n.t('Shade')}>
        {(ids) => (
          <>
            <ColorInput {...ids} value={card.shade} change={(shade) => change({ shade })} />
            <input
              type="range"
              min={0}
              max={100}
              aria-label={l10n.t('Minimum Shade')}
              value={Math.round(card.strength * 100)}
              onInput={({ currentTarget }) => change({ strength: Number(currentTarget.value) / 100 })}
            />
          </>
        )}
      </Field>
      <div class="field">
        <div class="field-head">
          <span class="field-name">
            {l10n.t({ message: 'Place', comment: ['Where the words of a social card stand'] })}
          </span>
        </div>
        <NinePlaces
          name="card-place"
          label={l10n.t({ message: 'Place', comment: ['Where the words of a social card stand'] })}
          place={card.place}
          change={(place) => change({ place })}
        />
      </div>
    </div>
  );
}
