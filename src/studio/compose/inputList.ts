import * as l10n from '@vscode/l10n';
import type { StudioModel } from '../protocol/state.ts';
import type { StudioContext } from '../store/studioStore.ts';

/** The part of `DataTransfer` that is used here; its data can only be read after the drop. */
export interface Transfer {
  readonly types: readonly string[];
  getData(type: string): string;
}

export const inputType = 'application/x-limner-input';

const uriListType = 'application/vnd.code.uri-list';
const resourcesType = 'resourceurls';
const plainUriListType = 'text/uri-list';

/** Whether a drag may carry images from the explorer, the desktop or another program. */
export function carriesFiles({ types }: Pick<Transfer, 'types'>): boolean {
  const known = new Set(types.map((type) => type.toLowerCase()));
  return [uriListType, resourcesType, plainUriListType, 'files'].some((type) => known.has(type));
}

/** Returns the URIs of files that were dropped from the explorer or an editor tab. */
export function droppedUris(transfer: Transfer): string[] {
  const list = linesOf(transfer.getData(uriListType));
  return list.length > 0 ? list : namesIn(transfer.getData(resourcesType));
}

export function foreignUris(transfer: Transfer): string[] {
  return linesOf(transfer.getData(plainUriListType));
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
}

function namesIn(json: string): string[] {
  try {
    const value: unknown = JSON.parse(json);
    return Array.isArray(value) ? value.filter((name) => typeof name === 'string') : [];
  } catch {
    return [];
  }
}

export function moveInput(inputs: readonly string[], id: string, to: number): string[] {
  const others = inputs.filter((other) => other !== id);
  const place = Math.max(0, Math.min(to, others.length));
  return [...others.slice(0, place), id, ...others.slice(place)];
}

/** Returns the message that there are more inputs than the settings allow for the model. */
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

export async function changeMaxInputs({ store, host }: StudioContext): Promise<void> {
  await store.attempt(async () => host.ask('openModelSettings', {}));
}
