import { arrows } from '../../zoom/zoom.ts';
import type { MaskView } from './maskView.ts';
import type { Pointers } from './pointers.ts';

/** Step of the crosshair and of the image, in screen pixels, and their factor with Shift. */
const crosshairStep = 10;
const largeStep = 5;
const panStep = 50;

/** Handles the keys that only work on the image itself: for the crosshair, the tool and the hand. */
export class SurfaceKeys {
  readonly #view: MaskView;
  readonly #pointers: Pointers;
  readonly #onPress: (isDown: boolean) => void;

  /** @param onPress called when the tool is put down or lifted */
  constructor(view: MaskView, pointers: Pointers, onPress: (isDown: boolean) => void) {
    this.#view = view;
    this.#pointers = pointers;
    this.#onPress = onPress;
  }

  /** @returns whether the key was used */
  down(event: KeyboardEvent): boolean {
    const direction = arrows[event.key];
    if (direction) {
      this.#arrow(event, direction);
      return true;
    }
    if (event.ctrlKey || event.metaKey || event.altKey) {
      return false;
    }
    switch (event.key) {
      case ' ':
        this.#pointers.takeHand();
        return true;
      case 'Enter':
        if (!event.repeat) {
          this.#onPress(this.#view.press());
        }
        return true;
      case 'Escape':
        return this.#view.cancel();
      default:
        return false;
    }
  }

  up({ key }: KeyboardEvent): boolean {
    if (key === ' ' && this.#pointers.dropHand()) {
      this.#onPress(this.#view.press());
      return true;
    }
    return false;
  }

  #arrow(event: KeyboardEvent, [across, down]: readonly [number, number]): void {
    const factor = event.shiftKey ? largeStep : 1;
    if (event.ctrlKey || event.metaKey) {
      this.#view.pan(-across * panStep * factor, -down * panStep * factor);
      return;
    }
    const pixels = event.altKey ? 1 : Math.max(1, Math.round(crosshairStep / this.#view.zoom.scale)) * factor;
    this.#view.step(across * pixels, down * pixels);
  }
}
