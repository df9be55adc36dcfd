import * as l10n from '@vscode/l10n';
import type { StudioModel } from '../protocol/state.ts';
import type { StudioContext } from '../store/studioStore.ts';

/** Moves an input to another place in the list. */
export function moveInput(inputs: readonly string[], id: string, to: number): string[] {
  const others = inputs.filter((other) => other !== id);
  const place = Math.max(0, Math.min(to, others.length));
  return [...others.slice(0, place), id, ...others.slice(place)];
}

/** Returns the message that there are more inputs than the model takes, as far as the settings say. */
export function tooManyInputs(
  { name, maxInputs: most, isMaxInputsAssumed }: StudioModel,
  count: number,
): string {
  if (isMaxInputsAssumed) {
    return l10n.t(
      'Limner assumes that {0} takes 1 input image, but there are {1}. If it takes more, set "inputs" in its settings.',
      name,
      count,
    );
  }
  return most === 1
    ? l10n.t('{0} takes 1 input image, but there are {1}. Remove some, or choose another model.', name, count)
    : l10n.t(
        '{0} takes at most {1} input images, but there are {2}. Remove some, or choose another model.',
        name,
        most,
        count,
      );
}

/** Shows where the settings say how many inputs a model takes. */
export async function changeMaxInputs({ store, host }: StudioContext): Promise<void> {
  await store.attempt(async () => host.ask('openModelSettings', {}));
}
