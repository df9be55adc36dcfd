import * as l10n from '@vscode/l10n';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { focusAfterRender, useKeptFocus } from '../components/focus.ts';
import { Icon } from '../components/button.tsx';
import { type StudioContext, tasksOf } from '../store/studioStore.ts';
import { LargeView } from '../image/largeView.tsx';
import {
  findResult,
  referenceTo,
  type Result,
  resultsOf,
  successorOf,
  viewAfter,
} from '../store/resultList.ts';
import { CardView } from './cardView.tsx';
import { TaskGrid } from './taskGrid.tsx';
import { tileId } from './tile.tsx';

/** Elements that take the focus when it is lost. */
const places = [
  '.zoom-pane',
  '.social-card .input',
  '.tile:not(.awaited, .gone)',
  '.task-card',
  '.results-empty',
];

/** Shows the results of the draft: all of them, or one image large. */
export function Results(context: StudioContext): JSX.Element {
  const { store } = context;
  const area = useRef<HTMLDivElement>(null);
  const onFocusIn = useKeptFocus(area, places);
  const tasks = tasksOf(store.state);
  const results = resultsOf(tasks);
  const { selected, showsCard } = store.state.draft.view;
  const before = useRef<readonly Result[]>([]);
  const large =
    findResult(results, selected) ?? (selected ? successorOf(before.current, selected, results) : undefined);
  useEffect(() => {
    const was = before.current;
    before.current = results;
    if (large && !findResult([large], selected)) {
      store.updateView(viewAfter(findResult(was, selected), large));
    }
  });

  const show = (result: Result): void => {
    store.updateView({ selected: referenceTo(result) });
    focusAfterRender(() => area.current?.querySelector<HTMLElement>('.zoom-pane, .social-card .input'));
  };
  const leave = (): void => {
    store.updateView({ selected: null, zoom: null, compare: null });
    focusAfterRender(() => large && document.getElementById(tileId(referenceTo(large))));
  };
  return (
    // Watches the focus of the controls inside.
    <div ref={area} class="results" onFocusIn={onFocusIn}>
      {large?.task.socialCard && showsCard ? (
        <CardView key={tileId(referenceTo(large))} {...context} result={large} leave={leave} />
      ) : large ? (
        <LargeView {...context} result={large} results={results} leave={leave} />
      ) : tasks.length > 0 ? (
        <TaskGrid {...context} tasks={tasks} show={show} />
      ) : (
        <div class="results-empty" tabIndex={-1}>
          <Icon name="sparkle" />
          <p>{l10n.t('No images yet. Describe what you want to see, then select Generate Image.')}</p>
        </div>
      )}
    </div>
  );
}
