import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { SaveTarget, TaskRequest } from '../../engine/task/task.ts';
import type { ModelEntry } from '../../service/terms/modelOptions.ts';
import { isSame } from '../window/files.ts';
import type { InputImage } from './inputImages.ts';

/** The texts and buttons of the box that asks for a prompt. */
export interface QuestionTexts {
  kind: TaskRequest['kind'];
  title: string;
  /** Tells what to write in the prompt. */
  promptText: string;
  placeholder: string;
  /** Only these, where the rest isn't the user's to choose: the image has its place. */
  buttons?: readonly PromptButton[];
  edited?: readonly InputImage[];
}

/** Changes one part of a run, or continues in the studio. */
export type PromptButton = keyof typeof buttonFaces;

const buttonFaces: Record<
  'improve' | 'model' | 'size' | 'count' | 'style' | 'folder' | 'studio',
  { icon: string; tooltip: (style: string) => string }
> = {
  improve: { icon: 'sparkle', tooltip: () => l10n.t('Improve Prompt') },
  model: { icon: 'symbol-misc', tooltip: () => l10n.t('Change Model…') },
  size: { icon: 'screen-full', tooltip: () => l10n.t('Change Size…') },
  count: { icon: 'layers', tooltip: () => l10n.t('Change Number of Images…') },
  style: {
    icon: 'paintcan',
    tooltip: (style) => (style === '' ? l10n.t('Choose Style…') : l10n.t('Style: {0}', style)),
  },
  folder: { icon: 'folder', tooltip: () => l10n.t('Change Folder…') },
  studio: { icon: 'symbol-color', tooltip: () => l10n.t('Open in Studio') },
};

export function generateTexts(): QuestionTexts {
  return {
    kind: 'generate',
    title: l10n.t('Generate Image'),
    promptText: l10n.t('Describe the image'),
    placeholder: l10n.t('A red fox in the snow, watercolor'),
  };
}

/** Returns the texts for the background of a social card, where they aren't those of a new image. */
export function cardTexts(page: string): Partial<QuestionTexts> {
  return {
    title: l10n.t('Background of the Social Card of {0}', page),
    promptText: l10n.t('Describe the background. Limner puts title and site name on it'),
    placeholder: l10n.t('Soft hills in the morning, no text, no letters'),
    buttons: ['improve', 'model', 'style', 'folder'],
  };
}

export function editTexts(images: readonly InputImage[]): QuestionTexts {
  const [only] = images.length === 1 ? images : [];
  return {
    kind: 'edit',
    title: only ? l10n.t('Edit {0}', only.name) : l10n.t('Edit {0} Images', images.length),
    promptText: l10n.t('Describe the change'),
    placeholder: l10n.t('Make it night, with a full moon'),
    edited: images,
  };
}

/**
 * Returns the buttons for what can be changed: first the prompt, then the parts of a run, of an edit without the size.
 *
 * @param style name of the chosen one, empty for none; undefined where there are no styles
 */
export function buttonsFor(
  { kind, buttons = ['improve', 'model', 'size', 'count', 'style', 'folder', 'studio'] }: QuestionTexts,
  { family }: ModelEntry,
  style: string | undefined,
): Map<vscode.QuickInputButton, PromptButton> {
  const takesSize = kind === 'generate' && family === 'image';
  const shown = buttons.filter((button) =>
    button === 'size' ? takesSize : button !== 'style' || style !== undefined,
  );
  return new Map(
    shown.map((button) => {
      const { icon, tooltip } = buttonFaces[button];
      return [{ iconPath: new vscode.ThemeIcon(icon), tooltip: tooltip(style ?? '') }, button];
    }),
  );
}

/** Returns the text below the box, which also says what the model doesn't support. */
export function textBelow({ family }: ModelEntry, { kind, promptText }: QuestionTexts): string {
  return family === 'native' && kind === 'generate'
    ? `${promptText}. ${l10n.t("This model doesn't support size and quality.")}`
    : promptText;
}

/** Returns the name of the folder of a target, as the window shows it. */
export function folderName({ folder }: SaveTarget): string {
  const uri = vscode.Uri.parse(folder, true);
  const root = vscode.workspace.getWorkspaceFolder(uri);
  return `${root && isSame(root.uri, uri) ? root.name : vscode.workspace.asRelativePath(uri, false).replace(/\/$/, '')}/`;
}
