import './tile.css';
import * as l10n from '@vscode/l10n';
import type { JSX } from 'preact';
import { draggedImagesType } from '../../../common/draggedImages.ts';
import type { ResultReference } from '../../protocol/draft.ts';
import type { StudioImage, StudioTask } from '../../protocol/state.ts';
import { Icon } from '../../components/icon.tsx';
import { IconButton } from '../../components/button.tsx';
import { actionOfKey, type ResultAction, starText } from '../actions/resultActions.ts';
import { referenceTo, type Result, resultName } from '../model/resultList.ts';
import { isSelected, subjectsOf } from '../model/selection.ts';
import { below, type OpenMenu, pointOf } from '../actions/resultMenu.tsx';

/** Returns the element id of a result's button. */
export function tileId({ task, index }: ResultReference): string {
  return `result-${task}-${index}`;
}

/** Handlers of everything that can be done with a tile. */
export interface TileActs {
  show: (result: Result) => void;
  /** Selects an image besides the others or no longer, or all from the last one that was selected. */
  select: (how: 'toggle' | 'range', result: Result) => void;
  run: (action: ResultAction, results: readonly Result[]) => void;
  openMenu: (menu: OpenMenu) => void;
}

interface TileProps extends TileActs {
  result: Result;
  /** Selected results, which an action on one of them acts on. */
  selected: readonly Result[];
  isMac: boolean;
}

/** Shows a small image, which opens large. */
export function Tile({ result, selected, isMac, show, select, run, openMenu }: TileProps): JSX.Element {
  const { image, url } = result;
  const star = starText(image);
  const subjects = subjectsOf(result, selected);
  const onClick = ({ ctrlKey, metaKey, shiftKey }: MouseEvent): void => {
    if (shiftKey) {
      select('range', result);
    } else if (isMac ? metaKey : ctrlKey) {
      select('toggle', result);
    } else {
      show(result);
    }
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const isSpace = event.key === ' ' && !event.metaKey && !event.altKey;
    if (isSpace) {
      // Not a click, which opens the image.
      event.preventDefault();
    }
    // A key that is held acts once only.
    if (event.repeat) {
      return;
    }
    const action = actionOfKey(event);
    if (isSpace) {
      select('toggle', result);
    } else if (action) {
      run(action, subjects);
    }
  };
  const classes = [
    'tile',
    ...(image.starred ? ['starred'] : []),
    ...(isSelected(result, selected) ? ['selected'] : []),
  ];
  return (
    <div class={classes.join(' ')}>
      <button
        type="button"
        id={tileId(referenceTo(result))}
        class="tile-image"
        aria-label={resultName(result)}
        title={l10n.t('{0} (Space to select, P to star, X to delete)', image.name)}
        draggable
        onDragStart={({ dataTransfer }) => dataTransfer && dragFile(dataTransfer, result)}
        onClick={onClick}
        onContextMenu={(event) => {
          event.preventDefault();
          openMenu({ results: subjects, at: pointOf(event, event.currentTarget) });
        }}
        onKeyDown={onKeyDown}
      >
        <img
          class={image.width !== undefined && (image.height ?? 0) > image.width ? 'tall' : undefined}
          src={url}
          alt=""
          loading="lazy"
          decoding="async"
          draggable={false}
        />
      </button>
      {isSelected(result, selected) && (
        <span class="tile-check">
          <Icon name="pass-filled" />
        </span>
      )}
      <div class="tile-buttons">
        <IconButton
          icon={star.icon}
          label={star.label}
          aria-pressed={image.starred}
          onClick={() => run('star', [result])}
        />
        <IconButton
          icon="ellipsis"
          label={l10n.t('More Actions…')}
          aria-haspopup="menu"
          onClick={({ currentTarget }) => openMenu({ results: subjects, at: below(currentTarget) })}
        />
      </div>
    </div>
  );
}

/** Lets an image be dropped where VS Code takes files, which opens it, and in documents, which show it then. */
function dragFile(transfer: DataTransfer, result: Result): void {
  for (const type of ['application/vnd.code.uri-list', 'text/uri-list']) {
    transfer.setData(type, result.image.uri ?? '');
  }
  transfer.setData(draggedImagesType, JSON.stringify([referenceTo(result)]));
  transfer.effectAllowed = 'copyLink';
}

/** Shows the place of an image that is still to come, or was not saved. */
export function EmptyTile({
  task,
  image,
}: {
  task: StudioTask;
  image: StudioImage | undefined;
}): JSX.Element {
  if (task.standing !== 'ended' && image?.error === undefined) {
    return <div class="tile awaited" role="img" aria-label={l10n.t('Image in progress')} />;
  }
  return (
    <div class="tile gone">
      <Icon name="warning" />
      <span>{image?.error ?? l10n.t('The file no longer exists.')}</span>
    </div>
  );
}
