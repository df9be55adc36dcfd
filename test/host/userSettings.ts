import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Quiet, and the same on every machine. */
const defaults: Readonly<Record<string, unknown>> = {
  'chat.disableAIFeatures': true,
  'extensions.ignoreRecommendations': true,
  'git.openRepositoryInParentFolders': 'never',
  'security.workspace.trust.enabled': false,
  'window.autoDetectColorScheme': false,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
};

/** The person's settings. A window reads them when it is opened or reloaded. */
export class UserSettings {
  readonly #file: string;
  readonly #values: Record<string, unknown>;

  constructor(userDataFolder: string, values: Readonly<Record<string, unknown>>) {
    const folder = join(userDataFolder, 'User');
    mkdirSync(folder, { recursive: true });
    this.#file = join(folder, 'settings.json');
    this.#values = { ...defaults, ...values };
    this.#write();
  }

  /** `undefined` takes a setting back to its default. */
  set(name: string, value: unknown): void {
    this.#values[name] = value;
    this.#write();
  }

  #write(): void {
    writeFileSync(this.#file, JSON.stringify(this.#values, undefined, 2));
  }
}
