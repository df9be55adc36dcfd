import * as vscode from 'vscode';
import type { Draft } from '../../studio/protocol/draft.ts';
import { confirmed } from '../window/confirm.ts';

/** Asks whether to begin a new piece of work, where a mask of the present one would be lost. */
export async function confirmNew({ mask }: Draft): Promise<boolean> {
  const last = mask.operations.at(mask.done - 1);
  if (mask.done === 0 || last?.kind === 'clear') {
    return true;
  }
  return confirmed(
    vscode.l10n.t('The studio has a mask that was painted on another image. Begin anew without it?'),
    vscode.l10n.t('Begin Anew'),
  );
}
