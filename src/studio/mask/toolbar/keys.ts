/** A key with what is held beside it, as the commands of the mask name it: `b`, `{`, `mod+shift+z`, `delete`. */
export function comboOf(
  event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey' | 'getModifierState'>,
): string {
  const key = event.key.toLowerCase();
  // On some keyboards a bracket is typed with AltGr, which comes with Ctrl and Alt.
  const isTyped = event.getModifierState('AltGraph');
  const isLetterOrName = key.length > 1 || key !== key.toUpperCase();
  return [
    (event.ctrlKey || event.metaKey) && !isTyped ? 'mod+' : '',
    event.altKey && !isTyped ? 'alt+' : '',
    event.shiftKey && isLetterOrName ? 'shift+' : '',
    key,
  ].join('');
}

/** How a key is written beside what it does. */
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
