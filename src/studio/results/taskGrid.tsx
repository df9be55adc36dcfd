import * as l10n from '@vscode/l10n';
import type { JSX, TargetedKeyboardEvent } from 'preact';
import { useState } from 'preact/hooks';
import type { StudioTask } from '../protocol/state.ts';
import type { StudioContext } from '../store/studioStore.ts';
import { nearest } from './nearest.ts';
import { Backdrop } from '../components/backdrop.tsx';
import { perform } from '../image/perform.ts';
import type { ResultAction } from '../image/resultActions.ts';
import { findResult, isSame, referenceTo, type Result, resultsOf } from '../store/resultList.ts';
import { rangeTo, toggled } from '../store/selection.ts';
import { type OpenMenu, ResultMenu } from '../image/resultMenu.tsx';
import { IconButton } from '../components/button.tsx';
import { Select } from '../components/select.tsx';
import { grouped, SetCard } from './setCard.tsx';
import { TaskCard } from './taskCard.tsx';
import { tileId } from './tile.tsx';

type GridKeyEvent = TargetedKeyboardEvent<HTMLDivElement>;

interface TaskGridProps extends StudioContext {
  tasks: readonly StudioTask[];
  show: (result: Result) => void;
}

/** Shows the tasks of the draft with their images. Arrow keys move between the images, and with Shift select them. */
export function TaskGrid({ tasks, show, ...context }: TaskGridProps): JSX.Element {
  const { store } = context;
  const { selection, models, isMac } = store.state;
  const [menu, setMenu] = useState<OpenMenu>();
  const { view } = store.state.draft;
  const results = resultsOf(tasks).filter(({ image }) => !view.starred || image.starred);
  const shownTasks = view.starred
    ? tasks.filter(({ images }) => images.some(({ starred }) => starred))
    : tasks;
  const selected = results.filter((result) => selection.some((one) => isSame(one, referenceTo(result))));
  // Without images that were discarded since; undoing that selects them again.
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
  const acts = { show, select, run, openMenu: setMenu };
  return (
    // Handles the keys of the images inside.
    <div class="task-grid" data-tiles={view.tiles} onKeyDown={onKeyDown}>
      {(view.starred || results.length > 1 || results.some(({ image }) => image.cutout)) && (
        <div class="grid-bar" role="toolbar" aria-label={l10n.t('Results')}>
          <span>{selected.length > 0 && l10n.t('{0} selected', selected.length)}</span>
          <Select
            aria-label={l10n.t('Tiles')}
            value={view.tiles}
            options={[
              { value: 'small', label: l10n.t('Small Tiles') },
              { value: 'medium', label: l10n.t('Medium Tiles') },
              { value: 'large', label: l10n.t('Large Tiles') },
            ]}
            change={(tiles) => store.updateView({ tiles })}
          />
          <Backdrop backdrop={view.backdrop} change={(backdrop) => store.updateView({ backdrop })} />
          <IconButton
            icon={view.starred ? 'star-full' : 'star-empty'}
            label={l10n.t('Only Starred')}
            aria-pressed={view.starred}
            onClick={() => store.updateView({ starred: !view.starred })}
          />
        </div>
      )}
      {grouped(shownTasks).map((shown) =>
        'id' in shown ? (
          <TaskCard key={shown.id} {...context} task={shown} selected={selected} acts={acts} />
        ) : (
          <SetCard key={shown[0]?.batch.id} {...context} tasks={shown} selected={selected} acts={acts} />
        ),
      )}
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
