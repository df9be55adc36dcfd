import { useEffect, useState } from 'preact/hooks';
import type { Size } from './zoom.ts';

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
