import * as l10n from '@vscode/l10n';
import type { JSX } from 'preact';
import { Icon } from '../components/button.tsx';
import type { StudioImage } from '../protocol/state.ts';
import { requestedSize, type Result } from '../store/resultList.ts';
import { sizeText } from '../../common/text.ts';

/** Shows the path and size of an image, and notes about its prompt and mask. */
export function Details({ result: { task, image } }: { result: Result }): JSX.Element {
  const { keptOutside, revisedPrompt, path, width, height, received, cutout, finishNotes = [] } = image;
  const isKnownSize = width !== undefined && height !== undefined;
  return (
    <div class="details">
      <p>
        <span class="details-path">{path}</span>
        {task.style !== undefined && <span>{l10n.t('Style: {0}', task.style)}</span>}
        {isKnownSize && <span>{sizeText({ width, height })}</span>}
        {image.isOtherSize && task.size !== undefined && (
          <span class="details-note">{l10n.t('Requested: {0}', requestedSize(task.size))}</span>
        )}
        {received && (received.width !== width || received.height !== height) && (
          <span>{l10n.t('Received: {0}', sizeText(received))}</span>
        )}
      </p>
      {image.damage !== undefined && (
        <p class="details-note">
          <Icon name="warning" /> {image.damage}
        </p>
      )}
      {cutout && (
        <p class="details-note">
          <Icon name={cutout.verdict === 'good' ? 'check' : 'warning'} /> {cutoutText(cutout)}
        </p>
      )}
      {finishNotes.map((note) => (
        <p key={note} class="details-note">
          <Icon name="info" /> {note}
        </p>
      ))}
      {keptOutside === true && (
        <p>
          <Icon name="check" /> {l10n.t('Everything outside the mask is from the original.')}
        </p>
      )}
      {typeof keptOutside === 'string' && (
        <p class="details-note">
          <Icon name="warning" /> {keptOutside}
        </p>
      )}
      {revisedPrompt !== undefined && revisedPrompt !== task.prompt && (
        <details>
          <summary>{l10n.t('The service changed the prompt')}</summary>
          <p class="details-prompt">{revisedPrompt}</p>
        </details>
      )}
    </div>
  );
}

function cutoutText({ verdict, reasons, keptAnyway }: NonNullable<StudioImage['cutout']>): string {
  const why = reasons.join(' ');
  switch (verdict) {
    case 'good':
      return l10n.t('The background is transparent.');
    case 'doubtful':
      return l10n.t('The background was removed, but check the result: {0}', why);
    case 'bad':
      return keptAnyway
        ? l10n.t('The background was removed although the check failed: {0}', why)
        : l10n.t('The background was not removed: {0}', why);
  }
}
