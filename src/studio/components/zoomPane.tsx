import * as l10n from '@vscode/l10n';
import type { ComponentChildren, JSX, TargetedPointerEvent, TargetedWheelEvent } from 'preact';
import { useRef } from 'preact/hooks';
import { arrows, type Point, wheelFactor, wheelSideways, zoomStep } from './zoom.ts';
import type { ZoomControl } from './useZoom.ts';
import { IconButton } from './button.tsx';

/** Distance that an arrow key moves the image, in screen pixels. */
const keyStep = 60;

interface ZoomPaneProps {
  control: ZoomControl;
  /** Whether this pane measures the zoom; of several linked panes, only one does. */
  isMeasure?: boolean;
  label: string;
  children: ComponentChildren;
}

/** Shows a frame in which wheel, pinch, and pointer zoom and move images. */
export function ZoomPane({ control, isMeasure = true, label, children }: ZoomPaneProps): JSX.Element {
  const pointers = useRef(new Map<number, Point>());
  const clicks = useRef(0);

  const onWheel = (event: TargetedWheelEvent<HTMLDivElement>): void => {
    event.preventDefault();
    const sideways = wheelSideways(event);
    if (sideways === 0) {
      control.by(wheelFactor(event), placeOf(event));
    } else {
      control.pan({ x: -sideways, y: 0 });
    }
  };
  const onPointerDown = (event: TargetedPointerEvent<HTMLDivElement>): void => {
    if (event.button === 0 || event.button === 1) {
      event.currentTarget.setPointerCapture(event.pointerId);
      pointers.current.set(event.pointerId, placeOf(event));
    }
  };
  const onPointerMove = (event: TargetedPointerEvent<HTMLDivElement>): void => {
    if (!pointers.current.has(event.pointerId)) {
      return;
    }
    const before = spanOf(pointers.current);
    pointers.current.set(event.pointerId, placeOf(event));
    const after = spanOf(pointers.current);
    control.pan({ x: after.middle.x - before.middle.x, y: after.middle.y - before.middle.y });
    if (before.width > 0 && after.width > 0) {
      control.by(after.width / before.width, after.middle);
    }
  };
  const forget = (event: TargetedPointerEvent<HTMLDivElement>): void => {
    pointers.current.delete(event.pointerId);
  };
  return (
    <div
      ref={isMeasure ? control.attach : null}
      class="zoom-pane"
      role="application"
      aria-label={label}
      tabIndex={0}
      onWheel={onWheel}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={forget}
      onPointerCancel={forget}
      onClick={() => clicks.current++}
      onDblClick={(event) => {
        // The first click of a double click may have opened this pane.
        if (clicks.current > 1) {
          if (control.placed?.scale === 1) {
            control.fit();
          } else {
            control.to(1, placeOf(event));
          }
        }
      }}
    >
      {control.placed && children}
    </div>
  );
}

/** Zooms or moves by a key. @returns whether the key was used */
export function zoomByKey(control: ZoomControl, { key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  if (ctrlKey || metaKey || altKey || !control.placed || !control.image || !control.size) {
    return false;
  }
  const direction = arrows[key];
  if (direction) {
    const [across, down] = direction;
    const { scale } = control.placed;
    control.pan({ x: -across * keyStep, y: -down * keyStep });
    return across === 0
      ? control.image.height * scale > control.size.height
      : control.image.width * scale > control.size.width;
  }
  switch (key) {
    case '+':
    case '=':
      control.by(zoomStep);
      return true;
    case '-':
      control.by(1 / zoomStep);
      return true;
    case '0':
      control.fit();
      return true;
    case '1':
      control.to(1);
      return true;
    default:
      return false;
  }
}

interface LayerProps {
  control: ZoomControl;
  url: string;
  alt: string;
  onSize?: (size: { width: number; height: number }) => void;
}

/** Shows an image in a `ZoomPane`, in the size of the zoomed image regardless of its own. */
export function Layer({ control, url, alt, onSize }: LayerProps): JSX.Element {
  return (
    <img
      class={control.placed && control.placed.scale >= 3 ? 'layer enlarged' : 'layer'}
      src={url}
      alt={alt}
      draggable={false}
      style={layerStyle(control)}
      onLoad={({ currentTarget }) =>
        onSize?.({ width: currentTarget.naturalWidth, height: currentTarget.naturalHeight })
      }
    />
  );
}

/** Returns the style that places a layer of a `ZoomPane` where the zoomed image is. */
export function layerStyle({ placed, image }: Pick<ZoomControl, 'placed' | 'image'>): Record<string, string> {
  return placed && image
    ? {
        width: `${image.width}px`,
        height: `${image.height}px`,
        transform: `translate(${placed.x}px, ${placed.y}px) scale(${placed.scale})`,
        '--scale': `${placed.scale}`,
      }
    : {};
}

/** Zooms an image, and says how far. */
export function ZoomButtons({ control }: { control: ZoomControl }): JSX.Element {
  return (
    <span class="large-group">
      <IconButton icon="zoom-out" label={l10n.t('Zoom Out (−)')} onClick={() => control.by(1 / zoomStep)} />
      <span class="large-number zoom">{l10n.t('{0}%', Math.round((control.placed?.scale ?? 1) * 100))}</span>
      <IconButton icon="zoom-in" label={l10n.t('Zoom In (+)')} onClick={() => control.by(zoomStep)} />
      <IconButton icon="screen-full" label={l10n.t('Fit (0)')} onClick={control.fit} />
      <IconButton icon="screen-normal" label={l10n.t('Actual Size (1)')} onClick={() => control.to(1)} />
    </span>
  );
}

function placeOf(event: MouseEvent & { currentTarget: HTMLElement }): Point {
  const { left, top } = event.currentTarget.getBoundingClientRect();
  return { x: event.clientX - left, y: event.clientY - top };
}

/** Returns the center of all pointers, and the distance between the first two. */
function spanOf(pointers: ReadonlyMap<number, Point>): { middle: Point; width: number } {
  const points = [...pointers.values()];
  const [first, second] = points;
  return {
    middle: {
      x: points.reduce((sum, { x }) => sum + x, 0) / points.length,
      y: points.reduce((sum, { y }) => sum + y, 0) / points.length,
    },
    width: first && second ? Math.hypot(first.x - second.x, first.y - second.y) : 0,
  };
}
