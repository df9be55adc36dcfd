import * as l10n from '@vscode/l10n';
import type { JSX } from 'preact';
import { draggedImagesType } from '../../common/text.ts';
import type { ResultReference } from '../protocol/draft.ts';
import type { StudioImage, StudioTask } from '../protocol/state.ts';
import { Icon, IconButton } from '../components/button.tsx';
import { actionOfKey, type ResultAction, starText } from '../image/resultActions.ts';
import { lookReason, referenceTo, type Result, resultName } from '../store/resultList.ts';
import { isSelected, subjectsOf } from '../store/selection.ts';
import { below, type OpenMenu, pointOf } from '../image/resultMenu.tsx';

export function tileId({ task, index }: ResultReference): string {
  return `result-${task}-${index}`;
}

export interface TileActs {
  show: (result: Result) => void;
  /** Toggles the selection of an image, or selects the range from the last selected one. */
  select: (how: 'toggle' | 'range', result: Result) => void;
  run: (action: ResultAction, results: readonly Result[]) => void;
  openMenu: (menu: OpenMenu) => void;
}

interface TileProps extends TileActs {
  result: Result;
  /** Selected results; an action on one of them applies to all. */
  selected: readonly Result[];
  isMac: boolean;
}

/** Shows a thumbnail, which opens the large image. */
export function Tile({ result, selected, isMac, show, select, run, openMenu }: TileProps): JSX.Element {
  const { image, url } = result;
  const star = starText(image);
  const subjects = subjectsOf(result, selected);
  const reason = lookReason(image);
  const keys = l10n.t('{0} (Space to select, P to star, X to delete)', image.name);
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
      // Prevents a click, which opens the image.
      event.preventDefault();
    }
    // A held key acts only once.
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
        title={reason === undefined ? keys : `${reason}\n${keys}`}
        aria-description={reason}
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
      {reason !== undefined && (
        <span class="tile-warning">
          <Icon name="warning" />
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

/** Lets an image be dropped where VS Code opens files, and in documents, which then show it. */
function dragFile(transfer: DataTransfer, result: Result): void {
  for (const type of ['application/vnd.code.uri-list', 'text/uri-list']) {
    transfer.setData(type, result.image.uri ?? '');
  }
  transfer.setData(draggedImagesType, JSON.stringify([referenceTo(result)]));
  transfer.effectAllowed = 'copyLink';
}

interface EmptyTileProps {
  task: StudioTask;
  image: StudioImage | undefined;
  /** What a screen reader says while the image is in progress. */
  label: string;
  /** Why there is no image, where it has no error of its own. */
  reason?: string;
}

/** Shows the place of an image that is not there yet, waits for the user, or was not saved. */
export function EmptyTile({ task, image, label, reason }: EmptyTileProps): JSX.Element {
  if (task.standing === 'running' && image?.error === undefined) {
    return <div class="tile awaited" role="img" aria-label={label} />;
  }
  const isPaused = task.standing === 'paused' && image?.error === undefined;
  return (
    <div class="tile gone" title={image?.error ?? task.message}>
      <Icon name={isPaused ? 'clock' : 'warning'} />
      <span>
        {isPaused ? task.statusText : (image?.error ?? reason ?? l10n.t('The file no longer exists.'))}
      </span>
    </div>
  );
}
