import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as v from 'valibot';
import {
  fitting,
  panned,
  type Size,
  within,
  type Zoom,
  zoomedTo,
} from '../../../../src/studio/components/zoom.ts';
import { useImageSize, useZoom } from '../../../../src/studio/components/useZoom.ts';
import { runHook } from '../runHook.ts';

const frame = { width: 400, height: 300 };
const picture = { width: 1000, height: 500 };

void describe('zoom of a picture', () => {
  void it('fits the whole picture into the middle of its frame', () => {
    assert.deepEqual(fitting(picture, frame), { scale: 0.4, x: 0, y: 50 });
  });

  void it('enlarges a picture that is smaller than the frame in whole steps, up to 800%', () => {
    assert.deepEqual(fitting({ width: 100, height: 100 }, frame), { scale: 3, x: 50, y: 0 });
    assert.deepEqual(fitting({ width: 350, height: 200 }, frame), { scale: 1, x: 25, y: 50 });
    assert.deepEqual(fitting({ width: 10, height: 10 }, frame), { scale: 8, x: 160, y: 110 });
  });

  void it('zooms out until all is seen, and in until a pixel is 32 wide', () => {
    const fit = fitting(picture, frame);
    assert.deepEqual(zoomedTo(fit, 0.01, { x: 10, y: 10 }, picture, frame), fit);
    assert.equal(zoomedTo(fit, 1000, { x: 10, y: 10 }, picture, frame).scale, 32);
  });

  void it('keeps a zoom that can be reckoned with where the frame has no room', () => {
    const none = { width: 400, height: 0 };
    const zoom = zoomedTo(fitting(picture, none), 1, { x: 200, y: 0 }, picture, none);
    assert.ok(Object.values(zoom).every(Number.isFinite), JSON.stringify(zoom));
  });

  void it('leaves no side of the frame empty that the picture could fill', () => {
    const zoom = { scale: 1, x: 0, y: 0 };
    assert.deepEqual(panned(zoom, { x: 50, y: 50 }, picture, frame), { scale: 1, x: 0, y: 0 });
    assert.deepEqual(panned(zoom, { x: -5000, y: -5000 }, picture, frame), { scale: 1, x: -600, y: -200 });
    assert.deepEqual(within({ scale: 0.5, x: -70, y: 90 }, picture, frame), { scale: 0.5, x: -70, y: 25 });
  });
});

const frameElement = v.custom<HTMLDivElement>(() => true);

/** An image of 100 × 50 pixels in a frame, which is 210 × 130 pixels large unless told otherwise. */
function openZoom(image: Size | null = { width: 100, height: 50 }) {
  const observers = new Set<() => void>();
  const page = {
    ResizeObserver: class {
      readonly #notify: () => void;
      constructor(notify: () => void) {
        this.#notify = notify;
      }
      observe(): void {
        observers.add(this.#notify);
      }
      disconnect(): void {
        observers.delete(this.#notify);
      }
    },
  };
  const zooms: (Zoom | null)[] = [];
  let zoom: Zoom | null = null;
  const hook = runHook(
    () =>
      useZoom(image ?? undefined, zoom, (next) => {
        zoom = next;
        zooms.push(next);
      }),
    page,
  );
  const attach = (size: Size | undefined) => {
    const element = size && { clientWidth: size.width, clientHeight: size.height };
    hook.update(() => hook.current.attach(element ? v.parse(frameElement, element) : null));
    return element;
  };
  /** Zooms from outside, as a restored draft does. */
  const show = (next: Zoom): void => {
    zoom = next;
    hook.update();
  };
  return { hook, zooms, observers, attach, show, element: attach({ width: 210, height: 130 }) };
}

describe('an image in its frame', () => {
  it('is fitted to it, also when that is resized, replaced or taken away', () => {
    const { hook, observers, attach, element } = openZoom();
    assert.deepEqual(hook.current.placed, { scale: 2, x: 5, y: 15 });
    Object.assign(element ?? {}, { clientWidth: 310, clientHeight: 160 });
    hook.update(() => observers.forEach((notify) => notify()));
    assert.deepEqual(hook.current.size, { width: 310, height: 160 });
    assert.deepEqual(hook.current.placed, { scale: 3, x: 5, y: 5 });
    attach({ width: 100, height: 70 });
    assert.deepEqual(hook.current.placed, { scale: 1, x: 0, y: 10 });
    assert.equal(observers.size, 1);
    attach(undefined);
    assert.equal(observers.size, 0);
    hook.end();
  });

  it('is zoomed by steps that may come faster than the page is drawn, and moved', () => {
    const { hook, zooms } = openZoom();
    const { by, pan, to } = hook.current;
    by(2);
    by(2);
    assert.deepEqual(zooms, [
      { scale: 4, x: -95, y: -35 },
      { scale: 8, x: -295, y: -135 },
    ]);
    hook.update();
    assert.deepEqual(hook.current.placed, zooms.at(-1));
    pan({ x: 15, y: -20 });
    assert.deepEqual(zooms.at(-1), { scale: 8, x: -280, y: -155 });
    to(4, { x: 0, y: 0 });
    assert.deepEqual(zooms.at(-1), { scale: 4, x: -140, y: -70 });
    by(1.5, { x: 210, y: 130 });
    assert.deepEqual(zooms.at(-1), { scale: 6, x: -315, y: -170 });
  });

  it('is fitted again by a command, and by zooming to where it fits', () => {
    const { hook, zooms } = openZoom();
    hook.current.to(5);
    hook.current.to(2);
    assert.equal(zooms.at(-1), null);
    hook.current.to(5);
    hook.current.fit();
    assert.equal(zooms.at(-1), null);
    assert.equal(zooms.length, 4);
  });
});

describe('the size of an image', () => {
  /** An image that is loaded when the test says so. */
  class PageImage extends EventTarget {
    static readonly all: PageImage[] = [];
    src = '';
    readonly naturalWidth = 30;
    readonly naturalHeight = 20;
    constructor() {
      super();
      PageImage.all.push(this);
    }
  }

  it('is the one that is given, or else that of its file once it is loaded', () => {
    let [url, width, height]: [string, number?, number?] = ['a.png', 7, 5];
    const hook = runHook(() => useImageSize(url, width, height), { Image: PageImage });
    const loaded = (at: number): void =>
      hook.update(() => PageImage.all[at]?.dispatchEvent(new Event('load')));
    assert.deepEqual(hook.current, { width: 7, height: 5 });
    assert.equal(PageImage.all.length, 0);
    height = undefined;
    hook.update();
    assert.deepEqual([hook.current, PageImage.all[0]?.src], [undefined, 'a.png']);
    loaded(0);
    assert.deepEqual(hook.current, { width: 30, height: 20 });
    [url, width] = ['b.png', undefined];
    hook.update();
    assert.equal(hook.current, undefined);
    // What is late of another image is not for this one.
    loaded(0);
    assert.equal(hook.current, undefined);
    loaded(1);
    assert.deepEqual([hook.current, PageImage.all[1]?.src], [{ width: 30, height: 20 }, 'b.png']);
    loaded(0);
    assert.deepEqual(hook.current, { width: 30, height: 20 });
    [url, width, height] = ['b.png', undefined, 5];
    hook.update();
    assert.deepEqual(hook.current, { width: 30, height: 20 });
    hook.end();
  });
});
