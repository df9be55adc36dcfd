// Room: the prompt, the checks before sending, and sending.
// Never: results.

import './composer.css';
import './start.css';
import * as l10n from '@vscode/l10n';
import type { JSX, TargetedKeyboardEvent } from 'preact';
import { Button } from '../components/button.tsx';
import { Inputs } from '../inputs/inputs.tsx';
import { modelOf, type StudioContext } from '../store/studioStore.ts';
import { CountField } from './fields/countField.tsx';
import { FitField } from './fields/fitField.tsx';
import { ModelField } from './fields/modelField.tsx';
import { MultiplesField } from './fields/multiplesField.tsx';
import { PromptField } from './fields/promptField.tsx';
import { QualityField } from './fields/qualityField.tsx';
import { SizeField } from './fields/sizeField.tsx';
import { SubmitBar, useSubmit } from './submitBar.tsx';
import { TransparentField } from './fields/transparentField.tsx';
import { TargetFields } from './fields/targetFields.tsx';

/** Shows the fields of the next image, and the button that sends them. */
export function Composer(context: StudioContext): JSX.Element {
  const { store } = context;
  const submission = useSubmit(context);
  const model = modelOf(store.state);
  if (!store.state.isConnected || !model) {
    return <Start {...context} />;
  }
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLElement>): void => {
    const isSubmit = event.key === 'Enter' && (store.state.isMac ? event.metaKey : event.ctrlKey);
    if (isSubmit) {
      event.preventDefault();
      if (!event.repeat) {
        void submission.submit();
      }
    }
  };
  return (
    <section class="composer" aria-label={l10n.t('Compose')} onKeyDown={onKeyDown}>
      <div class="composer-fields">
        <PromptField {...context} />
        <Inputs {...context} model={model} />
        <ModelField {...context} model={model} />
        <SizeField {...context} model={model} />
        <FitField {...context} />
        <MultiplesField {...context} />
        <TransparentField {...context} model={model} />
        <div class="composer-pair">
          <QualityField {...context} model={model} />
          <CountField {...context} model={model} />
        </div>
        <TargetFields {...context} />
      </div>
      <SubmitBar {...context} model={model} submission={submission} />
    </section>
  );
}

/** Shows how to connect while there is no service or no model. */
function Start({ store, host }: StudioContext): JSX.Element {
  const connect = (demo: boolean): Promise<void> => store.attempt(async () => host.ask('connect', { demo }));
  return (
    <section class="composer start" aria-label={l10n.t('Compose')}>
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
      <p>{l10n.t('Or look around first. The demo service runs on this computer and is free.')}</p>
      <Button icon="beaker" onClick={() => void connect(true)}>
        {l10n.t('Use Demo Service')}
      </Button>
    </section>
  );
}
