import * as l10n from '@vscode/l10n';
import type { JSX } from 'preact';
import { isNative } from '../../../common/callStyle.ts';
import type { Draft } from '../../protocol/draft.ts';
import { Field } from '../../components/field.tsx';
import { Select } from '../../components/select.tsx';
import './modelField.css';
import type { ModelFieldProps } from '../../store/studioContext.ts';

/** Shows the model, and the call style if there is a choice. */
export function ModelField({ store, model }: ModelFieldProps): JSX.Element {
  const { draft, models } = store.state;
  const styles = ['auto', ...model.callStyles] as const;
  return (
    <div class="model-field">
      <Field id="model" label={l10n.t('Model')}>
        {(ids) => (
          <Select
            {...ids}
            value={model.id}
            onChange={({ currentTarget }) => {
              const chosen = models.find(({ id }) => id === currentTarget.value);
              const takesStyle = chosen?.callStyles.some((style) => style === draft.callStyle);
              store.change({
                model: currentTarget.value,
                ...(takesStyle !== true && { callStyle: 'auto' }),
              });
            }}
          >
            {models.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </Select>
        )}
      </Field>
      {model.callStyles.length > 1 && (
        <Field id="call-style" label={l10n.t('Call Style')} note={noteOf(draft)}>
          {(ids) => (
            <Select
              {...ids}
              value={draft.callStyle}
              onChange={({ currentTarget }) => {
                const callStyle = styles.find((style) => style === currentTarget.value);
                store.change({ callStyle: callStyle ?? 'auto' });
              }}
            >
              {styles.map((style) => (
                <option key={style} value={style}>
                  {nameOf(style)}
                </option>
              ))}
            </Select>
          )}
        </Field>
      )}
    </div>
  );
}

function nameOf(style: Draft['callStyle']): string {
  switch (style) {
    case 'auto':
      return l10n.t('Automatic');
    case 'async':
      return l10n.t('As a Task');
    case 'sync':
      return l10n.t('In One Call');
    case 'native':
      return l10n.t('Native Call');
    case 'nativeStream':
      return l10n.t('Native Stream');
  }
}

function noteOf({ callStyle, inputs }: Draft): string | undefined {
  return isNative(callStyle) && inputs.length > 0
    ? l10n.t("Native calls don't support input images, so this edit is sent as a task.")
    : undefined;
}
