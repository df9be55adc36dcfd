// Room: a control for each option of a request.
// Never: sending, input images.

import * as l10n from '@vscode/l10n';
import type { JSX } from 'preact';
import { isNative } from '../../../common/callStyle.ts';
import type { Draft } from '../../protocol/draft.ts';
import { Field } from '../../components/field.tsx';
import { Select } from '../../components/select.tsx';
import './modelField.css';
import type { ModelFieldProps } from '../../store/studioStore.ts';

/** Shows the model, and the call style if there is a choice. */
export function ModelField({ store, model }: ModelFieldProps): JSX.Element {
  const { draft, models } = store.state;
  const styles = ['auto', ...model.callStyles] as const;
  const styleNames = callStyleNames();
  return (
    <div class="model-field">
      <Field id="model" label={l10n.t('Model')}>
        {(ids) => (
          <Select
            {...ids}
            value={model.id}
            options={models.map(({ id, name }) => ({ value: id, label: name }))}
            change={(chosen) => {
              const { callStyles } = models.find(({ id }) => id === chosen) ?? model;
              const takesStyle = callStyles.some((style) => style === draft.callStyle);
              store.change({ model: chosen, ...(!takesStyle && { callStyle: 'auto' }) });
            }}
          />
        )}
      </Field>
      {model.callStyles.length > 1 && (
        <Field id="call-style" label={l10n.t('Call Style')} note={noteOf(draft)}>
          {(ids) => (
            <Select
              {...ids}
              value={draft.callStyle}
              options={styles.map((style) => ({ value: style, label: styleNames[style] }))}
              change={(callStyle) => store.change({ callStyle })}
            />
          )}
        </Field>
      )}
    </div>
  );
}

function callStyleNames(): Record<Draft['callStyle'], string> {
  return {
    auto: l10n.t('Automatic'),
    async: l10n.t('As a Task'),
    sync: l10n.t('In One Call'),
    native: l10n.t('Native Call'),
    nativeStream: l10n.t('Native Stream'),
  };
}

function noteOf({ callStyle, inputs }: Draft): string | undefined {
  return isNative(callStyle) && inputs.length > 0
    ? l10n.t("Native calls don't support input images, so this edit is sent as a task.")
    : undefined;
}
