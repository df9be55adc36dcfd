import { useRef, useState } from 'preact/hooks';
import type { StudioContext } from '../store/studioContext.ts';
import { maskToSend } from '../mask/files/maskToSend.ts';
import { countOf, modelOf, type ErrorAction } from '../store/studioStore.ts';
import { findSubmitBlocker } from './submitBlocker.ts';
import { rememberPrompt } from './fields/promptHistory.ts';
import { messageOf } from '../../common/messageOf.ts';

/** The state of the last submission, and what starts the next. */
export interface SubmitState {
  isBusy: boolean;
  /** Why it failed. */
  problem: string | undefined;
  errorActions: readonly ErrorAction[];
  submit: () => Promise<void>;
  dismiss: () => void;
}

const nothing = { isBusy: false, problem: undefined, errorActions: [] };

/** Sends the draft, and not again before the host has replied. */
export function useSubmit({ store, host }: StudioContext): SubmitState {
  const isBusy = useRef(false);
  const [shown, show] = useState<Pick<SubmitState, 'isBusy' | 'problem' | 'errorActions'>>(nothing);
  const submit = async (): Promise<void> => {
    if (isBusy.current || store.state.isSending) {
      return;
    }
    const blocker = findSubmitBlocker(store.state);
    if (blocker) {
      show({ ...nothing, problem: blocker.message });
      document.getElementById(blocker.control)?.focus();
      return;
    }
    isBusy.current = true;
    show({ ...nothing, isBusy: true });
    let after: typeof shown = nothing;
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
      if (task !== null) {
        store.change({ prompts: rememberPrompt(store.state.draft.prompts, prompt) });
      }
    } catch (error) {
      after = {
        isBusy: false,
        problem: messageOf(error),
        errorActions: store.errorActionsFor(error),
      };
    }
    isBusy.current = false;
    show(after);
  };
  return { ...shown, isBusy: shown.isBusy || store.state.isSending, submit, dismiss: () => show(nothing) };
}
