import { arrows } from '../components/zoom.ts';
import type { MaskView } from './maskView.ts';
import type { Pointers } from './pointers.ts';

/** Step of the crosshair and of the image, in screen pixels, and their factor with Shift. */
const crosshairStep = 10;
const largeStep = 5;
const panStep = 50;

/**
 * Handles the keys that only work on the image itself: for the crosshair, the tool, and the hand.
 *
 * @param onPress called when the tool is put down or lifted
 * @returns listeners that return whether the key was used
 */
export function surfaceKeys(view: MaskView, pointers: Pointers, onPress: (isDown: boolean) => void) {
  const moveByArrow = (event: KeyboardEvent, [across, down]: readonly [number, number]): void => {
    const factor = event.shiftKey ? largeStep : 1;
    if (event.ctrlKey || event.metaKey) {
      view.pan(-across * panStep * factor, -down * panStep * factor);
      return;
    }
    const pixels = event.altKey ? 1 : Math.max(1, Math.round(crosshairStep / view.zoom.scale)) * factor;
    view.step(across * pixels, down * pixels);
  };
  const onKeyDown = (event: KeyboardEvent): boolean => {
    if (event.key === 'Alt') {
      // Alt modifies the tools here. VS Code would open its menu bar on release.
      view.invert(true);
      return true;
    }
    const direction = arrows[event.key];
    if (direction) {
      moveByArrow(event, direction);
      return true;
    }
    if (event.ctrlKey || event.metaKey || event.altKey) {
      return false;
    }
    switch (event.key) {
      case ' ':
        pointers.takeHand();
        return true;
      case 'Enter':
        if (!event.repeat) {
          onPress(view.press());
        }
        return true;
      case 'Escape':
        return view.cancel();
      default:
        return false;
    }
  };
  const onKeyUp = ({ key }: KeyboardEvent): boolean => {
    if (key === 'Alt') {
      view.invert(false);
      return true;
    }
    if (key === ' ' && pointers.dropHand()) {
      onPress(view.press());
      return true;
    }
    return false;
  };
  return { onKeyDown, onKeyUp };
}
