import './sizeField.css';
import * as l10n from '@vscode/l10n';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Notes } from '../../components/field.tsx';
import { Icon } from '../../components/icon.tsx';
import { IconButton } from '../../components/iconButton.tsx';
import { inputsOf } from '../../store/studioStore.ts';
import type { ModelFieldProps } from '../../store/studioContext.ts';
import { parseSize, presetsOf, shapeName, sizeParts, sizeProblem, sizeText, withoutSize } from './sizes.ts';

/** Shows the sizes to choose from: presets, any other, or the choice of the service. */
export function SizeField({ store, model }: ModelFieldProps): JSX.Element {
  const { draft } = store.state;
  const presets = presetsOf(model.sizes);
  const [input] = inputsOf(store.state);
  const likeInput = input && model.sizes.length === 0 ? sizeText(input) : undefined;
  const [wantsOther, wantOther] = useState(false);
  const isOther =
    draft.size !== '' && (wantsOther || !(presets.includes(draft.size) || draft.size === likeInput));
  const note = withoutSize(model);
  const problem = note === undefined ? sizeProblem(draft.size) : undefined;
  const choose = (size: string): void => {
    wantOther(false);
    store.change({ size });
  };
  return (
    <fieldset class="size-field" disabled={note !== undefined} aria-describedby="size-notes">
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
        <Choice
          icon="sparkle"
          words={l10n.t('Let the Service Decide')}
          isChosen={draft.size === ''}
          choose={() => choose('')}
        />
        {likeInput !== undefined && !presets.includes(likeInput) && (
          <Choice
            icon="file-media"
            words={l10n.t('Same as Input')}
            isChosen={!isOther && draft.size === likeInput}
            choose={() => choose(likeInput)}
          />
        )}
        <Choice
          icon="edit"
          words={l10n.t('Custom')}
          isChosen={isOther}
          choose={() => {
            wantOther(true);
            store.change({ size: draft.size || likeInput || presets[0] || '1024x1024' });
          }}
        />
      </div>
      {isOther && (
        <OtherSize
          size={draft.size}
          isWrong={problem !== undefined}
          change={(size) => store.change({ size })}
        />
      )}
      <Notes id="size-notes" note={note} problem={problem} />
    </fieldset>
  );
}

/** Shows a choice with a label rather than a shape. */
function Choice({
  icon,
  words,
  isChosen,
  choose,
}: {
  icon: string;
  words: string;
  isChosen: boolean;
  choose: () => void;
}): JSX.Element {
  return (
    <label class="size-choice">
      <input type="radio" name="size" checked={isChosen} onChange={choose} />
      <Icon name={icon} />
      <span>{words}</span>
    </label>
  );
}

/** Shows a size with its shape. */
function Preset({
  size,
  isChosen,
  choose,
}: {
  size: string;
  isChosen: boolean;
  choose: () => void;
}): JSX.Element {
  const { width, height } = parseSize(size) ?? { width: 1, height: 1 };
  const scale = 20 / Math.max(width, height);
  const shape = shapeName({ width, height });
  return (
    <label class="size-choice" title={shape}>
      <input type="radio" name="size" checked={isChosen} onChange={choose} />
      <span class="size-picture" aria-hidden="true">
        <span style={{ width: `${width * scale}px`, height: `${height * scale}px` }} />
      </span>
      <span>
        <span class="only-spoken">{shape} </span>
        {`${width}×${height}`}
      </span>
    </label>
  );
}

function OtherSize({
  size,
  isWrong,
  change,
}: {
  size: string;
  isWrong: boolean;
  change: (size: string) => void;
}): JSX.Element {
  const [width, height] = sizeParts(size);
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
