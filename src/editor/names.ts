// Room: the names that package.json contributes, and what can be done with a task.
// Never: `vscode`.

import type * as commands from './commandIds.ts';

/** Every name that package.json contributes and the code uses; a test compares the two. */

export const extensionId = 'limner.limner';

export type CommandId = (typeof commands)[keyof typeof commands];

export const settingNames = {
  baseUrl: 'limner.baseUrl',
  models: 'limner.models',
  model: 'limner.model',
  callStyle: 'limner.callStyle',
  size: 'limner.size',
  quality: 'limner.quality',
  count: 'limner.count',
  folder: 'limner.folder',
  fileName: 'limner.fileName',
  fit: 'limner.fit',
  fill: 'limner.fill',
  fileQuality: 'limner.fileQuality',
  embedPrompt: 'limner.embedPrompt',
  afterSave: 'limner.afterSave',
  requestTimeout: 'limner.requestTimeout',
  maxConcurrentTasks: 'limner.maxConcurrentTasks',
  confirmAbove: 'limner.confirmAbove',
  budget: 'limner.budget',
  historyLimit: 'limner.historyLimit',
  historyDays: 'limner.historyDays',
  resultHosts: 'limner.resultHosts',
  missingImages: 'limner.missingImages',
  codeLens: 'limner.codeLens',
} as const;

/**
 * Settings of the person alone, which no workspace changes: where the key goes, where results may come from, what
 * asks first. In package.json their scope is "application".
 */
export const personalSettings: ReadonlySet<keyof typeof settingNames> = new Set([
  'baseUrl',
  'models',
  'confirmAbove',
  'budget',
  'historyLimit',
  'historyDays',
  'resultHosts',
]);

/**
 * Settings that a workspace changes only once it is trusted, because they say what is paid for, how long it is waited for,
 * what becomes of it, and where it goes; package.json lists them as restricted.
 */
export const restrictedSettings: ReadonlySet<keyof typeof settingNames> = new Set([
  'folder',
  'fileName',
  'model',
  'callStyle',
  'size',
  'quality',
  'count',
  'requestTimeout',
  'maxConcurrentTasks',
  'fit',
  'fill',
  'fileQuality',
  'embedPrompt',
]);

export const contextKeys = {
  /** A service address is set: the welcome view gives way to the task list. */
  configured: 'limner.configured',
  /** The task list shows the tasks of all workspaces. */
  showsAllTasks: 'limner.showsAllTasks',
  /** There are tasks, of whichever workspace. */
  hasTasks: 'limner.hasTasks',
  /** A service was set, an image was generated, an image was edited: steps of the walkthrough, set for a moment. */
  hasService: 'limner.hasService',
  hasImage: 'limner.hasImage',
  hasEdit: 'limner.hasEdit',
  /** VS Code has a language model; only asked for once Limner is used. */
  hasLanguageModel: 'limner.hasLanguageModel',
  /** Files that are edits, and those of them that are in their originals' places. */
  edits: 'limner.edits',
  replacingEdits: 'limner.replacingEdits',
  replacedOriginals: 'limner.replacedOriginals',
  /** Set repeatedly to see whether the window still responds; nothing reads it. */
  present: 'limner.present',
} as const;

export const views = {
  container: 'limner',
  tasks: 'limner.tasks',
} as const;

export const studioViewType = 'limner.studio';

/** Commands that only Limner's own rows and items run: they are in no menu and not in the Command Palette. */
export const internalCommands = {
  showRunningTasks: 'limner.internal.showRunningTasks',
  showMoreTasks: 'limner.internal.showMoreTasks',
  explainTask: 'limner.internal.explainTask',
  generateFirst: 'limner.internal.generateFirst',
} as const;

/** First words of `viewItem` in menus; a task's is followed by its status and by the actions that are available. */
export const taskContext = {
  task: 'limner.task',
  batch: 'limner.batch',
  image: 'limner.image image',
  editedImage: 'limner.image image edited',
  /** It is in its original's place. */
  replacingImage: 'limner.image image edited restore',
  goneImage: 'limner.goneImage',
  goneReplacingImage: 'limner.goneImage restore',
} as const;
