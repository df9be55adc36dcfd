import * as l10n from '@vscode/l10n';
import type { MaskHistory, MaskOperation } from '../protocol/maskOperations.ts';
import type { StudioInput } from '../protocol/state.ts';

/** The properties of an input that identify its mask. */
export type MaskedImage = Pick<StudioInput, 'id' | 'path' | 'width' | 'height'>;

/** Operations with their undo state: those of a mask, or of a repair. */
type Operations = Pick<MaskHistory, 'operations' | 'done'>;

export function doneOf({ operations, done }: Operations): readonly MaskOperation[] {
  return operations.slice(0, done);
}

/** Adds an operation; undone operations can no longer be redone. */
export function push<History extends Operations>(history: History, operation: MaskOperation): History {
  const operations = [...doneOf(history), operation];
  return { ...history, operations, done: operations.length };
}

export function canUndo({ done }: Operations): boolean {
  return done > 0;
}

export function canRedo({ operations, done }: Operations): boolean {
  return done < operations.length;
}

export function undone<History extends Operations>(history: History): History {
  return canUndo(history)
    ? { ...history, done: Math.min(history.done, history.operations.length) - 1 }
    : history;
}

export function redone<History extends Operations>(history: History): History {
  return canRedo(history) ? { ...history, done: history.done + 1 } : history;
}

/**
 * Returns the history for the first of these images. A mask belongs to the image that it was painted on. It stays while
 * that image is first or there is none. It is cleared, which can be undone, if the image has another size or position,
 * and dropped if the image is gone.
 */
export function fitted(history: MaskHistory, images: readonly MaskedImage[]): MaskHistory {
  const [first] = images;
  const { image, size } = history;
  if (!first) {
    return history;
  }
  const { id, path, width, height } = first;
  const isOfSize = !size || (size.width === width && size.height === height);
  if (image?.id === id && size && isOfSize) {
    return history;
  }
  const owner = { image: { id, path }, size: { width, height } };
  if (image && !images.some((other) => isSameImage(image, other))) {
    return { operations: [], done: 0, ...owner };
  }
  const stays = isOfSize && (!image || isSameImage(image, first));
  const next = { ...history, ...owner };
  return stays || !canHaveMask(history) ? next : push(next, { kind: 'clear' });
}

/** Whether two images are the same, or versions of the same file. */
function isSameImage(one: NonNullable<MaskHistory['image']>, other: MaskedImage): boolean {
  return one.id === other.id || (one.path !== '' && one.path === other.path);
}

/** Whether there may be a mask, as far as can be told without drawing it. */
export function canHaveMask(history: MaskHistory): boolean {
  const last = doneOf(history).at(-1);
  return last !== undefined && last.kind !== 'clear';
}

/** Returns the label of an operation, to announce that it was undone. */
export function labelOf({ kind }: MaskOperation): string {
  switch (kind) {
    case 'stroke':
      return l10n.t('brush stroke');
    case 'rectangle':
      return l10n.t('rectangle');
    case 'lasso':
      return l10n.t('lasso');
    case 'invert':
      return l10n.t('inverted mask');
    case 'clear':
      return l10n.t('cleared mask');
    case 'fill':
      return l10n.t('marked everything');
    case 'choke':
      return l10n.t('moved edge');
    case 'feather':
      return l10n.t('softened edge');
    case 'load':
      return l10n.t('loaded mask');
  }
}
