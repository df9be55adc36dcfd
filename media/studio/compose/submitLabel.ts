import { t } from '@vscode/l10n';
import type { WorkState } from '../work.ts';
import { isMasked } from './isMasked.ts';

/** What the button says that it does. */
export function submitLabel(state: WorkState, count: number): string {
  if (state.draft.inputs.length === 0) {
    return count === 1 ? t('Generate Image') : t('Generate {0} Images', count);
  }
  if (isMasked(state)) {
    return count === 1 ? t('Edit Masked Area') : t('Edit Masked Area, {0} Versions', count);
  }
  return count === 1 ? t('Edit Image') : t('Edit Image, {0} Versions', count);
}
