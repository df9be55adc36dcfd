import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { centerOf, fitting, panned, placed, type Point, type Size, type Zoom, zoomedTo } from './zoom.ts';

/** The size of an element that may be replaced by another. */
interface Sized {
  /** For `ref`. */
  attach: (element: HTMLDivElement | null) => void;
  element: HTMLDivElement | null;
  size: Size | undefined;
}

export interface ZoomControl extends Sized {
  image: Size | undefined;
  /** Placement of the image in the frame, once both sizes are known. */
  placed: Zoom | undefined;
  /** Zooms by a factor around a point of the frame, by default its center. */
  by: (factor: number, point?: Point) => void;
  to: (scale: number, point?: Point) => void;
  fit: () => void;
  pan: (by: Point) => void;
}

/** @param zoom `null` to keep the whole image fitted to its frame */
export function useZoom(
  image: Size | undefined,
  zoom: Zoom | null,
  change: (zoom: Zoom | null) => void,
): ZoomControl {
  const frame = useSize();
  const { size } = frame;
  const latest = useRef(zoom);
  // Several wheel events may arrive before the next render.
  latest.current = zoom;

  const adjust = (next: (now: Zoom, image: Size, frame: Size) => Zoom): void => {
    if (image && size && size.width > 0 && size.height > 0) {
      const wanted = next(placed(latest.current, image, size), image, size);
      latest.current = wanted.scale === fitting(image, size).scale ? null : wanted;
      change(latest.current);
    }
  };
  const to = (scale: (now: number) => number, point?: Point): void =>
    adjust((now, image, frame) => zoomedTo(now, scale(now.scale), point ?? centerOf(frame), image, frame));
  return {
    ...frame,
    image,
    placed: image && size && placed(zoom, image, size),
    by: (factor, point) => to((now) => now * factor, point),
    to: (scale, point) => to(() => scale, point),
    fit: () => change(null),
    pan: (by) => adjust((now, image, frame) => panned(now, by, image, frame)),
  };
}

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

/** Returns the size of an image: as given, or else read from its file once that is loaded. */
export function useImageSize(url: string, width?: number, height?: number): Size | undefined {
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
