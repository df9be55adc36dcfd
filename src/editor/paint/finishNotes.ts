import * as vscode from 'vscode';
import type { FinishFacts } from '../../images/formats/finish.ts';

/** Returns what a person should know of what was done to an image, besides its background. */
export function finishNotes({
  untouched,
  scaled,
  untrimmed,
  flattened,
  lostColours,
  lostCredentials,
  embedded,
  notSmaller,
  damage,
}: Omit<FinishFacts, 'got'>): string[] {
  return [
    ...(damage === undefined ? [] : [vscode.l10n.t('The original is damaged: {0}.', damage)]),
    ...(notSmaller ? [vscode.l10n.t('The new file is not smaller than the original.')] : []),
    ...(untouched === 'animated'
      ? [vscode.l10n.t('Saved as received: animated images are left alone.')]
      : []),
    ...(untouched === '16bit'
      ? [vscode.l10n.t('Saved as received: images with 16 bits per channel are left alone.')]
      : []),
    ...(untouched === '12bit'
      ? [vscode.l10n.t('Saved as received: images with 12 bits per channel are left alone.')]
      : []),
    ...(untouched === 'cmyk'
      ? [vscode.l10n.t('Saved as received: images with CMYK colors are left alone.')]
      : []),
    ...(scaled === 'up' ? [vscode.l10n.t('Scaled up: it has no more detail than before.')] : []),
    ...(untrimmed ? [vscode.l10n.t('Not trimmed: it has no transparent edges, or nothing else.')] : []),
    ...(flattened === undefined ? [] : [vscode.l10n.t('Transparency became {0}.', flattened)]),
    ...(lostColours ? [vscode.l10n.t('Its colors may look different in this format.')] : []),
    ...(lostCredentials ? [vscode.l10n.t('Its Content Credentials are only in the image as received.')] : []),
    ...(embedded === 'credentials'
      ? [vscode.l10n.t('The prompt was not embedded: the image keeps its Content Credentials.')]
      : []),
    ...(embedded === 'metadata'
      ? [vscode.l10n.t('The prompt was not embedded: the image keeps its own metadata.')]
      : []),
  ];
}
