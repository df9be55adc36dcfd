import type { StudioImage, StudioTask } from '../../protocol/state.ts';

/** What a person can do with a picture, the most likely first. */
const resultActions = [
  'star',
  'useAsInput',
  'variations',
  'keepOnly',
  'discard',
  'saveAs',
  'replaceOriginal',
  'fitToSize',
  'saveAnswer',
  'open',
  'copyImage',
  'copyPrompt',
  'runAgain',
] as const;
export type ResultAction = (typeof resultActions)[number];

/** What can be done with this picture as it stands. */
export function actionsOf(task: StudioTask, image: StudioImage): ResultAction[] {
  const isFile = image.url !== undefined;
  const possible: Record<ResultAction, boolean> = {
    star: isFile,
    useAsInput: isFile,
    keepOnly: isFile && task.images.filter(({ url }) => url !== undefined).length > 1,
    discard: isFile,
    fitToSize: isFile && image.isOtherSize,
    saveAs: isFile,
    replaceOriginal: isFile && task.hasOriginal,
    variations: true,
    runAgain: task.actions.includes('runAgain'),
    open: isFile,
    copyImage: isFile,
    copyPrompt: true,
    saveAnswer: image.answerUrl !== undefined,
  };
  return resultActions.filter((action) => possible[action]);
}
