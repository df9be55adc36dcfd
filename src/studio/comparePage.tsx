import * as l10n from '@vscode/l10n';
import { type JSX, render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Backdrop, onBackdrop } from './components/backdrop.tsx';
import { Button, Icon, IconButton } from './components/button.tsx';
import { returnFocusFromDialogs } from './components/focus.ts';
import { comboOf, ignoreKeyRepeat } from './components/keys.ts';
import { Select } from './components/select.tsx';
import { useZoom } from './components/useZoom.ts';
import type { Size } from './components/zoom.ts';
import { Layer, zoomByKey, ZoomButtons, ZoomPane } from './components/zoomPane.tsx';
import { sizeText } from '../common/text.ts';
import type {
  ComparedVersions,
  Comparison,
  ComparisonRequest,
  ConflictSide,
  ShownVersion,
} from './protocol/comparison.ts';
import type { Draft } from './protocol/draft.ts';
import { Compared, type Mode } from './image/compare.tsx';
import { readPage } from './store/host.ts';

interface View extends Pick<Draft['view'], 'backdrop' | 'zoom'> {
  mode: Mode;
}

/** What VS Code keeps while the page is hidden, and until after a reload of the window. */
type Kept = ComparedVersions & Pick<Comparison, 'place'> & { view?: View };

declare function acquireVsCodeApi(): {
  getState(): Kept | undefined;
  setState(kept: Kept): void;
  postMessage(request: ComparisonRequest): void;
};

const host = acquireVsCodeApi();

/** The page of two images, which no task needs to know. */
function ComparePage({ first }: { first: Comparison }): JSX.Element {
  const [comparison, setComparison] = useState(first);
  const { title, isSameFile, versions, problem, conflict, place } = comparison;
  const [view, setView] = useState<View>(
    () => host.getState()?.view ?? { mode: 'slider', zoom: null, backdrop: 'checker' },
  );
  const change = (changes: Partial<View>): void => setView((before) => ({ ...before, ...changes }));
  const before = useLoaded(comparison.before?.url);
  const after = useLoaded(comparison.after?.url);
  const control = useZoom(after.size ?? before.size, view.zoom, (zoom) => change({ zoom }));
  useEffect(() => host.setState({ ...versions, ...(place && { place }), view }), [versions, place, view]);
  useEffect(() => {
    window.addEventListener('message', ({ data }: MessageEvent<Comparison>) => setComparison(data));
    host.postMessage({ kind: 'opened' });
  }, []);

  const step = (by: -1 | 1): void => {
    change({ zoom: null });
    host.postMessage({ kind: 'step', by });
  };
  const broken = [before, after].find(({ isBroken }) => isBroken);
  const name = (broken === before ? comparison.before : comparison.after)?.name ?? '';
  const words = problem ?? (broken && l10n.t("{0}, {1}: this image can't be read.", title, name));
  const single = comparison.before ? (comparison.after ? undefined : comparison.before) : comparison.after;
  const onKeyDown = (event: KeyboardEvent): void => {
    const by = place && steps[comboOf(event)];
    const isPane = event.target instanceof Element && event.target.classList.contains('zoom-pane');
    if (!event.defaultPrevented && (by || (isPane && zoomByKey(control, event)))) {
      event.preventDefault();
      if (by) {
        step(by);
      }
    }
  };
  // Nothing has the focus in a tab that has just opened, or where the image before had what this one lacks.
  useEffect(() => {
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  });
  return (
    <main class="compare-page" {...onBackdrop(view.backdrop)}>
      <h1 class="only-spoken">{title}</h1>
      {(place ?? conflict) && (
        <div class="compare-bar">
          {place && <Steps title={title} place={place} step={step} />}
          {conflict && <ConflictBar versions={versions} conflict={conflict} />}
        </div>
      )}
      {words === undefined && comparison.before && comparison.after ? (
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
        <>
          <p class="compare-sizes" role="alert">
            <Icon name="info" />
            {words}
          </p>
          {single && (
            <ZoomPane control={control} label={single.name}>
              <Layer control={control} url={single.url} alt={single.name} />
              <span class="compare-label">{single.name}</span>
            </ZoomPane>
          )}
        </>
      )}
    </main>
  );
}

/** Keys that step through a list of comparisons. */
const steps: Readonly<Record<string, -1 | 1>> = { pageup: -1, pagedown: 1 };

interface StepsProps {
  title: string;
  place: NonNullable<Comparison['place']>;
  step: (by: -1 | 1) => void;
}

/** Steps through a list of comparisons, from the last one to the first again. */
function Steps({ title, place, step }: StepsProps): JSX.Element {
  return (
    <span class="large-group">
      <IconButton icon="chevron-left" label={l10n.t('Previous Image (Page Up)')} onClick={() => step(-1)} />
      <span class="large-number" role="status">
        {l10n.t('{0} of {1}', place.at + 1, place.of)}
        <span class="only-spoken">{` ${title}`}</span>
      </span>
      <IconButton icon="chevron-right" label={l10n.t('Next Image (Page Down)')} onClick={() => step(1)} />
    </span>
  );
}

interface ConflictBarProps {
  versions: ComparedVersions;
  conflict: NonNullable<Comparison['conflict']>;
}

/** Chooses which sides of a conflict are compared, and takes one of them. */
function ConflictBar({ versions, conflict }: ConflictBarProps): JSX.Element {
  const sides = Object.values(conflict);
  const options = sides.map(({ uri, name }) => ({ value: uri, label: name }));
  const choose = (which: 'before' | 'after', chosen: string): void => {
    const side = sides.find(({ uri }) => uri === chosen);
    const other = which === 'before' ? 'after' : 'before';
    if (side) {
      // Both images never show one side: they change places.
      const rest = versions[other].uri === chosen ? versions[which] : versions[other];
      host.postMessage({ kind: 'show', ...versions, [which]: side, [other]: rest });
    }
  };
  return (
    <>
      {options.length > 1 && (
        <span class="compare-with" role="group" aria-label={l10n.t('Sides of the Conflict')}>
          <Select
            aria-label={l10n.t('First Image')}
            value={versions.before.uri}
            options={options}
            change={(chosen) => choose('before', chosen)}
          />
          <Select
            aria-label={l10n.t('Second Image')}
            value={versions.after.uri}
            options={options}
            change={(chosen) => choose('after', chosen)}
          />
        </span>
      )}
      <Button icon="check" onClick={() => take('ours')}>
        {conflict.ours ? l10n.t('Take Ours') : l10n.t('Take Ours (Deleted)')}
      </Button>
      <Button icon="check" onClick={() => take('theirs')}>
        {conflict.theirs ? l10n.t('Take Theirs') : l10n.t('Take Theirs (Deleted)')}
      </Button>
    </>
  );
}

function take(side: Exclude<ConflictSide, 'base'>): void {
  host.postMessage({ kind: 'take', side });
}

function sized(side: ShownVersion, { size }: Loaded): ShownVersion {
  return size ? { url: side.url, name: l10n.t('{0} · {1}', side.name, sizeText(size)) } : side;
}

interface Loaded {
  size?: Size;
  isBroken?: boolean;
}

/** Loads an image, which tells its size. */
function useLoaded(url: string | undefined): Loaded {
  const [loaded, setLoaded] = useState<Loaded & { url?: string }>({});
  useEffect(() => {
    if (url === undefined) {
      return;
    }
    const image = new Image();
    image.addEventListener('load', () =>
      setLoaded({ url, size: { width: image.naturalWidth, height: image.naturalHeight } }),
    );
    image.addEventListener('error', () => setLoaded({ url, isBroken: true }));
    image.src = url;
  }, [url]);
  return loaded.url === url ? loaded : {};
}

ignoreKeyRepeat();
returnFocusFromDialogs();
render(<ComparePage first={readPage().comparison} />, document.body);
