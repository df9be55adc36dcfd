import * as l10n from '@vscode/l10n';
import type { StudioModel } from '../../protocol/state.ts';

/** Why size is not sent for a model; undefined when it is. */
export function withoutSize({ family, name }: StudioModel): string | undefined {
  return family === 'native' ? l10n.t('Not sent: the service does not apply it to {0}.', name) : undefined;
}
