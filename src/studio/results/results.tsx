// Room: the results of the draft: the grid, or one image large.
// Never: the prompt and its fields.

import './results.css';
import * as l10n from '@vscode/l10n';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Icon } from '../components/icon.tsx';
import { type StudioContext, tasksOf } from '../store/studioStore.ts';
import { LargeView } from './large/largeView.tsx';
import {
  findResult,
  referenceTo,
  type Result,
  type ResultReference,
  resultsOf,
  successorOf,
} from './model/resultList.ts';
import { TaskGrid } from './grid/taskGrid.tsx';

/** Shows the results of the draft: all of them, or one image large. */
export function Results(context: StudioContext): JSX.Element {
  const { store } = context;
  /** The element to focus after the next render: opening or leaving an image keeps the place of keyboard users. */
  const focus = useRef<ResultReference | 'image' | undefined>(undefined);
  const tasks = tasksOf(store.state);
  const results = resultsOf(tasks);
  const { selected } = store.state.draft.view;
  const before = useRef<readonly Result[]>([]);
  const large =
    findResult(results, selected) ?? (selected ? successorOf(before.current, selected, results) : undefined);
  useEffect(() => {
    before.current = results;
    if (large && !findResult([large], selected)) {
      store.updateView({ selected: referenceTo(large) });
    }
  });

  const show = (result: Result): void => {
    focus.current = 'image';
    store.updateView({ selected: referenceTo(result) });
  };
  const leave = (): void => {
    focus.current = large && referenceTo(large);
    store.updateView({ selected: null, zoom: null, compare: null });
  };
  return (
    <div class="results">
      {large ? (
        <LargeView {...context} result={large} results={results} leave={leave} focus={focus} />
      ) : tasks.length > 0 ? (
        <TaskGrid {...context} tasks={tasks} show={show} focus={focus} />
      ) : (
        <div class="results-empty">
          <Icon name="sparkle" />
          <p>{l10n.t('No images yet. Describe what you want to see, then select Generate Image.')}</p>
        </div>
      )}
    </div>
  );
}
