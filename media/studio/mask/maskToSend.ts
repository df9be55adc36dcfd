import * as l10n from '@vscode/l10n';
import type { Host } from '../host.ts';
import { inputsOf, modelOf } from '../work.ts';
import type { Work } from '../work.ts';
import { canHaveMask, doneOf, fitted } from './history.ts';
import { isBlank } from './maskPixels.ts';
import { maskPng } from './maskPng.ts';
import { paintingOf } from './paintings.ts';

/**
 * The mask of this piece of work as a PNG of the first input's size, whether it is on screen or not; nothing when
 * nothing is painted, there is no image, or the model takes no mask.
 * @throws Error when a mask file cannot be read, or everything that was marked was taken away again
 */
export async function maskToSend(work: Work, host: Host): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const [input] = inputsOf(work.state);
  if (!input || modelOf(work.state)?.mask === 'none') {
    return undefined;
  }
  const history = fitted(work.state.draft.mask, input);
  if (!canHaveMask(history)) {
    return undefined;
  }
  const painting = paintingOf(work, host, input);
  await painting.show(doneOf(history));
  if (isBlank(painting.mask)) {
    throw new Error(
      l10n.t(
        'Nothing is marked in the mask. Mark what is to change, or clear the mask to change the whole image.',
      ),
    );
  }
  return maskPng(painting.mask);
}
