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
import type { Result } from '../model/resultList.ts';
import { type OpenMenu, ResultMenu } from '../actions/resultMenu.tsx';
import { TaskCard } from './taskCard.tsx';

interface TaskGridProps extends StudioContext {
  tasks: readonly StudioTask[];
  show: (result: Result) => void;
}

/** Shows all tasks of the draft with their images; arrow keys move between the images. */
export function TaskGrid({ tasks, show, ...context }: TaskGridProps): JSX.Element {
  const [menu, setMenu] = useState<OpenMenu>();
  const run = (action: ResultAction, result: Result): void => void perform(context, action, result);
  return (
    // Handles the keys of the images inside.
    <div class="task-grid" onKeyDown={onKeyDown}>
      {tasks.map((task) => (
        <TaskCard key={task.id} {...context} task={task} show={show} run={run} openMenu={setMenu} />
      ))}
      {menu && (
        <ResultMenu
          menu={menu}
          models={context.store.state.models}
          close={() => setMenu(undefined)}
          run={run}
        />
      )}
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
