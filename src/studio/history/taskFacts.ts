import * as l10n from '@vscode/l10n';
import type { StudioTask } from '../protocol/state.ts';

/** What tells one task from another with the same prompt: when, how it ended, by what, how many. */
export function factsOf({ createdAt, statusText, model, kind, images }: StudioTask): string[] {
  const count = images.filter(({ url }) => url !== undefined).length;
  return [
    new Date(createdAt).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' }),
    statusText,
    ...(kind === 'edit' ? [l10n.t('Edit')] : []),
    model,
    ...(count > 1 ? [l10n.t('{0} images', count)] : []),
  ];
}
