import * as l10n from '@vscode/l10n';
import type { WorkState } from '../store/studioStore.ts';
import { isMasked } from '../mask/files/isMasked.ts';

/** What the button says that it does. */
export function submitLabel(state: WorkState, count: number): string {
  if (state.draft.inputs.length === 0) {
    return count === 1 ? l10n.t('Generate Image') : l10n.t('Generate {0} Images', count);
  }
  if (isMasked(state)) {
    return count === 1 ? l10n.t('Edit Masked Area') : l10n.t('Edit Masked Area, {0} Versions', count);
  }
  return count === 1 ? l10n.t('Edit Image') : l10n.t('Edit Image, {0} Versions', count);
}
