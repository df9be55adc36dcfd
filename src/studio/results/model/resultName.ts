import * as l10n from '@vscode/l10n';
import type { Result } from './resultList.ts';

/** A picture's name in a sentence: which one of which prompt. */
export function resultName({ task, image }: Pick<Result, 'task' | 'image'>): string {
  return task.count > 1
    ? l10n.t('Image {0} of “{1}”', image.index + 1, task.prompt)
    : l10n.t('Image of “{0}”', task.prompt);
}
