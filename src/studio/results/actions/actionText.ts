import * as l10n from '@vscode/l10n';
import type { StudioImage, StudioTaskAction } from '../../protocol/state.ts';
import type { ResultAction } from './resultActions.ts';

/** The label of an action, and its codicon. */
export interface ActionText {
  label: string;
  icon: string;
}

/** Returns the label and icon of an action on an image. */
export function resultActionText(action: ResultAction, { starred }: StudioImage): ActionText {
  switch (action) {
    case 'star':
      return starred
        ? { label: l10n.t('Remove Star'), icon: 'star-full' }
        : { label: l10n.t('Star'), icon: 'star-empty' };
    case 'useAsInput':
      return { label: l10n.t('Use as Input'), icon: 'arrow-left' };
    case 'keepOnly':
      return { label: l10n.t('Keep Only This'), icon: 'check' };
    case 'discard':
      return { label: l10n.t('Discard'), icon: 'trash' };
    case 'fitToSize':
      return { label: l10n.t('Fit to Requested Size'), icon: 'screen-normal' };
    case 'saveAs':
      return { label: l10n.t('Save As…'), icon: 'save-as' };
    case 'replaceOriginal':
      return { label: l10n.t('Replace Original'), icon: 'replace' };
    case 'variations':
      return { label: l10n.t('Variations'), icon: 'sparkle' };
    case 'runAgain':
      return { label: l10n.t('Run Again'), icon: 'refresh' };
    case 'open':
      return { label: l10n.t('Open Image'), icon: 'go-to-file' };
    case 'copyImage':
      return { label: l10n.t('Copy Image'), icon: 'file-media' };
    case 'copyPrompt':
      return { label: l10n.t('Copy Prompt'), icon: 'copy' };
    case 'saveAnswer':
      return { label: l10n.t('Save Result as Received'), icon: 'desktop-download' };
  }
}

/** Returns the label and icon of an action on a task. */
export function taskActionText(action: StudioTaskAction): ActionText {
  switch (action) {
    case 'stop':
      return { label: l10n.t('Stop Watching'), icon: 'debug-stop' };
    case 'resume':
      return { label: l10n.t('Resume'), icon: 'debug-start' };
    case 'runAgain':
      return { label: l10n.t('Run Again'), icon: 'refresh' };
    case 'runSynchronously':
      return { label: l10n.t('Run Synchronously'), icon: 'play' };
    case 'saveAgain':
      return { label: l10n.t('Save Again…'), icon: 'save-as' };
    case 'remove':
      return { label: l10n.t('Remove from List'), icon: 'close' };
  }
}
