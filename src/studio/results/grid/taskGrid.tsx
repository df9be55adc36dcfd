// Room: all tasks of the draft, with their images and progress.
// Never: the large view.

import './taskGrid.css';
import type { JSX, TargetedKeyboardEvent } from 'preact';
import { useState } from 'preact/hooks';
import type { StudioTask } from '../../protocol/state.ts';
import type { StudioContext } from '../../store/studioStore.ts';
import { nearest } from './nearest.ts';
import { perform } from '../actions/perform.ts';
import type { ResultAction } from '../actions/resultActions.ts';
import { findResult, isSame, referenceTo, type Result, resultsOf } from '../model/resultList.ts';
import { rangeTo, toggled } from '../model/selection.ts';
import { type OpenMenu, ResultMenu } from '../actions/resultMenu.tsx';
import { TaskCard } from './taskCard.tsx';
import { tileId } from './tile.tsx';

type GridKeyEvent = TargetedKeyboardEvent<HTMLDivElement>;

interface TaskGridProps extends StudioContext {
  tasks: readonly StudioTask[];
  show: (result: Result) => void;
}

/** Shows all tasks of the draft with their images; arrow keys move between the images, with Shift selecting them. */
export function TaskGrid({ tasks, show, ...context }: TaskGridProps): JSX.Element {
  const { store } = context;
  const { selection, models, isMac } = store.state;
  const [menu, setMenu] = useState<OpenMenu>();
  const results = resultsOf(tasks);
  const selected = results.filter((result) => selection.some((one) => isSame(one, referenceTo(result))));
  // Without those that were discarded since; undoing that selects them again.
  const there = selection.filter((one) => findResult(selected, one));
  const run = (action: ResultAction, on: readonly Result[]): void => void perform(context, action, on);
  const select = (how: 'toggle' | 'range', result: Result, begin = there): void =>
    store.select(
      how === 'toggle' ? toggled(there, referenceTo(result)) : rangeTo(begin, referenceTo(result), results),
    );
  const resultAt = (element: Element | null | undefined): Result | undefined =>
    results.find((result) => tileId(referenceTo(result)) === element?.id);

  /** @returns whether the key was used */
  const onKey = ({ key, ctrlKey, metaKey, shiftKey, currentTarget }: GridKeyEvent): boolean => {
    if (key === 'Escape' && selected.length > 0) {
      store.select([]);
      return true;
    }
    if (key.toLowerCase() === 'a' && (isMac ? metaKey : ctrlKey)) {
      store.select(results.map(referenceTo));
      return true;
    }
    const before = resultAt(document.activeElement);
    const tile = moveAmongTiles(currentTarget, key);
    const after = resultAt(tile);
    if (shiftKey && before && after) {
      select('range', after, there.length > 0 ? there : [referenceTo(before)]);
    }
    return tile !== undefined;
  };
  const onKeyDown = (event: GridKeyEvent): void => {
    if (onKey(event)) {
      event.preventDefault();
      // VS Code would select all text of the page.
      event.stopPropagation();
    }
  };
  return (
    // Handles the keys of the images inside.
    <div class="task-grid" onKeyDown={onKeyDown}>
      {tasks.map((task) => (
        <TaskCard
          key={task.id}
          {...context}
          task={task}
          selected={selected}
          acts={{ show, select, run, openMenu: setMenu }}
        />
      ))}
      {menu && <ResultMenu menu={menu} models={models} close={() => setMenu(undefined)} run={run} />}
    </div>
  );
}

/** Focuses the tile that a key moves to. @returns the tile, or undefined for any other key */
function moveAmongTiles(grid: HTMLElement, key: string): HTMLElement | undefined {
  const tiles = tilesOf(grid);
  const from = tiles.findIndex((tile) => tile === document.activeElement);
  const next = nearest(
    tiles.map((tile) => tile.getBoundingClientRect()),
    from,
    key,
  );
  const tile = next === undefined ? undefined : tiles[next];
  tile?.focus();
  return tile;
}

function tilesOf(grid: HTMLElement): HTMLElement[] {
  return [...grid.querySelectorAll<HTMLElement>('.tile-image')];
}
