import './submitBar.css';
import * as l10n from '@vscode/l10n';
import type { JSX } from 'preact';
import { Icon } from '../components/icon.tsx';
import { Problem } from '../components/problem.tsx';
import { countOf } from '../store/studioStore.ts';
import type { ModelFieldProps } from '../store/studioContext.ts';
import { submitLabel } from './submitBlocker.ts';
import type { SubmitState } from './useSubmit.ts';

/** Shows the button that sends the draft, and the problem if that fails. */
export function SubmitBar({
  store,
  model,
  submission,
}: ModelFieldProps & { submission: SubmitState }): JSX.Element {
  const { draft, isMac } = store.state;
  const { isBusy, problem, errorActions, submit, dismiss } = submission;
  return (
    <div class="submit-bar">
      <Problem message={problem} errorActions={errorActions} dismiss={dismiss} />
      <button
        type="button"
        class="button primary"
        aria-disabled={isBusy}
        title={isMac ? '⌘⏎' : l10n.t('Ctrl+Enter')}
        onClick={(event) => {
          // Ignores the second click of a double click.
          if (event.detail <= 1) {
            void submit();
          }
        }}
      >
        <Icon name={isBusy ? 'loading' : 'sparkle'} spins={isBusy} />
        <span>{isBusy ? l10n.t('Sending…') : submitLabel(store.state, countOf(draft, model))}</span>
      </button>
    </div>
  );
}
