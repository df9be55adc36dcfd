import { t } from '@vscode/l10n';
import type { StudioImage, StudioTaskAction } from '../../../src/studio/state.ts';
import type { ResultAction } from './resultActions.ts';

/** The words of an action, and its codicon. */
export interface ActionText {
  label: string;
  icon: string;
}

/** What can be done with a picture, in words. */
export function resultActionText(action: ResultAction, { starred }: StudioImage): ActionText {
  switch (action) {
    case 'star':
      return starred
        ? { label: t('Remove Star'), icon: 'star-full' }
        : { label: t('Star'), icon: 'star-empty' };
    case 'useAsInput':
      return { label: t('Use as Input'), icon: 'arrow-left' };
    case 'keepOnly':
      return { label: t('Keep Only This'), icon: 'check' };
    case 'discard':
      return { label: t('Discard'), icon: 'trash' };
    case 'fitToSize':
      return { label: t('Fit to Asked Size'), icon: 'screen-normal' };
    case 'saveAs':
      return { label: t('Save As…'), icon: 'save-as' };
    case 'replaceOriginal':
      return { label: t('Replace Original'), icon: 'replace' };
    case 'variations':
      return { label: t('Variations'), icon: 'sparkle' };
    case 'runAgain':
      return { label: t('Run Again'), icon: 'refresh' };
    case 'open':
      return { label: t('Open Image'), icon: 'go-to-file' };
    case 'copyImage':
      return { label: t('Copy Image'), icon: 'file-media' };
    case 'copyPrompt':
      return { label: t('Copy Prompt'), icon: 'copy' };
    case 'saveAnswer':
      return { label: t("Save the Service's Own Answer"), icon: 'desktop-download' };
  }
}

/** What can be done with a task, in words. */
export function taskActionText(action: StudioTaskAction): ActionText {
  switch (action) {
    case 'stop':
      return { label: t('Stop Watching'), icon: 'debug-stop' };
    case 'resume':
      return { label: t('Resume'), icon: 'debug-start' };
    case 'runAgain':
      return { label: t('Run Again'), icon: 'refresh' };
    case 'runSynchronously':
      return { label: t('Run Synchronously'), icon: 'play' };
    case 'saveAgain':
      return { label: t('Save Again…'), icon: 'save-as' };
    case 'remove':
      return { label: t('Remove from List'), icon: 'close' };
  }
}
