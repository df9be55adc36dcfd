import * as l10n from '@vscode/l10n';
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Button } from '../components/button.tsx';
import { focusAfterRender } from '../components/focus.ts';
import { Inputs } from './inputs.tsx';
import { late } from '../store/late.tsx';
import { cardTaskOf, modelOf, type StudioContext } from '../store/studioStore.ts';
import { CountField, MultiplesField } from './countField.tsx';
import { FitField, TransparentField } from './finishFields.tsx';
import { CallStyleField, ModelField, QualityField, StyleField } from './modelField.tsx';
import { PromptField } from './promptField.tsx';
import { SizeField } from './sizeField.tsx';
import { SubmitBar, useSubmit } from './submitBar.tsx';
import { TargetFields } from './targetFields.tsx';

const SetField = late(async () => (await import('../sets/setField.tsx')).SetField);

export function Composer(context: StudioContext): JSX.Element {
  const { store } = context;
  const submission = useSubmit(context);
  const model = modelOf(store.state);
  const { draft } = store.state;
  const canSubmit = store.state.isConnected && model !== undefined;
  const card = cardTaskOf(store.state);
  const [unfolded, unfold] = useState<string>();
  const isFolded = card !== undefined && unfolded !== card.id;
  useSubmitKey(store.state.isMac, () => canSubmit && !isFolded && void submission.submit());
  if (!canSubmit) {
    return <Start {...context} />;
  }
  if (isFolded) {
    return (
      <section
        class="composer folded"
        aria-label={l10n.t({
          message: 'Compose',
          comment: ['Names the form of a request for screen readers'],
        })}
      >
        <p>{l10n.t('Background: {0}', card.prompt)}</p>
        <Button
          icon="edit"
          onClick={() => {
            unfold(card.id);
            focusAfterRender(() => document.getElementById('prompt'));
          }}
        >
          {l10n.t('Change Background…')}
        </Button>
      </section>
    );
  }
  return (
    <section
      class="composer"
      aria-label={l10n.t({ message: 'Compose', comment: ['Names the form of a request for screen readers'] })}
    >
      <div class="composer-fields">
        {draft.isSet ? <SetField {...context} /> : <PromptField {...context} />}
        <Inputs {...context} model={model} />
        <StyleField {...context} />
        <ModelField {...context} model={model} />
        <SizeField {...context} model={model} />
        <FitField {...context} />
        <TransparentField {...context} model={model} />
        <div class="composer-pair">
          <QualityField {...context} model={model} />
          {!draft.isSet && <CountField {...context} model={model} />}
        </div>
        <TargetFields {...context} />
        <details class="more-settings" open={draft.callStyle !== 'auto' || draft.multiples !== ''}>
          <summary>{l10n.t('More Settings')}</summary>
          <CallStyleField {...context} model={model} />
          <MultiplesField {...context} />
        </details>
      </div>
      <SubmitBar {...context} model={model} submission={submission} />
    </section>
  );
}

/** Submits by Ctrl+Enter in the form and in the mask editor. */
function useSubmitKey(isMac: boolean, submit: () => void): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const { key, target, repeat } = event;
      const isPlace = target instanceof Element && target.closest('.composer, .mask-editor') !== null;
      if (isPlace && key === 'Enter' && (isMac ? event.metaKey : event.ctrlKey)) {
        event.preventDefault();
        if (!repeat) {
          submit();
        }
      }
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  });
}

/** Shows how to connect while no service or no model is configured. */
function Start({ store, host }: StudioContext): JSX.Element {
  const connect = (demo: boolean): Promise<void> => store.attempt(async () => host.ask('connect', { demo }));
  return (
    <section
      class="composer start"
      aria-label={l10n.t({ message: 'Compose', comment: ['Names the form of a request for screen readers'] })}
    >
      <h2>{l10n.t('Paint with words')}</h2>
      <p>
        {store.state.isConnected
          ? l10n.t('Tell Limner which model of your service to use, and create images right here.')
          : l10n.t(
              'Connect Limner to an image service to create images right here and save them in your workspace.',
            )}
      </p>
      <Button primary icon="plug" onClick={() => void connect(false)}>
        {l10n.t('Connect to a Service…')}
      </Button>
      <p>{l10n.t('Or try it first. The demo service runs on this computer and is free.')}</p>
      <Button icon="beaker" onClick={() => void connect(true)}>
        {l10n.t('Use Demo Service')}
      </Button>
    </section>
  );
}
