import { type Point, wheelFactor, wheelSideways } from '../components/zoom.ts';
import type { Touch } from './gesture.ts';
import type { MaskView } from './maskView.ts';

/** The right button and the eraser of a pen in `PointerEvent.buttons`. */
const inverseButtons = 2 | 32;
/** Lowest pressure of a pen, so that a light touch is visible. */
const minPressure = 0.05;

/**
 * Handles mouse, pen, and touch: one pointer paints, two fingers zoom, and the middle button or the space bar moves.
 * The right button, the eraser of a pen, and Alt invert the tool; Shift draws a straight line.
 */
export class Pointers {
  readonly #frame: HTMLElement;
  readonly #view: MaskView;
  readonly #abort = new AbortController();
  /** Pointers that are down, by id. */
  readonly #down = new Map<number, { role: 'paint' | 'pan' | 'pinch' | 'idle'; point: Point }>();
  #wasPenSeen = false;
  /** Set while the space bar is down, with whether it has moved the image. */
  #hand: { hasMoved: boolean } | undefined;

  constructor(frame: HTMLElement, view: MaskView) {
    this.#frame = frame;
    this.#view = view;
    this.#listen('pointerdown', (event) => this.#press(event));
    this.#listen('pointermove', (event) => this.#move(event));
    this.#listen('pointerup', (event) => this.#release(event, true));
    this.#listen('pointercancel', (event) => this.#release(event, false));
    this.#listen('pointerleave', () => this.#view.point(undefined));
    this.#listen('wheel', (event) => this.#wheel(event));
    this.#listen('contextmenu', (event) => event.preventDefault());
    this.#listen('blur', () => this.dropHand());
  }

  dispose(): void {
    this.#abort.abort();
  }

  takeHand(): void {
    this.#hand ??= { hasMoved: false };
    this.#frame.dataset['hand'] = '';
  }

  /** Ends what `takeHand` began. @returns whether the space bar was pressed without moving the image */
  dropHand(): boolean {
    const isForItself = this.#hand?.hasMoved === false;
    this.#hand = undefined;
    delete this.#frame.dataset['hand'];
    return isForItself;
  }

  #listen<K extends keyof HTMLElementEventMap>(
    type: K,
    listener: (event: HTMLElementEventMap[K]) => void,
  ): void {
    this.#frame.addEventListener(type, listener, { signal: this.#abort.signal, passive: false });
  }

  #press(event: PointerEvent): void {
    if (![0, 1, 2, 5].includes(event.button)) {
      return;
    }
    // Keeps the middle button from scrolling.
    event.preventDefault();
    this.#frame.focus({ preventScroll: true });
    this.#frame.setPointerCapture(event.pointerId);
    this.#wasPenSeen ||= event.pointerType === 'pen';
    const point = this.#pointOf(event);
    const others = [...this.#down.values()];
    if (event.pointerType === 'touch' && others.length > 0) {
      this.#view.cancel();
      const isSecond = others.length === 1;
      for (const other of others) {
        other.role = isSecond ? 'pinch' : 'idle';
      }
      this.#down.set(event.pointerId, { role: isSecond ? 'pinch' : 'idle', point });
      return;
    }
    // The hand that holds a pen rests on the screen.
    const isPalm = event.pointerType === 'touch' && this.#wasPenSeen;
    const role = event.button === 1 || this.#hand || isPalm ? 'pan' : 'paint';
    this.#down.set(event.pointerId, { role, point });
    if (role === 'paint') {
      this.#view.begin(this.#touchOf(event), isInverse(event), event.shiftKey);
    }
  }

  #move(event: PointerEvent): void {
    const point = this.#pointOf(event);
    const pointer = this.#down.get(event.pointerId);
    this.#view.point(event.pointerType === 'touch' && pointer?.role !== 'paint' ? undefined : point);
    this.#view.invert(isInverse(event));
    if (!pointer) {
      return;
    }
    switch (pointer.role) {
      case 'paint': {
        const events = event.getCoalescedEvents();
        this.#view.moveTo((events.length > 0 ? events : [event]).map((each) => this.#touchOf(each)));
        break;
      }
      case 'pan':
        if (this.#hand) {
          this.#hand.hasMoved = true;
        }
        this.#view.pan(point.x - pointer.point.x, point.y - pointer.point.y);
        break;
      case 'pinch':
        this.#pinch(event.pointerId, point);
        break;
      case 'idle':
        break;
    }
    pointer.point = point;
  }

  #pinch(id: number, point: Point): void {
    const from = this.#down.get(id)?.point;
    const other = [...this.#down].find(([otherId, { role }]) => otherId !== id && role === 'pinch')?.[1]
      .point;
    if (from && other) {
      const before = Math.max(1, Math.hypot(from.x - other.x, from.y - other.y));
      const after = Math.max(1, Math.hypot(point.x - other.x, point.y - other.y));
      this.#view.pan((point.x - from.x) / 2, (point.y - from.y) / 2);
      const middle = { x: (point.x + other.x) / 2, y: (point.y + other.y) / 2 };
      this.#view.zoomTo((this.#view.zoom.scale * after) / before, middle);
    }
  }

  #release(event: PointerEvent, isDone: boolean): void {
    const pointer = this.#down.get(event.pointerId);
    this.#down.delete(event.pointerId);
    if (pointer?.role === 'paint') {
      if (isDone) {
        this.#view.end();
      } else {
        this.#view.cancel();
      }
    }
    if (event.pointerType === 'touch') {
      this.#view.point(undefined);
    }
  }

  #wheel(event: WheelEvent): void {
    event.preventDefault();
    const sideways = wheelSideways(event);
    if (sideways === 0) {
      this.#view.zoomTo(this.#view.zoom.scale * wheelFactor(event), this.#pointOf(event));
    } else {
      this.#view.pan(-sideways, 0);
    }
  }

  #pointOf({ clientX, clientY }: MouseEvent): Point {
    const { left, top } = this.#frame.getBoundingClientRect();
    return { x: clientX - left - this.#frame.clientLeft, y: clientY - top - this.#frame.clientTop };
  }

  #touchOf(event: PointerEvent): Touch {
    const pressure = event.pointerType === 'pen' ? Math.max(minPressure, event.pressure) : 1;
    return { ...this.#view.placeAt(this.#pointOf(event)), pressure };
  }
}

function isInverse({ altKey, buttons }: PointerEvent): boolean {
  return altKey || (buttons & inverseButtons) !== 0;
}
