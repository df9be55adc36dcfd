import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { readJson } from './readJson.ts';

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

  constructor(userDataFolder: string, values: Readonly<Record<string, unknown>>) {
    const folder = join(userDataFolder, 'User');
    mkdirSync(folder, { recursive: true });
    this.#file = join(folder, 'settings.json');
    this.#write({ ...defaults, ...values });
  }

  /** All settings, those that the editor wrote among them. */
  async all(): Promise<Record<string, unknown>> {
    return readJson(this.#file, v.record(v.string(), v.unknown()));
  }

  /** `undefined` takes a setting back to its default. */
  async set(name: string, value: unknown): Promise<void> {
    this.#write({ ...(await this.all()), [name]: value });
  }

  #write(values: Readonly<Record<string, unknown>>): void {
    writeFileSync(this.#file, JSON.stringify(values, undefined, 2));
  }
}
