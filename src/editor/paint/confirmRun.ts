import * as vscode from 'vscode';
import type { Limner } from '../limner.ts';
import { settingNames } from '../names.ts';
import { requireConfirmation } from '../window/confirm.ts';

/**
 * Asks before a run that makes more images than `limner.confirmAbove`, whoever started it.
 *
 * @param images that the run makes in all
 * @throws vscode.CancellationError when the person thinks better of it
 */
export async function confirmRun({ settings }: Limner, images: number): Promise<void> {
  if (images <= settings.confirmAbove) {
    return;
  }
  await requireConfirmation(
    vscode.l10n.t('Make {0} images in one run?', images),
    vscode.l10n.t('Make {0} Images', images),
    vscode.l10n.t(
      'Each of them may be billed. The setting "{0}" says from how many on Limner asks.',
      settingNames.confirmAbove,
    ),
  );
}
