import * as v from 'valibot';
import * as vscode from 'vscode';
import { fits, type FitSetting, sizeOrNone } from '../../common/askedSize.ts';
import { type CallStyleSetting, callStyleSettings } from '../../common/callStyle.ts';
import { contextKeys, personalSettings, restrictedSettings, settingNames } from '../names.ts';
import type { EngineSettings } from '../../tasks/ports.ts';

/** The name of a setting after `limner.`. */
type Key = keyof typeof settingNames;

const afterSave = v.picklist(['open', 'reveal', 'nothing']);
const size = v.pipe(v.string(), v.regex(sizeOrNone));
const fill = v.pipe(v.string(), v.regex(/^(?:transparent|edge|#[\da-f]{6})$/i));

const severity = v.picklist(['off', 'hint', 'information', 'warning', 'error']);

const timeout = v.pipe(v.number(), v.minValue(30), v.maxValue(3600));
const days = v.pipe(v.number(), v.minValue(0));
const percentage = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(100));
const atLeastOne = v.pipe(v.number(), v.integer(), v.minValue(1));

/** A value that is not used, why, and what is used instead. */
export interface IgnoredValue {
  why: string;
  value: unknown;
  used: unknown;
}

/**
 * Typed access to `limner.*`. A value of the wrong type counts as not set, which is logged once. To be created before
 * anything that reads settings when they change: listeners are called in the order in which they came.
 */
export class Settings implements vscode.Disposable {
  readonly #log: vscode.LogOutputChannel;
  /** What is not used of the settings as they were last read, by name. */
  readonly ignored = new Map<string, IgnoredValue>();
  /** What was read for no resource, until something changes: rows and polls ask often, and VS Code merges each time. */
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

  /** URL of the service, trimmed; empty when none is set. */
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

  /** The values for a run that does not specify its own. */
  get forNewImages(): { size: string; quality: string; n: number } {
    return {
      size: this.#get('size', size),
      quality: this.#get('quality', v.string()),
      n: this.#get('count', atLeastOne),
    };
  }

  /** What becomes of images before they are saved, for a run that does not specify its own. */
  finishing(resource?: vscode.Uri): {
    fit: FitSetting;
    fill: string;
    fileQuality: number;
    embedPrompt: boolean;
  } {
    return {
      fit: this.#get('fit', v.picklist(fits), resource),
      fill: this.#get('fill', fill, resource),
      fileQuality: this.#get('fileQuality', percentage, resource),
      embedPrompt: this.#get('embedPrompt', v.boolean(), resource),
    };
  }

  /** Runs that make more images than this ask first. */
  get confirmAbove(): number {
    return this.#get('confirmAbove', atLeastOne);
  }

  get afterSave(): v.InferOutput<typeof afterSave> {
    return this.#get('afterSave', afterSave);
  }

  folder(resource?: vscode.Uri): string {
    return this.#get('folder', v.string(), resource);
  }

  fileName(resource?: vscode.Uri): string {
    return this.#get('fileName', v.string(), resource);
  }

  /** How missing images are told; undefined where they are not. */
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

  /** Whether a line above each missing image offers to make it. */
  codeLens(resource: vscode.Uri): boolean {
    return this.#get('codeLens', v.boolean(), resource);
  }

  /** Returns the settings of the engine; `plainHttpOrigins` are stored by the editor, not in a setting. */
  engine(plainHttpOrigins: readonly string[]): EngineSettings {
    return {
      maxConcurrentTasks: this.#get('maxConcurrentTasks', atLeastOne),
      requestTimeout: this.#get('requestTimeout', timeout) * 1000,
      historyLimit: this.#get('historyLimit', atLeastOne),
      historyAge: (this.#get('historyDays', days) || Infinity) * 86_400_000,
      resultHosts: this.#get<readonly string[]>('resultHosts', v.array(v.string())),
      plainHttpOrigins,
      budget: this.#get('budget', v.unknown()),
    };
  }

  /** Writes a user setting. */
  async update(name: string, value: unknown): Promise<void> {
    await vscode.workspace.getConfiguration().update(name, value, vscode.ConfigurationTarget.Global);
  }

  dispose(): void {
    this.#subscription.dispose();
  }

  #get<T>(key: Key, schema: v.GenericSchema<unknown, T>, resource?: vscode.Uri): T {
    const name = settingNames[key];
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

/** VS Code copies all that it is asked for: this section, rather than every setting of every extension. */
const section = 'limner';

/**
 * Reads the effective value. Workspace values of settings that are out of their reach are ignored, even if VS Code
 * passed them on.
 */
function read(key: Key, resource: vscode.Uri | undefined): unknown {
  const configuration = vscode.workspace.getConfiguration(section, resource);
  const isTheirs = restrictedSettings.has(key) ? vscode.workspace.isTrusted : !personalSettings.has(key);
  if (isTheirs) {
    return configuration.get(key);
  }
  const values = configuration.inspect(key);
  return values?.globalValue ?? values?.defaultValue;
}

/** Replaces the welcome view by the task list while a service URL is set. */
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
