import * as l10n from '@vscode/l10n';
import type { Host } from '../store/host.ts';
import type { Size } from '../components/zoom.ts';
import { inputsOf, modelOf, type StudioStore } from '../store/studioStore.ts';
import { canHaveMask, doneOf, fitted } from '../store/maskHistory.ts';
import { isBlank, isFull } from './maskPixels.ts';
import { Painting } from './painting.ts';
import { readMask } from './decodeMask.ts';
import { encodeMaskPng } from './encodeMaskPng.ts';

/**
 * Returns the mask of the draft as a PNG of the first input's size, on screen or not; undefined if nothing is painted,
 * there is no input, or the model takes no mask.
 *
 * @throws Error when everything marked was erased again, or the loaded mask can't be read and the user was not told so
 *   yet or marked nothing instead
 */
export async function maskToSend(
  store: StudioStore,
  host: Host,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const inputs = inputsOf(store.state);
  const [input] = inputs;
  if (!input || modelOf(store.state)?.mask === 'none') {
    return undefined;
  }
  const history = fitted(store.state.draft.mask, inputs);
  if (!canHaveMask(history)) {
    return undefined;
  }
  const painting = paintingOf(store, host, input);
  const wasLost = painting.isLoadLost;
  await painting.show(doneOf(history));
  if (painting.isLoadLost) {
    if (isBlank(painting.mask) || isFull(painting.mask)) {
      throw new Error(
        l10n.t(
          'The loaded mask can no longer be read. Paint it again, load it from a file, or clear it to change the whole image.',
        ),
      );
    }
    if (!wasLost) {
      throw new Error(
        l10n.t(
          'The loaded mask can no longer be read, so only what you painted afterward is marked. Send again to send it this way.',
        ),
      );
    }
  }
  if (isBlank(painting.mask)) {
    throw new Error(
      l10n.t(
        'Nothing is marked in the mask. Mark what you want to change, or clear the mask to change the whole image.',
      ),
    );
  }
  return encodeMaskPng(painting.mask);
}

const paintings = new WeakMap<StudioStore, Painting>();

/** Returns the painting of this size, which outlives its view. */
export function paintingOf(store: StudioStore, host: Host, { width, height }: Size): Painting {
  const known = paintings.get(store);
  if (known?.mask.width === width && known.mask.height === height) {
    return known;
  }
  const painting = new Painting({ width, height }, (file, size) => readMask(host, file, size));
  paintings.set(store, painting);
  return painting;
}
