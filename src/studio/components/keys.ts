/** Returns a key with its modifiers as the commands name it: `b`, `{`, `mod+shift+z`, `delete`. */
export function comboOf(
  event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey' | 'getModifierState'>,
): string {
  const key = event.key.toLowerCase();
  // Some keyboards type brackets with AltGr, which is also reported as Ctrl and Alt.
  const isTyped = event.getModifierState('AltGraph');
  const isLetterOrName = key !== key.toUpperCase();
  return [
    (event.ctrlKey || event.metaKey) && !isTyped ? 'mod+' : '',
    event.altKey && !isTyped ? 'alt+' : '',
    event.shiftKey && isLetterOrName ? 'shift+' : '',
    key,
  ].join('');
}

export function keyLabel(combo: string, isMac: boolean): string {
  const parts = combo.split(/\+(?=.)/).map((part) => {
    switch (part) {
      case 'mod':
        return isMac ? '⌘' : 'Ctrl';
      case 'shift':
        return isMac ? '⇧' : 'Shift';
      case 'delete':
        return isMac ? '⌦' : 'Del';
      default:
        return part.toUpperCase();
    }
  });
  return parts.join(isMac ? '' : '+');
}

/** Ignores the repeats of a key that is held on a button: some buttons cost money. */
export function ignoreKeyRepeat(): void {
  window.addEventListener(
    'keydown',
    (event) => {
      if (event.repeat && event.key === 'Enter' && event.target instanceof HTMLButtonElement) {
        event.preventDefault();
      }
    },
    true,
  );
}

/** Whether a key undoes the last change, in a text field as elsewhere. */
export function isUndo(
  {
    key,
    ctrlKey,
    metaKey,
    altKey,
    shiftKey,
  }: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>,
  isMac: boolean,
): boolean {
  return key.toLowerCase() === 'z' && (isMac ? metaKey : ctrlKey) && !altKey && !shiftKey;
}
