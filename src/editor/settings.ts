import * as vscode from 'vscode';
import { settingNames } from './names.ts';
import type { EngineSettings } from '../tasks/ports.ts';

export type CallStyleSetting = 'auto' | 'async' | 'sync' | 'native' | 'nativeStream';
export type AfterSave = 'open' | 'reveal' | 'nothing';

/** Typed reading of `limner.*`; values are read anew each time, so there is nothing to keep in step. */
export class Settings {
  /** Address of the service, trimmed; empty when none is set. */
  get baseUrl(): string {
    return this.#get(settingNames.baseUrl, '').trim();
  }

  /** The raw value of `limner.models`, for the engine to parse. */
  get models(): unknown {
    return this.#get<unknown>(settingNames.models, []);
  }

  get model(): string {
    return this.#get(settingNames.model, '');
  }

  get callStyle(): CallStyleSetting {
    return this.#get<CallStyleSetting>(settingNames.callStyle, 'auto');
  }

  get size(): string {
    return this.#get(settingNames.size, '');
  }

  get quality(): string {
    return this.#get(settingNames.quality, '');
  }

  get count(): number {
    return this.#get(settingNames.count, 1);
  }

  get afterSave(): AfterSave {
    return this.#get<AfterSave>(settingNames.afterSave, 'open');
  }

  folder(resource: vscode.Uri): string {
    return this.#get(settingNames.folder, 'images', resource);
  }

  fileName(resource: vscode.Uri): string {
    return this.#get(settingNames.fileName, '{prompt}', resource);
  }

  /** What the engine reads; `plainHttpOrigins` are kept by the editor, not by a setting. */
  engine(plainHttpOrigins: readonly string[]): EngineSettings {
    return {
      maxConcurrentTasks: this.#get(settingNames.maxConcurrentTasks, 4),
      requestTimeout: this.#get(settingNames.requestTimeout, 900) * 1000,
      historyLimit: this.#get(settingNames.historyLimit, 5000),
      resultHosts: this.#get<string[]>(settingNames.resultHosts, []),
      plainHttpOrigins,
    };
  }

  /** Writes a setting for the person, in their user settings. */
  async update(name: string, value: unknown): Promise<void> {
    await vscode.workspace.getConfiguration().update(name, value, vscode.ConfigurationTarget.Global);
  }

  #get<T>(name: string, fallback: T, resource?: vscode.Uri): T {
    return vscode.workspace.getConfiguration(undefined, resource).get<T>(name, fallback);
  }
}
