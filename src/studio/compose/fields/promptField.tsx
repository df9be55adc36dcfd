import './promptField.css';
import * as l10n from '@vscode/l10n';
import type { JSX, TargetedKeyboardEvent } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { StudioContext, StudioStore } from '../../store/studioStore.ts';
import { Field } from '../../components/field.tsx';
import { IconButton } from '../../components/button.tsx';
import { ImproveButton, type Improvement } from './improveButton.tsx';
import { stepThroughPrompts } from './promptHistory.ts';

/** Shows the prompt, with a list of earlier ones. */
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
      // The undo of the text field doesn't know what it was given.
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

/** Whether the prompt is still what an improvement made of it, with nothing done since. */
function isLast({ acts, state }: StudioStore, improvement: Improvement | undefined): boolean {
  return (
    improvement !== undefined && acts.last === improvement.act && state.draft.prompt === improvement.prompt
  );
}

function isUndo(
  { key, ctrlKey, metaKey, altKey, shiftKey }: TargetedKeyboardEvent<HTMLTextAreaElement>,
  isMac: boolean,
): boolean {
  return key.toLowerCase() === 'z' && (isMac ? metaKey : ctrlKey) && !altKey && !shiftKey;
}
