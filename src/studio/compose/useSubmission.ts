import { useRef, useState } from 'preact/hooks';
import type { Parts } from '../store/studioContext.ts';
import { maskToSend } from '../mask/files/maskToSend.ts';
import { countOf, modelOf, type Remedy } from '../store/studioStore.ts';
import { obstacleOf } from './obstacle.ts';
import { rememberPrompt } from './fields/promptHistory.ts';
import { messageOf } from '../../common/messageOf.ts';

/** The state of the last submission, and what starts the next. */
export interface Submission {
  isBusy: boolean;
  /** Why it failed. */
  problem: string | undefined;
  remedies: readonly Remedy[];
  submit: () => Promise<void>;
  dismiss: () => void;
}

const nothing = { isBusy: false, problem: undefined, remedies: [] };

/** Sends the draft, and not again before the host has replied. */
export function useSubmission({ work, host }: Parts): Submission {
  const isBusy = useRef(false);
  const [shown, show] = useState<Pick<Submission, 'isBusy' | 'problem' | 'remedies'>>(nothing);
  const submit = async (): Promise<void> => {
    if (isBusy.current || work.state.isSending) {
      return;
    }
    const obstacle = obstacleOf(work.state);
    if (obstacle) {
      show({ ...nothing, problem: obstacle.message });
      document.getElementById(obstacle.control)?.focus();
      return;
    }
    isBusy.current = true;
    show({ ...nothing, isBusy: true });
    let after: typeof shown = nothing;
    try {
      const { prompt } = work.state.draft;
      const model = modelOf(work.state);
      const count = model ? countOf(work.state.draft, model) : work.state.draft.count;
      if (count !== work.state.draft.count) {
        work.change({ count });
      }
      const mask = await maskToSend(work, host);
      await work.saved();
      const task = await host.ask('submit', mask ? { mask } : {});
      if (task !== null) {
        work.change({ prompts: rememberPrompt(work.state.draft.prompts, prompt) });
      }
    } catch (error) {
      after = {
        isBusy: false,
        problem: messageOf(error),
        remedies: work.remediesFor(error),
      };
    }
    isBusy.current = false;
    show(after);
  };
  return { ...shown, isBusy: shown.isBusy || work.state.isSending, submit, dismiss: () => show(nothing) };
}
