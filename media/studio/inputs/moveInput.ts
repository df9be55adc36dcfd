import type { Draft } from '../../../src/studio/draft.ts';

type Inputs = Pick<Draft, 'inputs' | 'mask'>;

/** The input images with this one at another place. */
export function moveInput(draft: Inputs, id: string, to: number): Inputs {
  const others = draft.inputs.filter((other) => other !== id);
  const place = Math.max(0, Math.min(to, others.length));
  return withInputs(draft, [...others.slice(0, place), id, ...others.slice(place)]);
}

export function removeInput(draft: Inputs, id: string): Inputs {
  return withInputs(
    draft,
    draft.inputs.filter((other) => other !== id),
  );
}

/** The mask belongs to the first image: with another one in its place, all of it is undone, and can be done again. */
function withInputs({ inputs, mask }: Inputs, changed: string[]): Inputs {
  return { inputs: changed, mask: changed[0] === inputs[0] ? mask : { ...mask, done: 0 } };
}
