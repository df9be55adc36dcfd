import type * as commands from './commandIds.ts';
import type * as settingNames from './settingNames.ts';

/** Names shared by package.json and the code, beside command IDs and setting names. */

export const extensionId = 'limner.limner';

export type CommandId = (typeof commands)[keyof typeof commands];

export type SettingName = Extract<(typeof settingNames)[keyof typeof settingNames], string>;

export const contextKeys = {
  /** Whether a service address is set. The welcome view then gives way to the task list. */
  configured: 'limner.configured',
  showsAllTasks: 'limner.showsAllTasks',
  hasTasks: 'limner.hasTasks',
  /** Steps of the walkthrough, set for a moment: a service was set, an image was generated, an image was edited. */
  hasService: 'limner.hasService',
  hasImage: 'limner.hasImage',
  hasEdit: 'limner.hasEdit',
  /** Whether VS Code has a language model. Determined only once Limner is used. */
  hasLanguageModel: 'limner.hasLanguageModel',
  /** Files that are edits, and those that replaced their originals. */
  edits: 'limner.edits',
  replacingEdits: 'limner.replacingEdits',
  replacedOriginals: 'limner.replacedOriginals',
  /** Set repeatedly to test whether the window responds; nothing reads it. */
  present: 'limner.present',
} as const;

export const views = {
  container: 'limner',
  tasks: 'limner.tasks',
} as const;

export const studioViewType = 'limner.studio';

/** Of a page with two images. */
export const compareViewType = 'limner.compare';

/** Commands for Limner's own rows and items, in no menu and not in the Command Palette. */
export const internalCommands = {
  showRunningTasks: 'limner.own.showRunningTasks',
  showMoreTasks: 'limner.own.showMoreTasks',
  explainTask: 'limner.own.explainTask',
  generateFirst: 'limner.own.generateFirst',
} as const;

/** First words of `viewItem` in menus. A task's status and available actions follow. */
export const taskContext = {
  task: 'limner.task',
  batch: 'limner.batch',
  image: 'limner.image image',
  editedImage: 'limner.image image edited',
  replacingImage: 'limner.image image edited restore',
  goneImage: 'limner.goneImage gone',
} as const;
