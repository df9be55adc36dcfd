import './submitBar.css';
import { t } from '@vscode/l10n';
import type { JSX } from 'preact';
import { Icon } from '../parts/icon.tsx';
import { countOf } from './countOf.ts';
import type { ModelParts } from './modelParts.ts';
import { submitLabel } from './submitLabel.ts';
import type { Submission } from './useSubmission.ts';

/** The button that sends the draft, and what became of it. */
export function SubmitBar({ work, model, submission }: ModelParts & { submission: Submission }): JSX.Element {
  const { draft, isMac } = work.state;
  const { isBusy, problem, submit } = submission;
  return (
    <div class="submit-bar">
      <div role="alert">
        {problem !== undefined && (
          <p class="submit-problem">
            <Icon name="error" />
            <span>{problem}</span>
          </p>
        )}
      </div>
      <button
        type="button"
        class="button primary"
        aria-disabled={isBusy}
        title={isMac ? '⌘⏎' : t('Ctrl+Enter')}
        onKeyDown={(event) => {
          if (event.repeat) {
            event.preventDefault();
          }
        }}
        onClick={(event) => {
          // Only the first click of a double click.
          if (event.detail <= 1) {
            void submit();
          }
        }}
      >
        <Icon name={isBusy ? 'loading' : 'sparkle'} spins={isBusy} />
        <span>{isBusy ? t('Sending…') : submitLabel(work.state, countOf(draft, model))}</span>
      </button>
    </div>
  );
}
