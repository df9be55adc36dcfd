import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Quiet, and the same on every machine. The Explorer does not follow the editor, since that would undo a selection by
 * clicks.
 */
const defaults: Readonly<Record<string, unknown>> = {
  'chat.disableAIFeatures': true,
  'explorer.autoReveal': false,
  'extensions.ignoreRecommendations': true,
  'git.openRepositoryInParentFolders': 'never',
  'remote.autoForwardPorts': false,
  'security.workspace.trust.enabled': false,
  'window.autoDetectColorScheme': false,
  'workbench.reduceMotion': 'on',
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
};

/** Writes the user settings, before the editor starts: a running window does not see what others write. */
export async function writeUserSettings(
  userDataFolder: string,
  values: Readonly<Record<string, unknown>>,
): Promise<void> {
  const folder = join(userDataFolder, 'User');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'settings.json'), JSON.stringify({ ...defaults, ...values }, undefined, 2));
}
