import * as l10n from '@vscode/l10n';
import type { Dimensions } from '../../images/formats/dimensions.ts';
import { imageNotes } from '../../engine/messages/finishText.ts';
import type { TaskRequest, TaskResult } from '../../engine/task/task.ts';
import { sizeText } from '../../common/text.ts';

/** Returns what a user should know about the size and the making of a saved image of a task. */
export function savedRemarks({ size, finish }: TaskRequest, result: TaskResult): string[] {
  const { finished, width, height } = result;
  if (finished && 'problem' in finished) {
    return imageNotes(result);
  }
  const saved = width === undefined || height === undefined ? undefined : { width, height };
  const asked = finish?.size ? sizeText(finish.size) : size?.replace('x', ' × ');
  return [...sizeRemarks(asked, finished?.got ?? saved, saved), ...imageNotes(result)];
}

/** Tells the three sizes where one differs from another. */
function sizeRemarks(
  asked: string | undefined,
  got: Dimensions | undefined,
  saved: Dimensions | undefined,
): string[] {
  if (!got || !saved) {
    return [];
  }
  const known = [...(asked === undefined ? [] : [asked]), sizeText(got), sizeText(saved)];
  if (new Set(known).size === 1) {
    return [];
  }
  return [
    asked === undefined
      ? l10n.t('Got {0}, saved {1}.', sizeText(got), sizeText(saved))
      : l10n.t('Asked for {0}, got {1}, saved {2}.', asked, sizeText(got), sizeText(saved)),
  ];
}
