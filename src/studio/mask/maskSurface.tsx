import * as l10n from '@vscode/l10n';
import type { JSX, RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { StudioInput } from '../protocol/state.ts';
import type { Zoom } from '../components/zoom.ts';
import { type MaskElements, type MaskListener, MaskView } from './maskView.ts';
import type { Painting } from '../maskPixels/painting.ts';
import type { SurfaceLayer } from './overlayLayer.ts';
import { Pointers } from './pointers.ts';
import { surfaceKeys } from './surfaceKeys.ts';
import type { Tools } from './tools.ts';

interface SurfaceProps extends Omit<MaskListener, 'onCrosshair'> {
  input: Pick<StudioInput, 'name' | 'width' | 'height'> & {
    /** Absent if the layer draws the image. */
    url?: string;
  };
  label: string;
  /** Says what the crosshair is on. @param amount as for `onCrosshair` */
  amountText: (amount: number) => string | undefined;
  /** Makes what is drawn over the image, by default the mask. */
  layerOn?: (canvas: HTMLCanvasElement) => SurfaceLayer;
  painting: Painting;
  tools: Tools;
  zoom: Zoom | undefined;
  /** Called with the new view, and with undefined when it is gone. */
  onView: (view: MaskView | undefined) => void;
  onProblem: (problem: string | undefined) => void;
  say: (text: string) => void;
}

export function MaskSurface(props: SurfaceProps): JSX.Element {
  const { input, label, painting, tools } = props;
  const size = { width: `${input.width}px`, height: `${input.height}px` };
  const frame = useRef<HTMLDivElement>(null);
  const image = useRef<HTMLImageElement & HTMLDivElement>(null);
  const overlay = useRef<HTMLCanvasElement>(null);
  const outline = useRef<SVGSVGElement>(null);
  const isLost = useRef(false);
  const cursor = useRef<HTMLDivElement>(null);
  const crosshair = useRef<HTMLDivElement>(null);
  // The view outlives a render, so it calls the latest listeners.
  const latest = useRef(props);
  latest.current = props;
  useEffect(() => {
    if (
      !frame.current ||
      !image.current ||
      !overlay.current ||
      !outline.current ||
      !cursor.current ||
      !crosshair.current
    ) {
      return undefined;
    }
    const elements: MaskElements = {
      frame: frame.current,
      image: image.current,
      overlay: overlay.current,
      outline: outline.current,
      cursor: cursor.current,
      crosshair: crosshair.current,
    };
    return openView(elements, latest);
  }, [painting, tools]);
  return (
    <div
      ref={frame}
      class="mask-surface"
      role="application"
      tabIndex={0}
      aria-label={label}
      aria-roledescription={l10n.t('image to paint on')}
      aria-describedby="mask-hint"
    >
      {input.url === undefined ? (
        <div ref={image} class="surface-image" style={size} />
      ) : (
        <img
          ref={image}
          class="surface-image"
          src={input.url}
          alt=""
          draggable={false}
          style={size}
          onError={() => {
            isLost.current = true;
            props.onProblem(l10n.t("{0} can't be shown. It may have been moved or deleted.", input.name));
          }}
          onLoad={() => {
            if (isLost.current) {
              isLost.current = false;
              props.onProblem(undefined);
            }
          }}
        />
      )}
      <canvas ref={overlay} aria-hidden="true" />
      <svg ref={outline} class="mask-outline" aria-hidden="true">
        <path class="below" />
        <path class="above" />
      </svg>
      <div ref={cursor} class="mask-cursor" hidden />
      <div ref={crosshair} class="mask-crosshair" hidden />
    </div>
  );
}

/** Opens a view on its elements, with pointers and keys. @returns a function that closes it */
function openView(elements: MaskElements, latest: RefObject<SurfaceProps>): () => void {
  const { painting, tools, zoom, layerOn } = latest.current;
  const listener: MaskListener = {
    onOperation: (operation) => latest.current.onOperation(operation),
    onZoom: (zoom) => latest.current.onZoom(zoom),
    onScale: (scale) => latest.current.onScale(scale),
    onCrosshair: ({ x, y }, amount) => {
      const text = latest.current.amountText(amount);
      latest.current.say(text === undefined ? l10n.t('{0}, {1}', x, y) : l10n.t('{0}, {1}, {2}', x, y, text));
    },
  };
  const view = new MaskView(elements, painting, tools, zoom, listener, layerOn?.(elements.overlay));
  const pointers = new Pointers(elements.frame, view);
  const keys = surfaceKeys(view, pointers, (isDown) =>
    latest.current.say(isDown ? l10n.t('Drawing started') : l10n.t('Drawing stopped')),
  );
  const onKeyDown = consume(keys.onKeyDown);
  const onKeyUp = consume(keys.onKeyUp);
  elements.frame.addEventListener('keydown', onKeyDown);
  elements.frame.addEventListener('keyup', onKeyUp);
  latest.current.onView(view);
  return () => {
    elements.frame.removeEventListener('keydown', onKeyDown);
    elements.frame.removeEventListener('keyup', onKeyUp);
    pointers.dispose();
    view.dispose();
    latest.current.onView(undefined);
  };
}

/** Keeps VS Code from also handling the keys that are used here. */
function consume(handle: (event: KeyboardEvent) => boolean): (event: KeyboardEvent) => void {
  return (event) => {
    if (handle(event)) {
      event.preventDefault();
      event.stopPropagation();
    }
  };
}
