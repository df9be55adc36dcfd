import './tile.css';
import * as l10n from '@vscode/l10n';
import type { JSX } from 'preact';
import type { StudioImage, StudioTask } from '../../protocol/state.ts';
import { Icon } from '../../components/icon.tsx';
import { IconButton } from '../../components/button.tsx';
import { type ResultAction, starText } from '../actions/resultActions.ts';
import { referenceTo, type Result, resultName, type ResultReference } from '../model/resultList.ts';
import { below, type OpenMenu, pointOf } from '../actions/resultMenu.tsx';

/** Returns the element id of a result's button. */
export function tileId({ task, index }: ResultReference): string {
  return `result-${task}-${index}`;
}

interface TileProps {
  result: Result;
  show: (result: Result) => void;
  run: (action: ResultAction, result: Result) => void;
  openMenu: (menu: OpenMenu) => void;
}

/** Shows a small image, which opens large. */
export function Tile({ result, show, run, openMenu }: TileProps): JSX.Element {
  const { image, url } = result;
  const star = starText(image);
  return (
    <div class={image.starred ? 'tile starred' : 'tile'}>
      <button
        type="button"
        id={tileId(referenceTo(result))}
        class="tile-image"
        aria-label={resultName(result)}
        title={l10n.t('{0} (P to star, X to discard)', image.name)}
        draggable
        onDragStart={({ dataTransfer }) => dataTransfer && dragFile(dataTransfer, image)}
        onClick={() => show(result)}
        onContextMenu={(event) => {
          event.preventDefault();
          openMenu({ result, at: pointOf(event, event.currentTarget) });
        }}
        onKeyDown={({ key, ctrlKey, metaKey, altKey, repeat }) => {
          // A key that is held acts on one image only.
          if (ctrlKey || metaKey || altKey || repeat) {
            return;
          }
          if (key === 'Delete' || key === 'x') {
            run('discard', result);
          } else if (key === 'p') {
            run('star', result);
          }
        }}
      >
        <img src={url} alt="" loading="lazy" decoding="async" draggable={false} />
      </button>
      <div class="tile-buttons">
        <IconButton
          icon={star.icon}
          label={star.label}
          aria-pressed={image.starred}
          onClick={() => run('star', result)}
        />
        <IconButton
          icon="ellipsis"
          label={l10n.t('More Actions…')}
          aria-haspopup="menu"
          onClick={({ currentTarget }) => openMenu({ result, at: below(currentTarget) })}
        />
      </div>
    </div>
  );
}

/** Lets an image be dropped where VS Code takes files: an editor opens it, or inserts a reference to it. */
function dragFile(transfer: DataTransfer, { uri = '' }: StudioImage): void {
  for (const type of ['application/vnd.code.uri-list', 'text/uri-list']) {
    transfer.setData(type, uri);
  }
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
