import { t } from '@vscode/l10n';
import type { Result } from './resultList.ts';

/** A picture's name in a sentence: which one of which prompt. */
export function resultName({ task, image }: Pick<Result, 'task' | 'image'>): string {
  return task.count > 1
    ? t('Image {0} of “{1}”', image.index + 1, task.prompt)
    : t('Image of “{0}”', task.prompt);
}
