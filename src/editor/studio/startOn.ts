import type * as vscode from 'vscode';
import { type Draft, emptyDraft } from '../../studio/protocol/draft.ts';
import { confirmNew } from './confirmNew.ts';
import type { StudioPanel } from '../studioPanel/studioPanel.ts';
import { takeFiles } from './takeInputs.ts';

/**
 * Begins a new piece of work on images; asks first when a mask would be lost.
 *
 * @throws LimnerError for what is no image
 */
export async function startOn(studio: StudioPanel, images: readonly vscode.Uri[]): Promise<void> {
  const inputs = await takeFiles(studio, images);
  const { draft } = studio.draft;
  if (inputs.every(({ id }) => draft.inputs.includes(id))) {
    return;
  }
  if (!(await confirmNew(draft))) {
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
    studio.post({ kind: 'begin', inputs, changes });
    return;
  }
  await studio.draft.change(changes);
  if (studio.hasPage) {
    await studio.setPage();
  }
}
