import { useEffect } from 'preact/hooks';
import type { StudioStore } from './store/studioStore.ts';

/** Handles the usual undo and redo keys everywhere except in text fields, which have their own undo. */
export function useUndoKeys(store: StudioStore): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (!isTextField(event.target) && undoByKey(store, event)) {
        event.preventDefault();
        // VS Code would undo the last change of a text field.
        event.stopPropagation();
      }
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [store]);
}

type Key = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey' | 'repeat'>;

/** Undoes or redoes if the key means that. @returns whether it does */
export function undoByKey(store: StudioStore, key: Key): boolean {
  const act = actOf(key, store.state.isMac);
  if (!act) {
    return false;
  }
  if (store.isRepairing) {
    store.stepRepair(act);
    return true;
  }
  const { last, next } = store.acts;
  const isShown = (act === 'undo' ? last : next)?.isShown;
  // A held key does not run through important acts.
  if (!key.repeat || !isShown) {
    void store[act]();
  }
  return true;
}

function actOf(
  { key, ctrlKey, metaKey, altKey, shiftKey }: Key,
  isMac: boolean,
): 'undo' | 'redo' | undefined {
  if (altKey || !(isMac ? metaKey : ctrlKey)) {
    return undefined;
  }
  switch (key.toLowerCase()) {
    case 'z':
      return shiftKey ? 'redo' : 'undo';
    case 'y':
      return 'redo';
    default:
      return undefined;
  }
}

function isTextField(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLTextAreaElement ||
    (target instanceof HTMLInputElement && !['radio', 'checkbox', 'range'].includes(target.type))
  );
}
