import * as l10n from '@vscode/l10n';
import type { StudioImage, StudioModel, StudioTask, StudioTaskAction } from '../protocol/state.ts';
import type { Result } from '../store/resultList.ts';

export interface ActionText {
  label: string;
  icon: string;
}

export type ResultAction = ReturnType<typeof resultActions>[number]['id'];

type OfferedAction = ActionText & { id: ResultAction };

/** Returns the actions of an image in its current state, the most likely first. */
export function actionsOf(
  task: StudioTask,
  image: StudioImage,
  models: readonly StudioModel[],
): OfferedAction[] {
  return resultActions(task, image, models).filter(({ isOffered }) => isOffered);
}

export function actionsOfAll(images: readonly Pick<Result, 'image'>[]): OfferedAction[] {
  const { length } = images;
  const star = areStarred(images)
    ? { label: l10n.t('Remove {0} Stars', length), icon: 'star-full' }
    : { label: l10n.t('Star {0} Images', length), icon: 'star-empty' };
  return [
    { id: 'star', ...star },
    ...(length === 2 ? [{ id: 'compare' as const, label: l10n.t('Compare'), icon: 'git-compare' }] : []),
    { id: 'useAsInput', label: l10n.t('Use {0} Images as Inputs', length), icon: 'arrow-left' },
    { id: 'saveAs', label: l10n.t('Save {0} Copies…', length), icon: 'save-as' },
    { id: 'discard', label: l10n.t('Delete {0} Images', length), icon: 'trash' },
  ];
}

/** Whether all images have a star, so that the action removes it. */
export function areStarred(images: readonly Pick<Result, 'image'>[]): boolean {
  return images.every(({ image }) => image.starred);
}

const mostVariations = 4;

/** Returns how many variations to make at once: as many as the model makes, up to a limit. */
export function variationCount({ model }: StudioTask, models: readonly StudioModel[]): number {
  return Math.min(models.find(({ id }) => id === model)?.maxCount ?? mostVariations, mostVariations);
}

function resultActions(task: StudioTask, image: StudioImage, models: readonly StudioModel[]) {
  const isFile = image.url !== undefined;
  const hasOthers = task.images.filter(({ url }) => url !== undefined).length > 1;
  const isEdit = isFile && task.hasOriginal;
  const { replacesOriginal = false } = image;
  const canFit = isFile && image.isOtherSize;
  const canFitOriginal = isFile && isOtherThanOriginal(task, image);
  const canRunAgain = task.actions.includes('runAgain');
  return [
    { id: 'star', ...starText(image), isOffered: isFile },
    {
      id: 'keepAnyway',
      label: l10n.t('Keep It Anyway'),
      icon: 'check',
      isOffered: isFile && image.cutoutActions?.includes('keepAnyway') === true,
    },
    {
      id: 'keepSolid',
      label: l10n.t('Keep the Inside Solid'),
      icon: 'circle-large-filled',
      isOffered: isFile && image.cutoutActions?.includes('keepSolid') === true,
    },
    { id: 'useAsInput', label: l10n.t('Use as Input'), icon: 'arrow-left', isOffered: isFile },
    {
      id: 'variations',
      label: l10n.t('Variations ({0})…', variationCount(task, models)),
      icon: 'sparkle',
      isOffered: true,
    },
    {
      id: 'tryOtherWay',
      label: l10n.t('Try the Other Way…'),
      icon: 'refresh',
      isOffered: image.cutout !== undefined,
    },
    { id: 'keepOnly', label: l10n.t('Keep Only This'), icon: 'check', isOffered: isFile && hasOthers },
    { id: 'discard', label: l10n.t('Delete Image'), icon: 'trash', isOffered: isFile },
    { id: 'saveAs', label: l10n.t('Save As…'), icon: 'save-as', isOffered: isFile },
    {
      id: 'replaceOriginal',
      label: l10n.t('Replace Original'),
      icon: 'replace',
      isOffered: isEdit && !replacesOriginal,
    },
    {
      id: 'restoreOriginal',
      label: l10n.t('Restore Original'),
      icon: 'discard',
      isOffered: replacesOriginal,
    },
    {
      id: 'fitToOriginal',
      label: l10n.t('Fit to Original'),
      icon: 'screen-normal',
      isOffered: canFitOriginal,
    },
    { id: 'fitToSize', label: l10n.t('Fit to Requested Size'), icon: 'screen-normal', isOffered: canFit },
    {
      id: 'saveOriginalOutput',
      label: l10n.t('Save Result as Received'),
      icon: 'desktop-download',
      isOffered: image.outputUrl !== undefined,
    },
    {
      id: 'compare',
      label: l10n.t('Compare'),
      icon: 'git-compare',
      isOffered: isFile && (hasOthers || task.originalUrl !== undefined),
    },
    { id: 'fitImage', label: l10n.t('Fit…'), icon: 'screen-normal', isOffered: isFile },
    { id: 'convertImage', label: l10n.t('Convert…'), icon: 'file-media', isOffered: isFile },
    { id: 'removeBackground', label: l10n.t('Remove Background…'), icon: 'sparkle', isOffered: isFile },
    { id: 'exportSet', label: l10n.t('Export Set…'), icon: 'save-as', isOffered: isFile },
    {
      id: 'repairTransparency',
      label: l10n.t('Repair Transparency…'),
      icon: 'eraser',
      isOffered: isFile && ['image/png', 'image/webp'].includes(image.mediaType ?? ''),
    },
    { id: 'open', label: l10n.t('Open Image'), icon: 'go-to-file', isOffered: isFile },
    { id: 'reveal', label: l10n.t('Reveal in Explorer'), icon: 'list-tree', isOffered: isFile },
    {
      id: 'compareWithOriginal',
      label: l10n.t('Compare with Original'),
      icon: 'diff',
      isOffered: isEdit,
    },
    { id: 'insert', label: l10n.t('Insert into Editor'), icon: 'insert', isOffered: isFile },
    { id: 'copyPath', label: l10n.t('Copy Path'), icon: 'link', isOffered: isFile },
    { id: 'copyAs', label: l10n.t('Copy As…'), icon: 'code', isOffered: isFile },
    { id: 'copyImage', label: l10n.t('Copy Image'), icon: 'file-media', isOffered: isFile },
    { id: 'copyPrompt', label: l10n.t('Copy Prompt'), icon: 'copy', isOffered: true },
    { id: 'saveAsStyle', label: l10n.t('Save as Style…'), icon: 'paintcan', isOffered: true },
    { id: 'runAgain', label: l10n.t('Run Again'), icon: 'refresh', isOffered: canRunAgain },
  ] as const;
}

function isOtherThanOriginal({ size, originalSize }: StudioTask, { width, height }: StudioImage): boolean {
  return (
    originalSize !== undefined &&
    width !== undefined &&
    height !== undefined &&
    (width !== originalSize.width || height !== originalSize.height) &&
    // Otherwise *Fit to Requested Size* does the same.
    size !== `${originalSize.width}x${originalSize.height}`
  );
}

/** Returns the action of a key that is pressed on an image, even with Caps Lock on. */
export function actionOfKey({
  key,
  ctrlKey,
  metaKey,
  altKey,
  shiftKey,
}: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>):
  Extract<ResultAction, 'star' | 'discard'> | undefined {
  if (ctrlKey || metaKey || altKey || shiftKey) {
    return undefined;
  }
  switch (key.toLowerCase()) {
    case 'delete':
    case 'x':
      return 'discard';
    case 'p':
      return 'star';
    default:
      return undefined;
  }
}

/** Returns the key of an action on an image, as shown in menus. */
export function keyOf(action: ResultAction): string | undefined {
  switch (action) {
    case 'star':
      return 'P';
    case 'discard':
      return 'X';
    default:
      return undefined;
  }
}

export function starText({ starred }: StudioImage): ActionText {
  return starred
    ? { label: l10n.t('Remove Star'), icon: 'star-full' }
    : { label: l10n.t({ message: 'Star', comment: ['Verb'] }), icon: 'star-empty' };
}

export function taskActionText(action: StudioTaskAction): ActionText {
  const texts: Record<StudioTaskAction, ActionText> = {
    stop: { label: l10n.t('Stop Waiting'), icon: 'debug-stop' },
    cancel: { label: l10n.t('Cancel'), icon: 'debug-stop' },
    tryNow: { label: l10n.t('Try Now'), icon: 'debug-rerun' },
    resume: { label: l10n.t('Resume'), icon: 'debug-start' },
    runAgain: { label: l10n.t('Run Again'), icon: 'refresh' },
    runSynchronously: { label: l10n.t('Run Synchronously'), icon: 'play' },
    saveAgain: { label: l10n.t('Save Again…'), icon: 'save-as' },
    fetchAgain: { label: l10n.t('Fetch Again'), icon: 'cloud-download' },
    finishAgain: { label: l10n.t('Try Again to Finish'), icon: 'debug-rerun' },
    remove: { label: l10n.t('Remove from List'), icon: 'close' },
  };
  return texts[action];
}
