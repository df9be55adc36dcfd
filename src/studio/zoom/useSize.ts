import { useLayoutEffect, useState } from 'preact/hooks';
import type { Size } from './zoom.ts';

/** Of an element that may give way to another one. */
export interface Sized {
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
