import * as vscode from 'vscode';
import { isSameFile } from '../../common/fileUris.ts';
import type { SaveTarget } from '../../engine/task/task.ts';
import { isGone } from '../../common/fileErrors.ts';
import * as v from 'valibot';
import {
  fits,
  type FitSetting,
  sizeOrNone,
  type CallStyleSetting,
  callStyleSettings,
} from '../../common/requestValues.ts';
import { contextKeys, type SettingName } from './names.ts';
import * as settingNames from './settingNames.ts';
import type { EngineSettings } from '../../engine/task/ports.ts';

/**
 * Whether this window can publish there: in a folder of its workspace or a folder named explicitly. The call activates
 * the extension that provides the file system.
 */
export async function reaches({ folder, root }: SaveTarget): Promise<boolean> {
  const isNamed = isSameFile(folder, root);
  const uri = vscode.Uri.parse(root, true);
  if (!isNamed && !vscode.workspace.getWorkspaceFolder(vscode.Uri.parse(folder, true))) {
    return false;
  }
  const { fs } = vscode.workspace;
  const isThere = await fs.stat(uri).then(
    () => true,
    // A folder that was named explicitly may be created.
    (error: unknown) => isNamed && isGone(error),
  );
  return isThere && fs.isWritableFileSystem(uri.scheme) === true;
}

type Key = KeyOf<SettingName>;
type KeyOf<Name> = Name extends `${typeof section}.${infer Rest}` ? Rest : never;

const afterSave = v.picklist(['open', 'reveal', 'nothing']);
const size = v.pipe(v.string(), v.regex(sizeOrNone));
const fill = v.pipe(v.string(), v.regex(/^(?:transparent|edge|#[\da-f]{6})$/i));

const severity = v.picklist(['off', 'hint', 'information', 'warning', 'error']);

const timeout = v.pipe(v.number(), v.minValue(30), v.maxValue(3600));
const days = v.pipe(v.number(), v.minValue(0));
const atLeastOne = v.pipe(v.number(), v.integer(), v.minValue(1));
const upTo = (most: number) => v.pipe(atLeastOne, v.maxValue(most));

/** Invalid value, the reason, and the value used instead. */
export interface IgnoredValue {
  why: string;
  value: unknown;
  used: unknown;
}

/**
 * Typed access to `limner.*`. A value of the wrong type counts as not set, which is logged once. Create it before
 * anything that reads settings on changes: listeners run in the order of their registration.
 */
export class Settings implements vscode.Disposable {
  readonly #log: vscode.LogOutputChannel;
  /** Invalid values of the settings as last read, by name. */
  readonly ignored = new Map<string, IgnoredValue>();
  /** Cache of values for no resource: rows and polls read often, and VS Code merges each time. */
  readonly #known = new Map<Key, unknown>();
  readonly #subscription: vscode.Disposable;

  constructor(log: vscode.LogOutputChannel) {
    this.#log = log;
    const forget = (): void => this.#known.clear();
    this.#subscription = vscode.Disposable.from(
      vscode.workspace.onDidChangeConfiguration(forget),
      vscode.workspace.onDidGrantWorkspaceTrust(forget),
    );
  }

  /** Trimmed URL of the service; empty if none is set. */
  get baseUrl(): string {
    return this.#get('baseUrl', v.string()).trim();
  }

  get models(): readonly unknown[] {
    return this.#get<readonly unknown[]>('models', v.array(v.unknown()));
  }

  get model(): string {
    return this.#get('model', v.string());
  }

  get callStyle(): CallStyleSetting {
    return this.#get('callStyle', v.picklist(callStyleSettings));
  }

  get forNewImages(): { size: string; quality: string; n: number } {
    return {
      size: this.#get('size', size),
      quality: this.#get('quality', v.string()),
      n: this.#get('count', upTo(100)),
    };
  }

  finishing(resource?: vscode.Uri): {
    fit: FitSetting;
    fill: string;
    fileQuality: number;
    embedPrompt: boolean;
  } {
    return {
      fit: this.#get('fit', v.picklist(fits), resource),
      fill: this.#get('fill', fill, resource),
      fileQuality: this.#get('fileQuality', upTo(100), resource),
      embedPrompt: this.#get('embedPrompt', v.boolean(), resource),
    };
  }

  get confirmAbove(): number {
    return this.#get('confirmAbove', atLeastOne);
  }

  get afterSave(): v.InferOutput<typeof afterSave> {
    return this.#get('afterSave', afterSave);
  }

  style(resource?: vscode.Uri): string {
    return this.#get('style', v.string(), resource);
  }

  folder(resource?: vscode.Uri): string {
    return this.#get('folder', v.string(), resource);
  }

  fileName(resource?: vscode.Uri): string {
    return this.#get('fileName', v.string(), resource);
  }

  /** Severity of missing images; undefined if they aren't shown. */
  missingImages(resource: vscode.Uri): vscode.DiagnosticSeverity | undefined {
    switch (this.#get('missingImages', severity, resource)) {
      case 'off':
        return undefined;
      case 'hint':
        return vscode.DiagnosticSeverity.Hint;
      case 'information':
        return vscode.DiagnosticSeverity.Information;
      case 'warning':
        return vscode.DiagnosticSeverity.Warning;
      case 'error':
        return vscode.DiagnosticSeverity.Error;
    }
  }

  codeLens(resource: vscode.Uri): boolean {
    return this.#get('codeLens', v.boolean(), resource);
  }

  /** Returns the settings of the engine. `plainHttpOrigins` come from the editor's storage, not from a setting. */
  engine(plainHttpOrigins: readonly string[]): EngineSettings {
    return {
      maxConcurrentTasks: this.#get('maxConcurrentTasks', upTo(32)),
      requestTimeout: this.#get('requestTimeout', timeout) * 1000,
      historyLimit: this.#get('historyLimit', atLeastOne),
      historyAge: (this.#get('historyDays', days) || Infinity) * 86_400_000,
      resultHosts: this.#get<readonly string[]>('resultHosts', v.array(v.string())),
      plainHttpOrigins,
      budget: this.#get('budget', v.unknown()),
    };
  }

  async update(name: string, value: unknown): Promise<void> {
    await vscode.workspace.getConfiguration().update(name, value, vscode.ConfigurationTarget.Global);
  }

  dispose(): void {
    this.#subscription.dispose();
  }

  #get<T>(key: Key, schema: v.GenericSchema<unknown, T>, resource?: vscode.Uri): T {
    const name = `${section}.${key}`;
    const value = this.#read(key, resource);
    const parsed = v.safeParse(schema, value);
    if (parsed.success) {
      this.ignored.delete(name);
      return parsed.output;
    }
    const why = `Ignoring the setting "${name}": ${parsed.issues[0].message}`;
    if (this.ignored.get(name)?.why !== why) {
      this.#log.warn(why);
    }
    const used = v.parse(schema, vscode.workspace.getConfiguration(section).inspect(key)?.defaultValue);
    this.ignored.set(name, { why, value, used });
    return used;
  }

  #read(key: Key, resource: vscode.Uri | undefined): unknown {
    if (resource) {
      return read(key, resource);
    }
    if (!this.#known.has(key)) {
      this.#known.set(key, read(key, undefined));
    }
    return this.#known.get(key);
  }
}

/** VS Code copies the whole section: this one rather than those of all extensions. */
const section = 'limner';

/**
 * Reads the effective value. Ignores workspace values of settings that a workspace can't change, even if VS Code
 * returns them.
 */
function read(key: Key, resource: vscode.Uri | undefined): unknown {
  const configuration = vscode.workspace.getConfiguration(section, resource);
  const isTheirs =
    !settingNames.personal.has(key) && (settingNames.untrusted.has(key) || vscode.workspace.isTrusted);
  if (isTheirs) {
    return configuration.get(key);
  }
  const values = configuration.inspect(key);
  return values?.globalValue ?? values?.defaultValue;
}

/** Replaces the welcome view with the task list while a service URL is set. */
export function showWhetherConfigured(settings: Settings): vscode.Disposable {
  const show = (): void => {
    void vscode.commands.executeCommand('setContext', contextKeys.configured, settings.baseUrl !== '');
  };
  show();
  return vscode.workspace.onDidChangeConfiguration((event) => {
    if (event.affectsConfiguration(settingNames.baseUrl)) {
      show();
    }
  });
}
