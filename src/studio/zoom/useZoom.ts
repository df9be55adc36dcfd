import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { fitting, moved, within, zoomedTo } from './zoom.ts';
import type { Point, Size, Zoom } from './zoom.ts';

/** What can be done to the zoom of a picture, by whatever means. */
export interface ZoomControl {
  /** The element in which the picture is, and the `ref` of whichever is to be it. */
  frame: HTMLDivElement | null;
  attach: (frame: HTMLDivElement | null) => void;
  size: Size | undefined;
  picture: Size | undefined;
  /** How the picture lies in it, once both are known. */
  placed: Zoom | undefined;
  /** Zooms by a factor; `point` of the frame stays, or its middle. */
  by: (factor: number, point?: Point) => void;
  to: (scale: number, point?: Point) => void;
  fit: () => void;
  pan: (by: Point) => void;
}

/** @param zoom Nothing: the whole picture fits into its frame, whatever becomes of that. */
export function useZoom(
  picture: Size | undefined,
  zoom: Zoom | null,
  change: (zoom: Zoom | null) => void,
): ZoomControl {
  const { attach, element, size } = useSize();
  const latest = useRef(zoom);
  // Several turns of a wheel can come before the next drawing.
  latest.current = zoom;

  const adjust = (next: (placed: Zoom, picture: Size, frame: Size) => Zoom): void => {
    if (picture && size) {
      const fit = fitting(picture, size);
      const placed = latest.current ? within(latest.current, picture, size) : fit;
      const wanted = next(placed, picture, size);
      latest.current = wanted.scale > fit.scale ? wanted : null;
      change(latest.current);
    }
  };
  const to = (scale: (now: number) => number, point?: Point): void =>
    adjust((placed, picture, frame) =>
      zoomedTo(
        placed,
        scale(placed.scale),
        point ?? { x: frame.width / 2, y: frame.height / 2 },
        picture,
        frame,
      ),
    );
  return {
    frame: element,
    attach,
    size,
    picture,
    placed: picture && size && (zoom ? within(zoom, picture, size) : fitting(picture, size)),
    by: (factor, point) => to((now) => now * factor, point),
    to: (scale, point) => to(() => scale, point),
    fit: () => change(null),
    pan: (by) => adjust((placed, picture, frame) => moved(placed, by, picture, frame)),
  };
}

/** Of an element that may give way to another one. */
interface Sized {
  /** For `ref`. */
  attach: (element: HTMLDivElement | null) => void;
  element: HTMLDivElement | null;
  /** Once it is laid out. */
  size: Size | undefined;
}

/** How large an element is, and becomes. */
export function useSize(): Sized {
  const [element, attach] = useState<HTMLDivElement | null>(null);
  const [size, setSize] = useState<Size>();
  useLayoutEffect(() => {
    if (!element) {
      return undefined;
    }
    const measure = (): void => setSize({ width: element.clientWidth, height: element.clientHeight });
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    measure();
    return () => observer.disconnect();
  }, [element]);
  return { attach, element, size };
}

/** How large a picture is: as the host says, or as its file says once it is loaded. */
export function usePictureSize(url: string, width?: number, height?: number): Size | undefined {
  const [loaded, setLoaded] = useState<{ url: string; size: Size }>();
  const isKnown = width !== undefined && height !== undefined;
  useEffect(() => {
    if (isKnown) {
      return undefined;
    }
    const image = new Image();
    const onLoad = (): void =>
      setLoaded({ url, size: { width: image.naturalWidth, height: image.naturalHeight } });
    image.addEventListener('load', onLoad);
    image.src = url;
    return () => image.removeEventListener('load', onLoad);
  }, [url, isKnown]);
  return isKnown ? { width, height } : loaded?.url === url ? loaded.size : undefined;
}
