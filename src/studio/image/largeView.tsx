import * as l10n from '@vscode/l10n';
import type { JSX, TargetedKeyboardEvent, TargetedMouseEvent } from 'preact';
import { useState } from 'preact/hooks';
import type { StudioContext } from '../store/studioStore.ts';
import { actionOfKey, type ResultAction } from './resultActions.ts';
import { Compare } from './compare.tsx';
import { Details } from './details.tsx';
import { perform } from './perform.ts';
import { LargeBar } from './largeBar.tsx';
import { ResultButtons } from './resultButtons.tsx';
import {
  counterpartOf,
  counterpartsOf,
  neighborOf,
  type Result,
  resultLabel,
  resultName,
  viewAfter,
} from '../store/resultList.ts';
import { type OpenMenu, pointOf, ResultMenu } from './resultMenu.tsx';
import { useImageSize, useZoom } from '../components/useZoom.ts';
import { Layer, zoomByKey, ZoomPane } from '../components/zoomPane.tsx';

interface LargeViewProps extends StudioContext {
  result: Result;
  /** All results, including this one. */
  results: readonly Result[];
  leave: () => void;
}

/** Shows one image as large as possible, alone or compared with another. */
export function LargeView({ result, results, leave, ...context }: LargeViewProps): JSX.Element {
  const { store } = context;
  const { draft, models } = store.state;
  const { zoom, compare } = draft.view;
  const [menu, setMenu] = useState<OpenMenu>();
  const [received, setReceived] = useState<string>();
  const outputUrl = result.image.outputUrl;
  // The next image starts with the switch off.
  const showsReceived = outputUrl !== undefined && received === outputUrl && !compare;
  const shown = showsReceived
    ? { url: outputUrl, ...result.image.received }
    : { url: result.url, width: result.image.width, height: result.image.height };
  const imageSize = useImageSize(shown.url, shown.width, shown.height);
  const control = useZoom(imageSize, zoom, (zoom) => store.updateView({ zoom }));
  const counterparts = counterpartsOf(results, result);
  const other = compare ? counterpartOf(counterparts, compare.other) : undefined;
  const name = resultName(result);
  const run = (action: ResultAction): void => void perform(context, action, [result]);

  const step = (by: -1 | 1): void => {
    const next = neighborOf(results, result, by);
    if (next) {
      store.updateView(viewAfter(result, next));
    }
  };
  const toggleCompare = (): void =>
    store.updateView({
      compare: compare ? null : { mode: 'slider', other: counterparts[0]?.reference ?? null },
    });
  const escape = (): void => {
    if (compare) {
      toggleCompare();
    } else {
      leave();
    }
  };
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLDivElement>): void => {
    const isPane = event.target instanceof Element && event.target.classList.contains('zoom-pane');
    if (event.defaultPrevented || (!isPane && event.key !== 'Escape')) {
      return;
    }
    if (zoomByKey(control, event) || runKey(event, escape, step, run)) {
      event.preventDefault();
    }
  };
  const onContextMenu = (event: TargetedMouseEvent<HTMLDivElement>): void => {
    const pane = event.target instanceof Element && event.target.closest('.zoom-pane');
    if (pane) {
      event.preventDefault();
      setMenu({ results: [result], at: pointOf(event, pane) });
    }
  };
  return (
    // Handles the keys and the context menu of the image inside.
    <div class="large-view" onKeyDown={onKeyDown} onContextMenu={onContextMenu}>
      <LargeBar
        {...context}
        result={result}
        results={results}
        control={control}
        isComparing={compare !== null}
        canCompare={counterparts.length > 0}
        showsReceived={showsReceived}
        toggleReceived={
          outputUrl !== undefined && !compare
            ? () => setReceived(showsReceived ? undefined : outputUrl)
            : undefined
        }
        showCard={result.task.socialCard && (() => store.updateView({ showsCard: true }))}
        leave={leave}
        step={step}
        toggleCompare={toggleCompare}
        run={run}
      />
      {compare && other ? (
        <Compare
          result={result}
          label={resultLabel(results, result)}
          other={other}
          counterparts={counterparts}
          compare={compare}
          change={(compare) => store.updateView({ compare })}
          control={control}
        />
      ) : (
        <ZoomPane control={control} label={l10n.t('{0}, large', name)}>
          <Layer control={control} url={shown.url} alt={name} />
        </ZoomPane>
      )}
      <ResultButtons result={result} models={models} run={run} openMenu={setMenu} />
      <Details result={result} />
      {menu && <ResultMenu menu={menu} models={models} close={() => setMenu(undefined)} run={run} />}
    </div>
  );
}

/** Runs the action of a key. @returns whether the key was used */
function runKey(
  event: KeyboardEvent,
  escape: () => void,
  step: (by: -1 | 1) => void,
  run: (action: ResultAction) => void,
): boolean {
  const { key, ctrlKey, metaKey, altKey, repeat } = event;
  if (ctrlKey || metaKey || altKey) {
    return false;
  }
  const action = actionOfKey(event);
  if (action) {
    // A held key acts on one image only.
    if (!repeat) {
      run(action);
    }
    return true;
  }
  switch (key) {
    case 'Escape':
      escape();
      return true;
    case 'ArrowLeft':
    case 'PageUp':
      step(-1);
      return true;
    case 'ArrowRight':
    case 'PageDown':
      step(1);
      return true;
    default:
      return false;
  }
}
