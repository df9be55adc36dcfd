import type { MaskHistory, MaskOperation } from '../../../src/studio/mask.ts';
import type { Size } from '../parts/zoom.ts';

/** The operations that count. */
export function doneOf({ operations, done }: MaskHistory): readonly MaskOperation[] {
  return operations.slice(0, done);
}

/** Does one more; what was undone can no longer be redone. */
export function push(history: MaskHistory, operation: MaskOperation): MaskHistory {
  const operations = [...doneOf(history), operation];
  return { ...history, operations, done: operations.length };
}

export function canUndo({ done }: MaskHistory): boolean {
  return done > 0;
}

export function canRedo({ operations, done }: MaskHistory): boolean {
  return done < operations.length;
}

export function undone(history: MaskHistory): MaskHistory {
  return canUndo(history)
    ? { ...history, done: Math.min(history.done, history.operations.length) - 1 }
    : history;
}

export function redone(history: MaskHistory): MaskHistory {
  return canRedo(history) ? { ...history, done: history.done + 1 } : history;
}

/**
 * The history for an image of this size: a mask that was painted on one of another size is cleared, which can be
 * undone; one of the same size stays.
 */
export function fitted(history: MaskHistory, { width, height }: Size): MaskHistory {
  const { size } = history;
  if (size?.width === width && size.height === height) {
    return history;
  }
  const next = { ...history, size: { width, height } };
  return size && canHaveMask(history) ? push(next, { kind: 'clear' }) : next;
}

/** Whether a mask may be there, as far as that can be told without drawing it. */
export function canHaveMask(history: MaskHistory): boolean {
  const last = doneOf(history).at(-1);
  return last !== undefined && last.kind !== 'clear';
}
