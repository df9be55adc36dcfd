import * as v from 'valibot';
import { doneOf } from '../../../../src/studio/store/maskHistory.ts';
import type { StudioStore } from '../../../../src/studio/store/studioStore.ts';
import type { Host, HostEvent } from '../../../../src/studio/store/host.ts';
import { requestParameters, type StudioRequest } from '../../../../src/studio/protocol/messages.ts';
import type { MaskOperation } from '../../../../src/studio/protocol/maskOperations.ts';
import { paintingOf } from '../../../../src/studio/maskPixels/maskToSend.ts';
import { overlayPixels, overlayStyle } from '../../../../src/studio/mask/overlay.ts';
import { type MaskElements, MaskView } from '../../../../src/studio/mask/maskView.ts';
import { Pointers } from '../../../../src/studio/mask/pointers.ts';
import { surfaceKeys } from '../../../../src/studio/mask/surfaceKeys.ts';
import { type MaskCommands, maskCommands } from '../../../../src/studio/mask/commands.ts';
import { type Tint, Tools } from '../../../../src/studio/mask/tools.ts';
import type { Painting } from '../../../../src/studio/maskPixels/painting.ts';
import type { Point, Size, Zoom } from '../../../../src/studio/components/zoom.ts';
import { done, input, opened } from '../openedStore.ts';

/** The colors of a theme. */
export const themeColors: Record<Tint, readonly [number, number, number]> = {
  red: [200, 20, 10],
  green: [10, 190, 40],
  blue: [0, 90, 220],
  yellow: [230, 210, 0],
};
/** Where the frame is in the window, and the width of its border. */
const [corner, border] = [
  { left: 30, top: 20 },
  { left: 2, top: 3 },
];

/** An event with what it has in a browser. */
type Sent = Partial<PointerEvent & WheelEvent & KeyboardEvent>;

interface OpenedMask {
  store: StudioStore;
  host: Host;
  /** Tells the page something as its host. */
  tell: (event: HostEvent) => void;
  view: MaskView;
  tools: Tools;
  painting: Painting;
  frame: Frame;
  image: Marker;
  cursor: Marker;
  crosshair: Marker;
  /** The path of the outline. */
  outline: () => string | undefined;
  /** What was painted, in order. */
  operations: MaskOperation[];
  /** Zooms that were reported. */
  zooms: (Zoom | undefined)[];
  /** Scales that were reported. */
  scales: number[];
  /** Places of the crosshair, and how much is marked there. */
  places: [x: number, y: number, amount: number][];
  /** What was said to screen readers. */
  said: string[];
  /** What was asked of the host. */
  asked: Pick<StudioRequest, 'method' | 'parameters'>[];
  commands: () => MaskCommands;
  /** Runs a command that opens a dialog, until it is over. */
  runDialog: (command: 'load' | 'save') => Promise<void>;
  /** Shows the mask of the draft, as a render does. */
  render: () => Promise<void>;
  /** Sends an event to a place in the image. @returns whether the browser was kept from handling it too */
  send: (type: string, place: Point, event?: Sent) => boolean;
  /** Presses, moves over these places, and releases. */
  drag: (places: readonly (readonly [x: number, y: number])[], event?: Sent) => void;
  /** @returns whether the key was used */
  key: (key: string, event?: Sent) => boolean;
  keyUp: (key: string) => boolean;
  /** Gives the frame another size. */
  resize: (size: Size) => void;
  /** Changes the theme, as VS Code tells pages of it: by the class of the body, or the style of the document. */
  setTheme: (isHighContrast: boolean, by?: 'class' | 'style') => void;
  /** Draws a frame of the screen. @returns the pixels of the overlay */
  screen: () => Uint8ClampedArray;
  /** Returns what the overlay shows when all of it is drawn anew. */
  expectedScreen: (tint?: Tint, strengths?: readonly [number, number]) => Uint8ClampedArray;
}

/** Opens the mask editor on an image of 40 × 30 pixels, in a frame of 210 × 130 in which it is four times as large. */
export function openedMask({
  density = 1,
  reply = done,
  zoom,
}: { density?: number; reply?: typeof done; zoom?: Zoom } = {}): OpenedMask {
  const { store, host, tell, asked } = opened({}, (request) =>
    request.method === 'maskUrl'
      ? v.parse(requestParameters.maskUrl, request.parameters).file
      : reply(request),
  );
  const image = { ...input('photo', 40), name: 'photo.tar.png', height: 30 };
  tell({ kind: 'inputs', inputs: [image] });
  store.change({ inputs: ['photo'] });
  const page = openPage(density);
  const painting = paintingOf(store, host, image);
  const tools = new Tools(30, 0.2);
  const [operations, zooms, places, said]: [
    MaskOperation[],
    OpenedMask['zooms'],
    OpenedMask['places'],
    string[],
  ] = [[], [], [], []];
  const scales: number[] = [];
  const frame = new Frame();
  const canvas = new Canvas();
  const [shownImage, cursor, crosshair] = [new Marker(), new Marker(), new Marker()];
  const paths: Record<string, string>[] = [{}, {}];
  const elements = {
    frame,
    image: shownImage,
    overlay: canvas,
    outline: {
      children: paths.map((path) => ({
        setAttribute: (name: string, value: string) => (path[name] = value),
      })),
    },
    cursor,
    crosshair,
  };
  // What the view uses of them is there.
  const view = new MaskView(v.parse(maskElements, elements), painting, tools, zoom, {
    onOperation: (operation) => {
      operations.push(operation);
      store.paint(operation);
    },
    onZoom: (zoom) => zooms.push(zoom),
    onScale: (scale) => scales.push(scale),
    onCrosshair: ({ x, y }, amount) => places.push([x, y, amount]),
  });
  const pointers = new Pointers(v.parse(element, frame), view);
  const say = (text: string): number => said.push(text);
  const keys = surfaceKeys(view, pointers, (isDown) => say(isDown ? 'down' : 'up'));
  const send = (type: string, { x, y }: Point, event: Sent = {}): boolean => {
    const { zoom } = view;
    const sent = Object.assign(new Event(type, { cancelable: true }), {
      pointerId: 1,
      pointerType: 'mouse',
      button: 0,
      buttons: 1,
      pressure: 0.5,
      altKey: false,
      shiftKey: false,
      clientX: corner.left + border.left + zoom.x + x * zoom.scale,
      clientY: corner.top + border.top + zoom.y + y * zoom.scale,
      getCoalescedEvents: () => [],
      ...event,
    });
    return !frame.dispatchEvent(sent);
  };
  const commands = (): MaskCommands =>
    maskCommands({
      store,
      host,
      view,
      painting,
      tools,
      input: image,
      say,
      showKeys: () => say('keys'),
      toggleOptions: () => say('options'),
    });
  return {
    store,
    host,
    tell,
    view,
    tools,
    painting,
    frame,
    image: shownImage,
    cursor,
    crosshair,
    outline: () => (paths[0]?.['d'] === paths[1]?.['d'] ? paths[0]?.['d'] : 'two'),
    operations,
    zooms,
    scales,
    places,
    said,
    asked,
    commands,
    async runDialog(command) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const attempt = store.attempt.bind(store);
      store.attempt = (action) => attempt(action).then(resolve);
      commands()[command].run();
      await promise;
      store.attempt = attempt;
    },
    render: () => view.show(doneOf(store.state.draft.mask)),
    send,
    drag(places, event) {
      const [first = [0, 0], ...others] = places;
      send('pointerdown', { x: first[0], y: first[1] }, event);
      for (const [x, y] of others) {
        send('pointermove', { x, y }, event);
      }
      const [x, y] = places.at(-1) ?? [0, 0];
      send('pointerup', { x, y }, { ...event, buttons: 0 });
    },
    key: (key, event) => keys.onKeyDown(keyEvent(key, event)),
    keyUp: (key) => keys.onKeyUp(keyEvent(key)),
    resize({ width, height }) {
      frame.clientWidth = width;
      frame.clientHeight = height;
      page.notify('resize');
    },
    setTheme(isHighContrast, by = 'class') {
      page.isHighContrast = isHighContrast;
      page.notify(by);
    },
    screen() {
      page.drawFrame();
      return canvas.pixels;
    },
    expectedScreen(tint = 'red', strengths = [0.6, 0.4]) {
      const { scale, x, y } = view.zoom;
      const zoom = { scale: scale * density, x: x * density, y: y * density };
      const [right, bottom] = [frame.clientWidth, frame.clientHeight].map((side) =>
        Math.ceil(side * density),
      );
      const area = { left: 0, top: 0, right: right ?? 0, bottom: bottom ?? 0 };
      return overlayPixels(painting.mask, zoom, area, overlayStyle(themeColors[tint], strengths));
    },
  };
}

function keyEvent(key: string, event: Sent = {}): KeyboardEvent {
  return v.parse(keyboardEvent, {
    key,
    ctrlKey: false,
    metaKey: false,
    altKey: false,
    shiftKey: false,
    ...event,
  });
}

/** Stand-ins for parts of a browser, which have what is used of them. */
const maskElements = v.custom<MaskElements>(() => true);
const element = v.custom<HTMLElement>(() => true);
const keyboardEvent = v.custom<KeyboardEvent>(() => true);
export const pointerEvent = v.custom<PointerEvent>(() => true);

/** An element of which only its style matters. */
class Marker {
  hidden = false;
  readonly dataset: Record<string, string> = {};
  readonly style: Record<string, unknown> = {
    setProperty: (name: string, value: string) => (this.style[name] = value),
  };
}

/** The element that has the focus and gets all events. */
class Frame extends EventTarget {
  readonly isConnected = true;
  readonly dataset: Record<string, string> = {};
  readonly clientLeft = border.left;
  readonly clientTop = border.top;
  clientWidth = 210;
  clientHeight = 130;
  hasFocus = false;
  /** Pointers whose events arrive wherever they are. */
  readonly captured: number[] = [];

  focus(): void {
    this.hasFocus = true;
  }

  setPointerCapture(id: number): void {
    this.captured.push(id);
  }

  getBoundingClientRect(): { left: number; top: number } {
    return corner;
  }
}

/** A canvas that takes pixels as they are; emptied when it is resized. */
class Canvas {
  readonly style: Record<string, string> = {};
  pixels = new Uint8ClampedArray();
  readonly #size = { width: 0, height: 0 };

  get width(): number {
    return this.#size.width;
  }

  set width(width: number) {
    this.#resize({ ...this.#size, width });
  }

  get height(): number {
    return this.#size.height;
  }

  set height(height: number) {
    this.#resize({ ...this.#size, height });
  }

  #resize({ width, height }: Size): void {
    Object.assign(this.#size, { width, height });
    this.pixels = new Uint8ClampedArray(4 * width * height);
  }

  getContext(): {
    putImageData: (image: { data: Uint8ClampedArray; width: number }, left: number, top: number) => void;
  } {
    return {
      putImageData: ({ data, width }, left, top) => {
        for (let y = 0; y < data.length / 4 / width; y++) {
          const row = data.subarray(4 * y * width, 4 * (y + 1) * width);
          this.pixels.set(row, 4 * ((top + y) * this.width + left));
        }
      },
    };
  }
}

/** Mask files that can be read, by the URL at which the page finds them. */
export const maskFiles = new Map<string, Size & { rgba: Uint8ClampedArray }>();

/** An image that is read from `maskFiles`. */
class PageImage {
  src = '';
  /** The pixels of another origin can only be read if requested like this. */
  crossOrigin = '';

  get #file(): Size & { rgba: Uint8ClampedArray } {
    const file = maskFiles.get(this.src);
    if (!file || this.crossOrigin !== 'anonymous') {
      throw new Error(`${this.src} cannot be read`);
    }
    return file;
  }

  get naturalWidth(): number {
    return this.#file.width;
  }

  get naturalHeight(): number {
    return this.#file.height;
  }

  get rgba(): Uint8ClampedArray {
    return this.#file.rgba;
  }

  async decode(): Promise<void> {
    await Promise.resolve();
    void this.#file;
  }
}

/** The pixels of a canvas on which nothing was drawn. */
function nothingAt(_x: number, _y: number): ArrayLike<number | undefined> {
  return [];
}

/** Opens what a page has besides its elements. */
function openPage(devicePixelRatio: number) {
  /** What each observer is told of. */
  const observers = new Map<object, Map<string, () => void>>();
  class Observer {
    readonly #notify: () => void;
    constructor(notify: () => void) {
      this.#notify = notify;
      observers.set(this, new Map());
    }
    observe(_: unknown, { attributeFilter = ['resize'] } = {}): void {
      attributeFilter.forEach((kind) => observers.get(this)?.set(kind, this.#notify));
    }
    disconnect(): void {
      observers.delete(this);
    }
  }
  let requests: (() => void)[] = [];
  const page = {
    isHighContrast: false,
    notify: (kind: 'resize' | 'class' | 'style') => observers.forEach((told) => told.get(kind)?.()),
    drawFrame: () => {
      const now = requests;
      requests = [];
      now.forEach((draw) => draw());
    },
  };
  Object.assign(globalThis.window, { devicePixelRatio });
  Object.assign(globalThis, {
    ResizeObserver: Observer,
    MutationObserver: Observer,
    requestAnimationFrame: (draw: () => void) => requests.push(draw),
    getComputedStyle: () => ({
      getPropertyValue: (name: string) => ` ${name.replace('--vscode-charts-', '')}`,
    }),
    ImageData: class {
      readonly data: Uint8ClampedArray;
      readonly width: number;
      constructor(data: Uint8ClampedArray, width: number) {
        this.data = data;
        this.width = width;
      }
    },
    OffscreenCanvas: class {
      getContext() {
        let pixelAt = nothingAt;
        return {
          fillStyle: '',
          fillRect() {
            pixelAt = () => Object.entries(themeColors).find(([name]) => name === this.fillStyle)?.[1] ?? [];
          },
          drawImage({ rgba, naturalWidth }: PageImage, left: number, top: number) {
            pixelAt = (x, y) => {
              const at = 4 * ((y - top) * naturalWidth + x - left);
              return x < left || x - left >= naturalWidth
                ? []
                : [0, 1, 2, 3].map((channel) => rgba[at + channel]);
            };
          },
          getImageData: (left: number, top: number, width: number, height: number) => ({
            width,
            height,
            data: Uint8ClampedArray.from(
              { length: 4 * width * height },
              (_, at) =>
                pixelAt(left + ((at >> 2) % width), top + Math.floor((at >> 2) / width))[at % 4] ?? 0,
            ),
          }),
        };
      }
    },
    Image: PageImage,
    HTMLElement: Marker,
    document: {
      activeElement: null,
      documentElement: {},
      body: { matches: () => page.isHighContrast },
    },
  });
  return page;
}
