import * as l10n from '@vscode/l10n';
import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { IconButton } from '../../components/button.tsx';
import type { StudioContext } from '../../store/studioStore.ts';
import type { Act } from '../../store/undoStack.ts';
import { rememberPrompt } from './promptHistory.ts';

/** The last improvement of the prompt, as it can be undone. */
export interface Improvement {
  act: Act | undefined;
  prompt: string;
}

interface ImproveButtonProps extends StudioContext {
  onImproved: (improvement: Improvement) => void;
}

/** Shows a button that has a language model improve the prompt; the one before joins the earlier prompts. */
export function ImproveButton({ store, host, onImproved }: ImproveButtonProps): JSX.Element {
  const [isBusy, setIsBusy] = useState(false);
  const isAsking = useRef(false);
  const improve = async (): Promise<void> => {
    const prompt = await host.ask('improvePrompt', { prompt: store.state.draft.prompt.trim() });
    if (prompt !== null) {
      const { prompt: before, prompts } = store.state.draft;
      const changes = { prompt, prompts: rememberPrompt(prompts, before) };
      store.act(l10n.t('improved the prompt'), changes, true);
      onImproved({ act: store.acts.last, prompt });
    }
  };
  const onClick = async (): Promise<void> => {
    if (isAsking.current) {
      return;
    }
    isAsking.current = true;
    setIsBusy(true);
    await store.attempt(improve);
    isAsking.current = false;
    setIsBusy(false);
  };
  return (
    <IconButton
      icon={isBusy ? 'loading' : 'sparkle'}
      spins={isBusy}
      label={isBusy ? l10n.t('Improving…') : l10n.t('Improve Prompt')}
      disabled={store.state.draft.prompt.trim() === ''}
      aria-disabled={isBusy}
      onClick={() => void onClick()}
    />
  );
}
