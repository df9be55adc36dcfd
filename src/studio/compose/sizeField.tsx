import * as l10n from '@vscode/l10n';
import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Notes } from '../components/field.tsx';
import { Icon, IconButton } from '../components/button.tsx';
import { parseSize, sizeValue } from '../store/imageSize.ts';
import { inputsOf, isMasked, type ModelFieldProps, type StudioStore } from '../store/studioStore.ts';
import { presetsOf, shapeName, sizeNote, sizeParts, sizeProblemOf } from './sizes.ts';

/** Shows the sizes to choose from: presets, a custom one, and the service's choice. */
export function SizeField({ store, model }: ModelFieldProps): JSX.Element {
  const { draft } = store.state;
  const presets = presetsOf(model.sizes);
  const [input] = inputsOf(store.state);
  const likeInput = input && model.sizes.length === 0 ? sizeValue(input) : undefined;
  const [wantsOther, setWantsOther] = useState(false);
  const isOther =
    draft.size !== '' && (wantsOther || !(presets.includes(draft.size) || draft.size === likeInput));
  const note = sizeNote(model, draft, isMasked(store.state));
  const problem = sizeProblemOf(draft, model);
  const choose = (size: string): void => {
    setWantsOther(false);
    store.change({ size });
  };
  return (
    <fieldset class="size-field" aria-describedby="size-notes">
      <legend>{l10n.t('Size')}</legend>
      <div class="size-choices">
        {presets.map((size) => (
          <Preset
            key={size}
            size={size}
            isChosen={!isOther && size === draft.size}
            choose={() => choose(size)}
          />
        ))}
      </div>
      <div class="size-words">
        {likeInput !== undefined && !presets.includes(likeInput) && (
          <Choice isChosen={!isOther && draft.size === likeInput} choose={() => choose(likeInput)}>
            <Icon name="file-media" />
            <span>{l10n.t('Same as Input')}</span>
          </Choice>
        )}
        <Choice
          isChosen={isOther}
          choose={() => {
            setWantsOther(true);
            store.wantExactly(draft.size || likeInput || presets[0] || '1024x1024');
          }}
        >
          <Icon name="edit" />
          <span>{l10n.t('Custom')}</span>
        </Choice>
        <Choice isChosen={draft.size === ''} choose={() => choose('')}>
          <Icon name="sparkle" />
          <span>{l10n.t('Auto')}</span>
        </Choice>
      </div>
      {isOther && <OtherSize store={store} isWrong={problem !== undefined} />}
      <Notes id="size-notes" note={note} problem={problem} />
    </fieldset>
  );
}

interface ChoiceProps {
  title?: string;
  isChosen: boolean;
  choose: () => void;
  children: ComponentChildren;
}

function Choice({ title, isChosen, choose, children }: ChoiceProps): JSX.Element {
  return (
    <label class="size-choice" title={title}>
      <input type="radio" name="size" checked={isChosen} onChange={choose} />
      {children}
    </label>
  );
}

function Preset({ size, ...choice }: Omit<ChoiceProps, 'children'> & { size: string }): JSX.Element {
  const { width, height } = parseSize(size) ?? { width: 1, height: 1 };
  const scale = 20 / Math.max(width, height);
  const shape = shapeName({ width, height });
  return (
    <Choice {...choice} title={shape}>
      <span class="size-shape" aria-hidden="true">
        <span style={{ width: `${width * scale}px`, height: `${height * scale}px` }} />
      </span>
      <span>
        <span class="only-spoken">{shape} </span>
        {`${width}×${height}`}
      </span>
    </Choice>
  );
}

function OtherSize({ store, isWrong }: { store: StudioStore; isWrong: boolean }): JSX.Element {
  const [width, height] = sizeParts(store.state.draft.size);
  const change = (size: string): void => store.wantExactly(size);
  return (
    <div class="other-size">
      <input
        id="size-width"
        class="input"
        inputMode="numeric"
        aria-label={l10n.t('Width in pixels')}
        aria-invalid={isWrong}
        aria-describedby="size-notes"
        value={width}
        onInput={({ currentTarget }) => change(`${currentTarget.value.trim()}x${height}`)}
      />
      <span aria-hidden="true">×</span>
      <input
        class="input"
        inputMode="numeric"
        aria-label={l10n.t('Height in pixels')}
        aria-invalid={isWrong}
        aria-describedby="size-notes"
        value={height}
        onInput={({ currentTarget }) => change(`${width}x${currentTarget.value.trim()}`)}
      />
      <IconButton
        icon="arrow-swap"
        label={l10n.t('Swap Width and Height')}
        onClick={() => change(`${height}x${width}`)}
      />
    </div>
  );
}
