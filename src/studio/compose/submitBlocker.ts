import * as l10n from '@vscode/l10n';
import { filledRows, setProblem } from '../sets/setRows.ts';
import { tooManyInputs } from './inputList.ts';
import type { StudioInput } from '../protocol/state.ts';
import { parseSize, sizeValue } from '../store/imageSize.ts';
import { inputsOf, isMasked, keptOutsideOf, modelOf, type StudioStoreState } from '../store/studioStore.ts';
import { sizeProblem, sizeProblemOf } from './sizes.ts';

export interface SubmitBlocker {
  message: string;
  /** Id of the control that fixes it. */
  control: string;
  /** Whether the limit on inputs is only assumed. */
  isAssumed?: true;
}

/** Returns why the draft cannot be sent, as far as the page can tell. */
export function findSubmitBlocker(state: StudioStoreState): SubmitBlocker | undefined {
  const { draft } = state;
  const model = modelOf(state);
  if (!model) {
    return { message: l10n.t('No model is set.'), control: 'model' };
  }
  const wrongSet = draft.isSet ? setProblem(draft) : undefined;
  if (wrongSet) {
    return wrongSet;
  }
  if (draft.isSet && isMasked(state)) {
    return {
      message: l10n.t('A set is generated without a mask. Clear the mask, or generate a single image.'),
      control: 'inputs',
    };
  }
  if (!draft.isSet && draft.prompt.trim() === '') {
    return { message: l10n.t('Enter a prompt.'), control: 'prompt' };
  }
  const inputs = inputsOf(state);
  const count = inputs.length;
  if (count > model.maxInputs) {
    const message = tooManyInputs(model, count);
    return { message, control: 'inputs', ...(model.isMaxInputsAssumed && { isAssumed: true }) };
  }
  const lost = inputs.find(({ onDisk, url }) => (onDisk && onDisk !== 'deleted') || url === '');
  if (lost) {
    return { message: lostInput(lost), control: 'inputs' };
  }
  if (isMasked(state) && model.mask === 'none') {
    return {
      message: l10n.t("{0} doesn't support masks. Clear the mask, or choose another model.", model.name),
      control: 'model',
    };
  }
  const size = sizeProblemOf(draft, model);
  return size === undefined ? undefined : { message: size, control: 'size-width' };
}

function lostInput({ name, onDisk }: StudioInput): string {
  switch (onDisk) {
    case 'changed':
      return l10n.t('{0} has changed on disk. Reload it, or remove it.', name);
    case 'replaced':
      return l10n.t('{0} was replaced by an edited image. Reload it, or remove it.', name);
    default:
      return l10n.t('{0} was deleted. Remove it.', name);
  }
}

/** A size at which the pixels outside the mask are lost. */
export interface LossySize {
  message: string;
  /** The size at which they are kept; undefined if the model does not make it. */
  keeping: string | undefined;
}

/** Returns the chosen size if the pixels outside the mask can't be kept at it, although they are to be. */
export function findLossySize(state: StudioStoreState): LossySize | undefined {
  const { size } = state.draft;
  const kept = keptOutsideOf(state);
  if (!kept || size === sizeValue(kept.input) || sizeProblem(size) !== undefined) {
    return undefined;
  }
  const { input } = kept;
  const chosen = parseSize(size);
  return {
    message: chosen
      ? l10n.t("Everything outside the mask can't be kept at {0} × {1}.", chosen.width, chosen.height)
      : l10n.t(
          'Everything outside the mask is kept only if the service returns {0} × {1}.',
          input.width,
          input.height,
        ),
    keeping: kept.size === sizeValue(input) ? kept.size : undefined,
  };
}

export function submitLabel(state: StudioStoreState, usual: number): string {
  const count = state.draft.isSet ? filledRows(state.draft).length : usual;
  if (state.draft.isSet || state.draft.inputs.length === 0) {
    return count === 1 ? l10n.t('Generate Image') : l10n.t('Generate {0} Images', count);
  }
  if (isMasked(state)) {
    return count === 1 ? l10n.t('Edit Masked Area') : l10n.t('Edit Masked Area · {0} Images', count);
  }
  return count === 1 ? l10n.t('Edit Image') : l10n.t('Edit Image · {0} Images', count);
}
