import * as l10n from '@vscode/l10n';
import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { changeMaxInputs, moveInput, tooManyInputs, inputType } from './inputList.ts';
import { Notes } from '../components/field.tsx';
import { Button, IconButton } from '../components/button.tsx';
import { focusAfterRender } from '../components/focus.ts';
import { inputsOf, type ModelFieldProps } from '../store/studioStore.ts';
import { InputRow } from './inputRow.tsx';

export function Inputs(parts: ModelFieldProps): JSX.Element {
  const { store, host, model } = parts;
  const { draft } = store.state;
  const inputs = inputsOf(store.state);
  const area = useRef<HTMLElement>(null);
  /** The position before which a dragged image would be dropped. */
  const [place, setPlace] = useState<number | undefined>(undefined);
  const pick = (): Promise<void> =>
    store.attempt(async () => {
      store.addInputs(await host.ask('pickInputs', {}));
      // Another button may have replaced the one that opened the dialog.
      focusAfterRender(() => document.getElementById('inputs'));
    });
  const move = (id: string, to: number): void => {
    const { inputs: known, draft } = store.state;
    const moved = moveInput(draft.inputs, id, to);
    if (moved.some((other, index) => other !== draft.inputs[index])) {
      store.act(l10n.t('moved {0}', known.get(id)?.name ?? ''), { inputs: moved });
    }
  };
  const tooMany = inputs.length > model.maxInputs ? tooManyInputs(model, inputs.length) : undefined;
  const isAssumed = tooMany !== undefined && model.isMaxInputsAssumed === true;
  return (
    <section ref={area} class="inputs" aria-labelledby="inputs-label" aria-describedby="inputs-notes">
      <div class="field-head">
        <h2 id="inputs-label">{l10n.t('Input Images')}</h2>
        {inputs.length > 0 && (
          <IconButton id="inputs" icon="add" label={l10n.t('Add Images…')} onClick={() => void pick()} />
        )}
      </div>
      {inputs.length === 0 ? (
        <div class="no-inputs">
          <Button id="inputs" icon="add" onClick={() => void pick()}>
            {l10n.t('Add Images…')}
          </Button>
          <p>{l10n.t('To edit an image, add it, paste it, or drop it here while holding Shift.')}</p>
        </div>
      ) : (
        <ol
          class="input-list"
          onDragOver={(event) => {
            if (event.dataTransfer?.types.includes(inputType) === true) {
              event.preventDefault();
              setPlace(placeAt(event.currentTarget, event.clientY));
            }
          }}
          onDragLeave={({ currentTarget, relatedTarget }) => {
            if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) {
              setPlace(undefined);
            }
          }}
          onDrop={(event) => {
            const id = event.dataTransfer?.getData(inputType) ?? '';
            if (id !== '') {
              event.preventDefault();
              const before = placeAt(event.currentTarget, event.clientY);
              const from = draft.inputs.indexOf(id);
              move(id, before > from ? before - 1 : before);
            }
            setPlace(undefined);
          }}
        >
          {inputs.map((input, index) => (
            <InputRow
              key={input.id}
              {...parts}
              input={input}
              index={index}
              count={inputs.length}
              isDropPlace={place === index}
              move={(to) => move(input.id, to)}
              remove={() => {
                store.act(l10n.t('removed {0}', input.name), {
                  inputs: store.state.draft.inputs.filter((id) => id !== input.id),
                });
                focusAfterRender(() => nextInput(area.current, index) ?? document.getElementById('inputs'));
              }}
            />
          ))}
        </ol>
      )}
      <Notes
        id="inputs-notes"
        note={isAssumed ? tooMany : undefined}
        problem={isAssumed ? undefined : tooMany}
      />
      {isAssumed && <Button onClick={() => void changeMaxInputs(parts)}>{l10n.t('Change…')}</Button>}
    </section>
  );
}

/** Returns the button that removes the image at this position in the list, or the last image. */
function nextInput(area: HTMLElement | null, index: number): HTMLButtonElement | undefined {
  const buttons = [...(area?.querySelectorAll<HTMLButtonElement>('.input-moves button:first-child') ?? [])];
  return buttons[index] ?? buttons.at(-1);
}

/** Returns the index of the row that a vertical screen position precedes. */
function placeAt(list: HTMLElement, y: number): number {
  const rows = [...list.children];
  const next = rows.findIndex((row) => {
    const { top, height } = row.getBoundingClientRect();
    return y < top + height / 2;
  });
  return next === -1 ? rows.length : next;
}
