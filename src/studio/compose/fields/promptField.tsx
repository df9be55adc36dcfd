import './promptField.css';
import * as l10n from '@vscode/l10n';
import type { JSX, TargetedKeyboardEvent } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { StudioContext } from '../../store/studioStore.ts';
import { Field } from '../../components/field.tsx';
import { IconButton } from '../../components/button.tsx';
import { stepThroughPrompts } from './promptHistory.ts';

/** Shows the prompt, with a list of earlier ones. */
export function PromptField({ store }: StudioContext): JSX.Element {
  const { prompt, prompts, inputs } = store.state.draft;
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
          prompts.length > 0 && (
            <IconButton
              icon="history"
              label={l10n.t('Earlier Prompts (Alt+Up, Alt+Down)')}
              aria-expanded={isListOpen}
              aria-controls="earlier-prompts"
              onClick={() => setIsListOpen(!isListOpen)}
            />
          )
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
