import { useEffect } from 'preact/hooks';
import type { StudioStore } from './store/studioStore.ts';

/** Undoes and redoes by the usual keys everywhere but in text fields, which have an undo of their own. */
export function useUndoKeys(store: StudioStore): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const act = actOf(event, store.state.isMac);
      if (act && !isTextField(event.target)) {
        event.preventDefault();
        // VS Code would undo the last change of a text field.
        event.stopPropagation();
        void store[act]();
      }
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [store]);
}

function actOf(
  { key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent,
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
