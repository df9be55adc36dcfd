import './composer.css';
import * as l10n from '@vscode/l10n';
import type { JSX, TargetedKeyboardEvent } from 'preact';
import { Inputs } from '../inputs/inputs.tsx';
import type { Parts } from '../store/studioContext.ts';
import { modelOf } from '../store/studioStore.ts';
import { CountField } from './fields/countField.tsx';
import { ModelField } from './fields/modelField.tsx';
import { PromptField } from './fields/promptField.tsx';
import { QualityField } from './fields/qualityField.tsx';
import { SizeField } from './fields/sizeField.tsx';
import { Start } from './start.tsx';
import { SubmitBar } from './submitBar.tsx';
import { TargetFields } from './fields/targetFields.tsx';
import { useSubmission } from './useSubmission.ts';

/** Shows the fields of the next image, and the button that sends them. */
export function Composer(parts: Parts): JSX.Element {
  const { work } = parts;
  const submission = useSubmission(parts);
  const model = modelOf(work.state);
  if (!work.state.isConnected || !model) {
    return <Start {...parts} />;
  }
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLElement>): void => {
    const isSubmit = event.key === 'Enter' && (work.state.isMac ? event.metaKey : event.ctrlKey);
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
        <PromptField {...parts} />
        <Inputs {...parts} model={model} />
        <ModelField {...parts} model={model} />
        <SizeField {...parts} model={model} />
        <div class="composer-pair">
          <QualityField {...parts} model={model} />
          <CountField {...parts} model={model} />
        </div>
        <TargetFields {...parts} />
      </div>
      <SubmitBar {...parts} model={model} submission={submission} />
    </section>
  );
}
