import type { StudioImage, StudioTask } from '../../protocol/state.ts';

/** All actions on an image, the most likely first. */
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

/** Returns the actions that an image offers in its current state. */
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
