// Room: all tasks of the draft, with their images and progress.
// Never: the large view.

import './taskGrid.css';
import type { JSX, RefObject, TargetedKeyboardEvent } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { StudioTask } from '../../protocol/state.ts';
import type { StudioContext } from '../../store/studioStore.ts';
import { nearest } from './nearest.ts';
import { perform } from '../actions/perform.ts';
import type { ResultAction } from '../actions/resultActions.ts';
import type { Result, ResultReference } from '../model/resultList.ts';
import { type OpenMenu, ResultMenu } from '../actions/resultMenu.tsx';
import { TaskCard } from './taskCard.tsx';
import { tileId } from './tile.tsx';

interface TaskGridProps extends StudioContext {
  tasks: readonly StudioTask[];
  show: (result: Result) => void;
  focus: RefObject<ResultReference | 'image' | undefined>;
}

/** Shows all tasks of the draft with their images; arrow keys move between the images. */
export function TaskGrid({ tasks, show, focus, ...context }: TaskGridProps): JSX.Element {
  const [menu, setMenu] = useState<OpenMenu>();
  const run = (action: ResultAction, result: Result): void => void perform(context, action, result);
  const grid = useRef<HTMLDivElement>(null);
  /** The tile that had the focus last, and its position. */
  const left = useRef<{ tile: HTMLElement; at: number }>(undefined);

  useLayoutEffect(() => {
    if (typeof focus.current === 'object') {
      document.getElementById(tileId(focus.current))?.focus();
    }
    focus.current = undefined;
  }, [focus]);

  // A tile that is gone passes the focus to its neighbor.
  useLayoutEffect(() => {
    if (left.current && !left.current.tile.isConnected && document.activeElement === document.body) {
      const tiles = grid.current ? tilesOf(grid.current) : [];
      tiles[Math.min(left.current.at, tiles.length - 1)]?.focus();
    }
  });

  return (
    // Handles the keys of the images inside.
    <div
      ref={grid}
      class="task-grid"
      onKeyDown={onKeyDown}
      onFocusIn={({ target, currentTarget }) => {
        const at = tilesOf(currentTarget).findIndex((tile) => tile === target);
        if (target instanceof HTMLElement && at >= 0) {
          left.current = { tile: target, at };
        }
      }}
    >
      {tasks.map((task) => (
        <TaskCard key={task.id} {...context} task={task} show={show} run={run} openMenu={setMenu} />
      ))}
      {menu && <ResultMenu menu={menu} close={() => setMenu(undefined)} run={run} />}
    </div>
  );
}

function onKeyDown(event: TargetedKeyboardEvent<HTMLDivElement>): void {
  const tiles = tilesOf(event.currentTarget);
  const from = tiles.findIndex((tile) => tile === document.activeElement);
  const next = nearest(
    tiles.map((tile) => tile.getBoundingClientRect()),
    from,
    event.key,
  );
  if (next !== undefined) {
    event.preventDefault();
    tiles[next]?.focus();
  }
}

function tilesOf(grid: HTMLElement): HTMLElement[] {
  return [...grid.querySelectorAll<HTMLElement>('.tile-image')];
}
