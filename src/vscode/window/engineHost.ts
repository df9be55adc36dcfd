import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Engine, EngineModule } from '../../engine/run/engine.ts';
import type { Notice, Publisher } from '../../engine/task/ports.ts';
import type { KeyStore } from './serviceNames.ts';
import { contextKeys } from './names.ts';
import { type Settings, reaches } from './settings.ts';

const plainHttpOriginsKey = 'plainHttpOrigins';

/** Loads the engine's bundle when it is first needed, and keeps this window's one engine. */
export class EngineHost {
  readonly #load: () => Promise<EngineModule>;
  readonly #loadPublisher: () => Promise<Publisher>;
  readonly #context: vscode.ExtensionContext;
  readonly #settings: Settings;
  readonly #keys: KeyStore;
  readonly #log: vscode.LogOutputChannel;
  readonly #opened = new vscode.EventEmitter<Engine>();
  #opening: Promise<Engine> | undefined;
  #engine: Engine | undefined;

  readonly onDidOpen = this.#opened.event;

  /**
   * @param load imports the bundle
   * @param loadPublisher imports the publisher for folders that aren't on disk
   */
  constructor(
    load: () => Promise<EngineModule>,
    loadPublisher: () => Promise<Publisher>,
    context: vscode.ExtensionContext,
    settings: Settings,
    keys: KeyStore,
    log: vscode.LogOutputChannel,
  ) {
    this.#load = load;
    this.#loadPublisher = loadPublisher;
    this.#context = context;
    this.#settings = settings;
    this.#keys = keys;
    this.#log = log;
  }

  get home(): vscode.Uri {
    return this.#context.globalStorageUri;
  }

  /** Returns the open engine. After a failure, the next call tries again. */
  async get(): Promise<Engine> {
    this.#opening ??= this.#open().catch((error: unknown) => {
      this.#opening = undefined;
      throw error;
    });
    return this.#opening;
  }

  get opened(): Engine | undefined {
    return this.#engine;
  }

  async dispose(): Promise<void> {
    const engine = await this.#opening;
    await engine?.dispose();
    this.#opened.dispose();
  }

  /** Origins that the user allowed to be called over plain HTTP. */
  get plainHttpOrigins(): readonly string[] {
    return this.#context.globalState.get<string[]>(plainHttpOriginsKey, []);
  }

  async allowPlainHttp(origin: string): Promise<void> {
    await this.#context.globalState.update(plainHttpOriginsKey, [...this.plainHttpOrigins, origin]);
  }

  async #open(): Promise<Engine> {
    const { openEngine, HttpsTransport, PollTransport } = await this.#load();
    const https = new HttpsTransport();
    const engine = await openEngine({
      home: this.home.fsPath,
      transports: { posts: https, polls: new PollTransport(), downloads: https },
      keys: this.#keys,
      settings: () => this.#settings.engine(this.plainHttpOrigins),
      log: this.#log,
      publisher: async (target) => ((await reaches(target)) ? this.#loadPublisher() : undefined),
      // The window answers this, and may be gone while this process stays.
      present: async () => vscode.commands.executeCommand('setContext', contextKeys.present, true),
      notice: (notice) => void this.#show(notice),
    });
    this.#engine = engine;
    this.#opened.fire(engine);
    return engine;
  }

  async #show({ code, file, tasks = 0 }: Notice): Promise<void> {
    await vscode.window.showWarningMessage(
      code === 'database_newer'
        ? l10n.t(
            'A newer version of Limner made the task list. It is kept as {0} with its running tasks, and a new one was started.',
            file,
          )
        : l10n.t('The task list was damaged and is kept as {0}. Tasks recovered from it: {1}.', file, tasks),
    );
  }
}
