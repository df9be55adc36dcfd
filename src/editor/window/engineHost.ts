// Room: the services of one window: settings, keys, engine, folders.
// Never: words for tasks.

import * as vscode from 'vscode';
import type { Engine, EngineModule } from '../../engine.ts';
import type { Notice, Publisher } from '../../tasks/ports.ts';
import type { KeyStore } from './keyStore.ts';
import { contextKeys } from '../names.ts';
import type { Settings } from './settings.ts';
import { reaches } from './reaches.ts';

const plainHttpOriginsKey = 'plainHttpOrigins';

/** Loads the engine's bundle when it is first needed and keeps the one engine of this window. */
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

  /** Fires once the engine is open. */
  readonly onDidOpen = this.#opened.event;

  /**
   * @param load imports the bundle; called when it is first needed
   * @param loadPublisher imports what writes into folders that are not on disk
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

  /** Folder on disk for Limner's own files. */
  get home(): vscode.Uri {
    return this.#context.globalStorageUri;
  }

  /** Returns the open engine; after a failure the next call tries again. */
  async get(): Promise<Engine> {
    this.#opening ??= this.#open().catch((error: unknown) => {
      this.#opening = undefined;
      throw error;
    });
    return this.#opening;
  }

  /** The engine, if it is open. */
  get opened(): Engine | undefined {
    return this.#engine;
  }

  async dispose(): Promise<void> {
    const engine = await this.#opening;
    await engine?.dispose();
    this.#opened.dispose();
  }

  /** Origins that the person allowed to be called over plain http. */
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
      // Answered by the window, which may be gone while this process stays.
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
        ? vscode.l10n.t(
            'The task list was created by a newer version of Limner. It is kept as {0}, including its running tasks, and a new task list was started.',
            file,
          )
        : vscode.l10n.t(
            'The task list was damaged and is kept as {0}. Tasks recovered from it: {1}.',
            file,
            tasks,
          ),
    );
  }
}
