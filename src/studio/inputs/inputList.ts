import * as l10n from '@vscode/l10n';

/** Moves an input to another place in the list. */
export function moveInput(inputs: readonly string[], id: string, to: number): string[] {
  const others = inputs.filter((other) => other !== id);
  const place = Math.max(0, Math.min(to, others.length));
  return [...others.slice(0, place), id, ...others.slice(place)];
}

/** Returns the message that there are more inputs than the model takes. */
export function tooManyInputs(name: string, most: number, count: number): string {
  return most === 1
    ? l10n.t('{0} takes 1 input image, but there are {1}. Remove some, or choose another model.', name, count)
    : l10n.t(
        '{0} takes at most {1} input images, but there are {2}. Remove some, or choose another model.',
        name,
        most,
        count,
      );
}
