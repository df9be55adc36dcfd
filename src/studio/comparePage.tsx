import './image/image.css';
import * as l10n from '@vscode/l10n';
import type { JSX, TargetedKeyboardEvent } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Backdrop } from './components/backdrop.tsx';
import { Icon } from './components/button.tsx';
import { useZoom } from './components/useZoom.ts';
import type { Size } from './components/zoom.ts';
import { zoomByKey } from './components/zoomPane.tsx';
import { sizeText } from '../common/text.ts';
import type { ComparedVersions, Comparison } from './protocol/comparison.ts';
import type { Draft } from './protocol/draft.ts';
import { Compared, type Mode } from './image/compare.tsx';
import { ZoomButtons } from './image/largeBar.tsx';

interface View extends Pick<Draft['view'], 'backdrop' | 'zoom'> {
  mode: Mode;
}

/** What VS Code keeps while the page is hidden, and until after a reload of the window. */
type Kept = ComparedVersions & { view?: View };

declare function acquireVsCodeApi(): { getState(): Kept | undefined; setState(kept: Kept): void };

/** The page of two images, which no task needs to know. */
export function ComparePage({ comparison }: { comparison: Comparison }): JSX.Element {
  const { title, isSameFile, versions, problem } = comparison;
  const [host] = useState(() => acquireVsCodeApi());
  const [view, setView] = useState<View>(
    () => host.getState()?.view ?? { mode: 'slider', zoom: null, backdrop: 'checker' },
  );
  const change = (changes: Partial<View>): void => setView((before) => ({ ...before, ...changes }));
  const before = useLoaded(comparison.before.url);
  const after = useLoaded(comparison.after.url);
  const control = useZoom(after.size, view.zoom, (zoom) => change({ zoom }));
  useEffect(() => host.setState({ ...versions, view }), [view]);

  const broken = [before, after].find(({ isBroken }) => isBroken);
  const { name } = broken === before ? comparison.before : comparison.after;
  const words = problem ?? (broken && l10n.t("{0}, {1}: this image can't be read.", title, name));
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLElement>): void => {
    const isPane = event.target instanceof Element && event.target.classList.contains('zoom-pane');
    if (!event.defaultPrevented && isPane && zoomByKey(control, event)) {
      event.preventDefault();
    }
  };
  return (
    // Handles the keys of the image inside.
    <main class="compare-page" data-backdrop={view.backdrop} onKeyDown={onKeyDown}>
      <h1 class="only-spoken">{title}</h1>
      {words === undefined ? (
        <Compared
          pair={{
            control,
            before: sized(comparison.before, before),
            after: sized(comparison.after, after),
            onSize: () => {},
          }}
          size={before.size}
          mode={view.mode}
          choose={(mode) => change({ mode })}
          isSameFile={isSameFile}
        >
          <ZoomButtons control={control} />
          <Backdrop backdrop={view.backdrop} change={(backdrop) => change({ backdrop })} />
        </Compared>
      ) : (
        <p class="compare-sizes" role="alert">
          <Icon name="error" />
          {words}
        </p>
      )}
    </main>
  );
}

function sized(side: Comparison['before'], { size }: Loaded): Comparison['before'] {
  return size ? { url: side.url, name: l10n.t('{0} · {1}', side.name, sizeText(size)) } : side;
}

interface Loaded {
  size?: Size;
  isBroken?: boolean;
}

/** Loads an image, which tells its size. */
function useLoaded(url: string): Loaded {
  const [loaded, setLoaded] = useState<Loaded>({});
  useEffect(() => {
    const image = new Image();
    image.addEventListener('load', () =>
      setLoaded({ size: { width: image.naturalWidth, height: image.naturalHeight } }),
    );
    image.addEventListener('error', () => setLoaded({ isBroken: true }));
    image.src = url;
  }, [url]);
  return loaded;
}
