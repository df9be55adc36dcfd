import * as vscode from 'vscode';
import type { Damage } from '../../images/damage/damage.ts';

/** Says what is wrong with an image file, to go on with after "The file is damaged: ". */
export function damageText({ what, chunk, offset }: Damage): string {
  switch (what) {
    case 'format':
      return vscode.l10n.t('it is not a PNG, JPEG or WebP image');
    case 'checksum':
      return vscode.l10n.t('the checksum of chunk {0} at byte {1} is wrong', chunk, offset);
    case 'truncated':
      return vscode.l10n.t('it is cut off in or right after {0} at byte {1}', chunk, offset);
    case 'trailing':
      return vscode.l10n.t('there is something after its end, from byte {0} on', offset);
    case 'order':
      return vscode.l10n.t('{0} at byte {1} is out of place', chunk, offset);
    case 'missing':
      return vscode.l10n.t('{0} is missing before byte {1}', chunk, offset);
    case 'contents':
      return vscode.l10n.t('the contents of {0} at byte {1} are invalid', chunk, offset);
    case 'unknown':
      return vscode.l10n.t('{0} at byte {1} is not a chunk that such a file may have', chunk, offset);
    case 'pixels':
      return vscode.l10n.t('the pixels, from {0} at byte {1} on, cannot be read', chunk, offset);
    case 'tooFewPixels':
      return vscode.l10n.t('there are too few pixels, from {0} at byte {1} on', chunk, offset);
    case 'tooManyPixels':
      return vscode.l10n.t('there are too many pixels, from {0} at byte {1} on', chunk, offset);
  }
}
