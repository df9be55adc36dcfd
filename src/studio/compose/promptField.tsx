import * as l10n from '@vscode/l10n';
import type { JSX, TargetedKeyboardEvent } from 'preact';
import { useRef, useState, useEffect } from 'preact/hooks';
import { isUndo } from '../components/keys.ts';
import { IconButton } from '../components/button.tsx';
import type { Draft } from '../protocol/draft.ts';
import type { StudioContext, StudioStore } from '../store/studioStore.ts';
import type { Act } from '../store/undoStack.ts';
import { rememberPrompt, stepThroughPrompts } from '../store/promptHistory.ts';
import { Field } from '../components/field.tsx';

/** The last improvement of the prompt, which can be undone. */
export interface Improvement {
  act: Act | undefined;
  prompt: string;
}

interface ImproveButtonProps extends StudioContext {
  onImproved: (improvement: Improvement) => void;
}

/**
 * Shows a button that improves the prompt with a language model and keeps the previous one among the earlier prompts.
 */
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

export function PromptField({ store, host }: StudioContext): JSX.Element {
  const { prompt, prompts, inputs } = store.state.draft;
  const improvement = useRef<Improvement>(undefined);
  const [isListOpen, setIsListOpen] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => field.current?.focus(), []);
  const choose = (chosen: string): void => {
    store.change({ prompt: chosen });
    setIsListOpen(false);
    field.current?.focus();
  };
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLTextAreaElement>): void => {
    if (event.altKey && (event.key === 'ArrowUp' || event.key === 'ArrowDown')) {
      event.preventDefault();
      store.change(stepThroughPrompts(store.state.draft, event.key === 'ArrowUp' ? 'older' : 'newer'));
    } else if (isUndo(event, store.state.isMac) && isLast(store, improvement.current)) {
      event.preventDefault();
      // The text field itself can't undo a change by the page.
      event.stopPropagation();
      void store.undo();
    }
  };
  return (
    <div
      class="prompt-field"
      onKeyDown={(event) => {
        if (event.key === 'Escape' && isListOpen) {
          setIsListOpen(false);
          field.current?.focus();
        }
      }}
    >
      <Field
        id="prompt"
        label={l10n.t('Prompt')}
        aside={
          <div class="prompt-buttons">
            {store.state.hasLanguageModel && (
              <ImproveButton
                store={store}
                host={host}
                onImproved={(improved) => {
                  improvement.current = improved;
                }}
              />
            )}
            <IconButton
              icon="table"
              label={l10n.t('Set of Images')}
              onClick={() => store.change({ isSet: true, ...startOfSet(store.state.draft) })}
            />
            {prompts.length > 0 && (
              <IconButton
                icon="history"
                label={l10n.t('Earlier Prompts (Alt+Up, Alt+Down)')}
                aria-expanded={isListOpen}
                aria-controls="earlier-prompts"
                onClick={() => setIsListOpen(!isListOpen)}
              />
            )}
          </div>
        }
      >
        {(ids) => (
          <textarea
            {...ids}
            ref={field}
            class="input"
            rows={3}
            dir="auto"
            spellcheck
            placeholder={
              inputs.length > 0
                ? l10n.t('What should change in the image?')
                : l10n.t('What should the image show?')
            }
            value={prompt}
            onInput={({ currentTarget }) => store.change({ prompt: currentTarget.value })}
            onKeyDown={onKeyDown}
          />
        )}
      </Field>
      {isListOpen && (
        <ul class="earlier-prompts" id="earlier-prompts" aria-label={l10n.t('Earlier Prompts')}>
          {prompts.map((earlier) => (
            <li key={earlier}>
              <button type="button" title={earlier} onClick={() => choose(earlier)}>
                {earlier}
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** Returns the set that is made from a prompt; one that is there already stays. */
function startOfSet({ prompt, setRows }: Draft): Partial<Draft> {
  return setRows.length > 0 || prompt.trim() === '' ? {} : { setRows: [{ name: '', prompt }] };
}

/** Whether the prompt is the unchanged result of an improvement and nothing was done since. */
function isLast({ acts, state }: StudioStore, improvement: Improvement | undefined): boolean {
  return (
    improvement !== undefined && acts.last === improvement.act && state.draft.prompt === improvement.prompt
  );
}
