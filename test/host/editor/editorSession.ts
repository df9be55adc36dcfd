import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { openBrowser, workbenchHost } from './browser.ts';
import { startEditor, type Editor, type EditorOptions } from './editor.ts';
import { Workbench } from '../window/workbench.ts';

/** How an editor and its windows are set up before they start. */
export interface SessionOptions extends EditorOptions {
  /** Whether a user opens the windows, in a browser of their own. */
  ownBrowser?: boolean;
}

/**
 * Settings of windows that a program drives: neither a change of focus nor a second click closes what it has opened.
 */
const steady = {
  'workbench.activityBar.iconClickBehavior': 'focus',
  'workbench.quickOpen.closeOnFocusLost': false,
};

/** Properties of a window before it opens. */
export interface WindowOptions {
  /** In CSS pixels. */
  viewport?: { width: number; height: number };
  /** The language of VS Code for extensions, such as `de`; its own texts stay English. */
  language?: string;
}

/**
 * A VS Code of its own: fresh folders, a server, and a headless browser. All of it is gone
 * after `dispose`, or when this process ends.
 */
export class EditorSession {
  readonly #editor: Editor;
  readonly #browser: BrowserContext | undefined;

  /** Starts an editor, which is fetched first if need be. */
  static async start(options: SessionOptions): Promise<EditorSession> {
    const editor = await startEditor({
      ...options,
      settings: { ...(options.ownBrowser ? {} : steady), ...options.settings },
    });
    try {
      const browser = options.ownBrowser
        ? undefined
        : await openBrowser(join(editor.path, 'browser'), editor.door.port, options.version);
      return new EditorSession(editor, browser);
    } catch (error) {
      await editor.dispose();
      throw error;
    }
  }

  private constructor(editor: Editor, browser: BrowserContext | undefined) {
    this.#editor = editor;
    this.#browser = browser;
  }

  /** Host and port. */
  get authority(): string {
    return this.#browser ? workbenchHost : `127.0.0.1:${this.#editor.door.port}`;
  }

  /** Folder of its data, among it `User/globalStorage`. */
  get userDataFolder(): string {
    return this.#editor.folders.userData;
  }

  /**
   * Returns the URL of a folder, by its path or URI, opened as workspace, of a `.code-workspace` file, or of nothing.
   */
  url(workspace?: string): string {
    if (workspace === undefined) {
      return `http://${this.authority}/?ew=true`;
    }
    const kind = workspace.endsWith('.code-workspace') ? 'workspace' : 'folder';
    return `http://${this.authority}/?${kind}=${encodeURIComponent(workspace)}`;
  }

  /** Opens a window on a folder, a `.code-workspace` file or nothing and waits until extensions have made their contributions. */
  async open(workspace?: string, options: WindowOptions = {}): Promise<Workbench> {
    const page = await this.newPage();
    await page.setViewportSize(options.viewport ?? { width: 1280, height: 800 });
    if (options.language !== undefined) {
      await page.addInitScript((language) => {
        Object.defineProperty(globalThis, '_VSCODE_NLS_LANGUAGE', { value: language });
      }, options.language);
    }
    await page.goto(this.url(workspace));
    const workbench = new Workbench(page);
    await workbench.whenReady();
    return workbench;
  }

  /** Opens an empty page in the browser that all windows of this session share, with their secrets. */
  async newPage(): Promise<Page> {
    if (!this.#browser) {
      throw new Error('The windows of this session are opened by a person.');
    }
    return this.#browser.newPage();
  }

  /** Kills the process in which the extensions of the one open window run, without a warning. */
  killExtensionHost(): void {
    const killed = this.#editor.server.killExtensionHosts();
    if (killed !== 1) {
      throw new Error(`${killed} extension hosts were killed.`);
    }
  }

  /**
   * Returns the log of an output channel of an extension, from all windows so far.
   *
   * @param extensionId `publisher.name`
   * @param channel Its name as people see it.
   */
  readLog(extensionId: string, channel: string): string {
    const suffix = join(extensionId, `${channel}.log`);
    const logs = join(this.#editor.folders.userData, 'logs');
    return readdirSync(logs, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith(suffix))
      .toSorted()
      .map((file) => readFileSync(join(logs, file), 'utf8'))
      .join('');
  }

  /** Closes the windows, ends the server and removes its folders. */
  async dispose(): Promise<void> {
    await Promise.all(this.#browser?.pages().map((page) => page.close()) ?? []);
    await this.#browser?.close();
    await this.#editor.dispose();
  }
}
