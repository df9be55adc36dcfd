import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { RefObject } from 'preact';
import type { Size } from './zoom.ts';

/** An element and how large it is, once it is laid out. */
export function useSize(): { element: RefObject<HTMLDivElement | null>; size: Size | undefined } {
  const element = useRef<HTMLDivElement>(null);
  const [size, setSize] = useState<Size>();
  useLayoutEffect(() => {
    const observed = element.current;
    if (!observed) {
      return undefined;
    }
    const measure = (): void => setSize({ width: observed.clientWidth, height: observed.clientHeight });
    const observer = new ResizeObserver(measure);
    observer.observe(observed);
    measure();
    return () => observer.disconnect();
  }, []);
  return { element, size };
}
