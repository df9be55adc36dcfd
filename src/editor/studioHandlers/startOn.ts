import * as vscode from 'vscode';
import { type Draft, emptyDraft } from '../../studio/protocol/draft.ts';
import { confirmed } from '../window/confirm.ts';
import type { StudioPanel } from '../studioPanel/studioPanel.ts';

/**
 * Begins a new piece of work on images; asks first when a mask would be lost.
 *
 * @throws LimnerError for what is no image
 */
export async function startOn(studio: StudioPanel, images: readonly vscode.Uri[]): Promise<void> {
  const inputs = await studio.inputs.takeFiles(images);
  const { draft } = studio.draft;
  if (inputs.every(({ id }) => draft.inputs.includes(id))) {
    return;
  }
  if (!(await confirmNewDraft(draft))) {
    return;
  }
  const changes = {
    // As of the commands, an edit keeps to its original.
    size: '',
    quality: '',
    count: 1,
    inputs: inputs.map(({ id }) => id),
    mask: emptyDraft.mask,
    tasks: [],
    view: { ...draft.view, stage: 'mask', mask: null, selected: null, zoom: null, compare: null },
  } satisfies Partial<Draft>;
  if (studio.isVisible && studio.hasPage) {
    studio.post({ kind: 'newDraft', inputs, changes });
    return;
  }
  await studio.draft.change(changes);
  if (studio.hasPage) {
    await studio.setPage();
  }
}

/** Asks whether to begin a new piece of work, where a mask of the present one would be lost. */
export async function confirmNewDraft({ mask }: Draft): Promise<boolean> {
  const last = mask.operations.at(mask.done - 1);
  if (mask.done === 0 || last?.kind === 'clear') {
    return true;
  }
  return confirmed(
    vscode.l10n.t('The studio contains a mask painted on another image. Start over without it?'),
    vscode.l10n.t('Start Over'),
  );
}
