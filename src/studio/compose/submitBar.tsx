import * as l10n from '@vscode/l10n';
import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Button, Icon } from '../components/button.tsx';
import { Problem } from '../components/problem.tsx';
import { changeMaxInputs } from './inputList.ts';
import { maskToSend } from '../maskPixels/maskToSend.ts';
import {
  cardTaskOf,
  countOf,
  keptOutsideOf,
  type ModelFieldProps,
  modelOf,
  type StudioContext,
  type StudioProblem,
} from '../store/studioStore.ts';
import { rememberPrompt } from '../store/promptHistory.ts';
import { findLossySize, findSubmitBlocker, submitLabel } from './submitBlocker.ts';

export function SubmitBar({
  store,
  model,
  submission,
}: ModelFieldProps & { submission: SubmitState }): JSX.Element {
  const { draft, isMac, target } = store.state;
  const { isBusy, problem, submit, dismiss } = submission;
  const lossy = findLossySize(store.state);
  const isOnKept = draft.transparent && keptOutsideOf(store.state) !== undefined;
  return (
    <div class="submit-bar">
      <Problem problem={problem} dismiss={dismiss} />
      <div role="status">
        {lossy && (
          <p class="lossy-size">
            <Icon name="warning" />
            <span>{lossy.message}</span>
            {lossy.keeping !== undefined && (
              <Button onClick={() => store.act(l10n.t('changed size'), { size: lossy.keeping ?? '' })}>
                {l10n.t('Use {0}', lossy.keeping.replace('x', ' × '))}
              </Button>
            )}
          </p>
        )}
        {isOnKept && (
          <p class="lossy-size">
            <Icon name="warning" />
            <span>
              {l10n.t(
                'A transparent background is requested, but everything outside the mask is kept from the original.',
              )}
            </span>
            <Button onClick={() => store.act(l10n.t('kept the background'), { transparent: false })}>
              {l10n.t('Keep Background')}
            </Button>
          </p>
        )}
      </div>
      {target.run !== undefined && <p class="run">{target.run}</p>}
      <Button
        primary={!cardTaskOf(store.state)}
        icon={isBusy ? 'loading' : 'sparkle'}
        spins={isBusy}
        aria-disabled={isBusy}
        title={isMac ? '⌘⏎' : l10n.t('Ctrl+Enter')}
        onClick={() => void submit()}
      >
        {isBusy ? l10n.t('Sending…') : submitLabel(store.state, countOf(draft, model))}
      </Button>
    </div>
  );
}

/** The state of the last submission, and the function that starts the next one. */
interface SubmitState {
  isBusy: boolean;
  problem: StudioProblem | undefined;
  submit: () => Promise<void>;
  dismiss: () => void;
}

interface Outcome extends Pick<SubmitState, 'isBusy' | 'problem'> {
  /** Whether the problem is still relevant. */
  isCurrent: () => boolean;
}

const idle: Outcome = { isBusy: false, problem: undefined, isCurrent: () => true };

/** Sends the draft, but never twice before the host has replied. */
export function useSubmit({ store, host }: StudioContext): SubmitState {
  const isBusy = useRef(false);
  const [shown, show] = useState(idle);
  useEffect(() => {
    if (!shown.isCurrent()) {
      show(idle);
    }
  });
  const submit = async (): Promise<void> => {
    if (isBusy.current || store.state.isSending) {
      store.announce(l10n.t('The last one is still being sent.'));
      return;
    }
    const blocker = findSubmitBlocker(store.state);
    if (blocker) {
      show({
        isBusy: false,
        problem: {
          message: blocker.message,
          errorActions: blocker.isAssumed
            ? [{ title: l10n.t('Change…'), run: async () => changeMaxInputs({ store, host }) }]
            : [],
        },
        isCurrent: () => findSubmitBlocker(store.state)?.message === blocker.message,
      });
      document.getElementById(blocker.control)?.focus();
      return;
    }
    isBusy.current = true;
    show({ ...idle, isBusy: true });
    let failure: StudioProblem | undefined;
    try {
      const { prompt } = store.state.draft;
      const model = modelOf(store.state);
      const count = model ? countOf(store.state.draft, model) : store.state.draft.count;
      if (count !== store.state.draft.count) {
        store.change({ count });
      }
      const mask = await maskToSend(store, host);
      await store.saved();
      const task = await host.ask('submit', mask ? { mask } : {});
      if (task !== null && !store.state.draft.isSet) {
        store.change({ prompts: rememberPrompt(store.state.draft.prompts, prompt) });
      }
    } catch (error) {
      failure = store.problemOf(error);
    }
    isBusy.current = false;
    // The problem is relevant until the user does something else.
    const { last } = store.acts;
    show({ isBusy: false, problem: failure, isCurrent: () => store.acts.last === last });
  };
  const { problem } = shown;
  return { problem, isBusy: shown.isBusy || store.state.isSending, submit, dismiss: () => show(idle) };
}
