import { t } from '@vscode/l10n';
import type { Draft } from '../../../src/studio/draft.ts';
import { isMasked } from './isMasked.ts';

/** What the button says that it does. */
export function submitLabel(draft: Pick<Draft, 'inputs' | 'mask'>, count: number): string {
  if (draft.inputs.length === 0) {
    return count === 1 ? t('Generate Image') : t('Generate {0} Images', count);
  }
  if (isMasked(draft)) {
    return count === 1 ? t('Edit Masked Area') : t('Edit Masked Area, {0} Versions', count);
  }
  return count === 1 ? t('Edit Image') : t('Edit Image, {0} Versions', count);
}
