import './composer.css';
import * as l10n from '@vscode/l10n';
import type { JSX, TargetedKeyboardEvent } from 'preact';
import { Inputs } from '../inputs/inputs.tsx';
import type { StudioContext } from '../store/studioContext.ts';
import { modelOf } from '../store/studioStore.ts';
import { CountField } from './fields/countField.tsx';
import { ModelField } from './fields/modelField.tsx';
import { PromptField } from './fields/promptField.tsx';
import { QualityField } from './fields/qualityField.tsx';
import { SizeField } from './fields/sizeField.tsx';
import { Start } from './start.tsx';
import { SubmitBar } from './submitBar.tsx';
import { TargetFields } from './fields/targetFields.tsx';
import { useSubmit } from './useSubmit.ts';

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
