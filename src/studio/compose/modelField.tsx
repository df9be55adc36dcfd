import * as l10n from '@vscode/l10n';
import type { JSX } from 'preact';
import { Field, Notes } from '../components/field.tsx';
import type { ModelFieldProps } from '../store/studioStore.ts';
import { isNative } from '../../common/requestValues.ts';
import type { Draft } from '../protocol/draft.ts';
import { Select } from '../components/select.tsx';

/** Shows the quality, a value that the service defines. */
export function QualityField({ store, model }: ModelFieldProps): JSX.Element {
  const note = model.family === 'native' ? l10n.t('Not sent, like the size.') : undefined;
  return (
    <Field id="quality" label={l10n.t('Quality')} note={note}>
      {(ids) => (
        <input
          {...ids}
          class="input"
          disabled={note !== undefined}
          spellcheck={false}
          placeholder={l10n.t('Auto')}
          title={l10n.t('A value the service supports, such as "standard".')}
          value={store.state.draft.quality}
          onInput={({ currentTarget }) => store.change({ quality: currentTarget.value })}
        />
      )}
    </Field>
  );
}

/** Shows the style, if there are some. Choosing one also sets the fields that it decides, which can be undone. */
export function StyleField({ store }: Pick<ModelFieldProps, 'store'>): JSX.Element | null {
  const { draft, styles } = store.state;
  const style = styles.find(({ name }) => name === draft.style);
  const isGone = draft.style !== '' && !style;
  if (styles.length === 0 && !isGone) {
    return null;
  }
  const names = [...styles.map(({ name }) => name), ...(isGone ? [draft.style] : [])];
  const problem = isGone ? l10n.t("This style isn't in the workspace any more.") : style?.problem;
  return (
    <Field id="style" label={l10n.t('Style')} note={style?.note} problem={problem}>
      {(ids) => (
        <Select
          {...ids}
          value={draft.style}
          options={[
            { value: '', label: l10n.t('None') },
            ...names.map((name) => ({ value: name, label: name })),
          ]}
          change={(name) => store.chooseStyle(name)}
        />
      )}
    </Field>
  );
}

/** Shows the model, and the call style if there is a choice. */
export function ModelField({ store, model }: ModelFieldProps): JSX.Element {
  const { draft, models, baseUrl } = store.state;
  const note =
    draft.model === '' || draft.model === model.id
      ? undefined
      : l10n.t("This service doesn't have {0}. Limner uses {1}.", draft.model, model.name);
  return (
    <>
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
                store.change({
                  model: chosen,
                  modelService: baseUrl,
                  ...(!takesStyle && { callStyle: 'auto' }),
                });
              }}
            />
          )}
        </Field>
      </div>
      {note !== undefined && <Notes id="model-of-service" note={note} problem={undefined} />}
    </>
  );
}

export function CallStyleField({ store, model }: ModelFieldProps): JSX.Element | null {
  const { draft } = store.state;
  const styles = ['auto', ...model.callStyles] as const;
  const styleNames = callStyleNames();
  return model.callStyles.length > 1 ? (
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
  ) : null;
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
