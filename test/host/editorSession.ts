import { mkdirSync, readFileSync, readdirSync } from 'node:fs';
import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import * as v from 'valibot';
import { launchChromium } from './chromium.ts';
import { fetchEditorServer } from './editorServer.ts';
import type { EditorVersion } from './editorVersions.ts';
import { openFrontDoor } from './frontDoor.ts';
import type { FrontDoor } from './frontDoor.ts';
import { readJson } from './readJson.ts';
import { installExtension, startServer } from './serverProcess.ts';
import type { ServerFolders, ServerProcess } from './serverProcess.ts';
import { temporaryFolder } from './temporaryFolder.ts';
import { writeUserSettings } from './userSettings.ts';
import { Workbench } from './workbench.ts';

/** The extension under test: a folder in which it is being developed, or a package. */
export type ExtensionSource = { folder: string } | { vsix: string };

/** How an editor is set up before it starts. */
export interface SessionOptions {
  version: EditorVersion;
  extension?: ExtensionSource;
  /** Folders of extensions that are there besides. */
  helpers?: readonly string[];
  /** Which of the extensions that come with VS Code are there: a third of opening a window is theirs. */
  builtIn?: 'few' | 'all';
  /** On top of the quiet defaults. */
  settings?: Readonly<Record<string, unknown>>;
  /** Needed to run extension tests; suppresses the toasts of notifications. */
  smokeTestDriver?: boolean;
  /** Environment variables for the extension host. */
  env?: NodeJS.ProcessEnv;
  /** A person opens the windows, in a browser of their own. */
  ownBrowser?: boolean;
}

/** Of the extensions that come with VS Code, those that Limner meets: themes, the preview of images, languages. */
const fewBuiltIn = [
  'configuration-editing',
  'css',
  'html',
  'javascript',
  'json',
  'markdown-basics',
  'media-preview',
  'theme-defaults',
  'theme-seti',
  'typescript-basics',
];

/** How a window looks before it opens. */
export interface WindowOptions {
  /** In CSS pixels. */
  viewport?: { width: number; height: number };
}

/**
 * A VS Code of its own: fresh folders, a server, and a headless browser. All of it is gone
 * after `dispose`, or when this process ends.
 */
export class EditorSession {
  readonly #folders: ServerFolders;
  readonly #removeFolders: () => void;
  readonly #server: ServerProcess;
  readonly #door: FrontDoor;
  readonly #browser: Browser | undefined;
  #context: Promise<BrowserContext> | undefined;

  /** Starts an editor, which is fetched first if need be. */
  static async start(options: SessionOptions): Promise<EditorSession> {
    const launching = options.ownBrowser ? undefined : launchChromium();
    try {
      const [editor, browser] = await Promise.all([startEditor(options), launching]);
      return new EditorSession(editor, browser);
    } catch (error) {
      await launching?.then((browser) => browser.close());
      throw error;
    }
  }

  private constructor({ folders, removeFolders, server, door }: Editor, browser: Browser | undefined) {
    this.#folders = folders;
    this.#removeFolders = removeFolders;
    this.#server = server;
    this.#door = door;
    this.#browser = browser;
  }

  /** Host and port. */
  get authority(): string {
    return `127.0.0.1:${this.#door.port}`;
  }

  /** Where the editor keeps its data, among it `User/globalStorage`. */
  get userDataFolder(): string {
    return this.#folders.userData;
  }

  /** Where to find a folder, by its path or URI, opened as workspace, a `.code-workspace` file, or nothing, in a browser. */
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
    await page.goto(this.url(workspace));
    const workbench = new Workbench(page);
    await workbench.whenReady();
    return workbench;
  }

  /** An empty page of the browser that all windows of this session share, with their secrets. */
  async newPage(): Promise<Page> {
    if (!this.#browser) {
      throw new Error('The windows of this session are opened by a person.');
    }
    this.#context ??= this.#browser.newContext();
    const context = await this.#context;
    return context.newPage();
  }

  /** Kills the process in which the extensions of the one open window run, without a warning. */
  killExtensionHost(): void {
    const killed = this.#server.killExtensionHosts();
    if (killed !== 1) {
      throw new Error(`${killed} extension hosts were killed.`);
    }
  }

  /**
   * All that was written to an output channel of an extension, by any window so far.
   *
   * @param extensionId `publisher.name`
   * @param channel Its name as people see it.
   */
  readLog(extensionId: string, channel: string): string {
    const suffix = join(extensionId, `${channel}.log`);
    const logs = join(this.#folders.userData, 'logs');
    return readdirSync(logs, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith(suffix))
      .toSorted()
      .map((file) => readFileSync(join(logs, file), 'utf8'))
      .join('');
  }

  /** Closes the windows, ends the server and removes its folders. */
  async dispose(): Promise<void> {
    const context = await this.#context;
    await Promise.all(context?.pages().map((page) => page.close()) ?? []);
    this.#door.close();
    await Promise.all([this.#browser?.close(), this.#server.kill()]);
    this.#removeFolders();
  }
}

/** An editor that runs, with no window yet. */
interface Editor {
  folders: ServerFolders;
  removeFolders: () => void;
  server: ServerProcess;
  door: FrontDoor;
}

async function startEditor(options: SessionOptions): Promise<Editor> {
  const editor = await fetchEditorServer(options.version);
  const { path, remove: removeFolders } = temporaryFolder('editor');
  const folders: ServerFolders = makeFolders(path);
  if (options.builtIn !== 'all') {
    folders.builtIn = join(path, 'built-in');
    await mkdir(folders.builtIn);
    for (const name of fewBuiltIn) {
      await symlink(join(editor.extensions, name), join(folders.builtIn, name));
    }
  }
  await writeUserSettings(folders.userData, options.settings ?? {});
  if (options.extension) {
    if ('vsix' in options.extension) {
      await installExtension(editor, folders, options.extension.vsix);
    } else {
      await linkExtension(options.extension.folder, folders.extensions);
    }
  }
  for (const folder of options.helpers ?? []) {
    await linkExtension(folder, folders.extensions);
  }
  const server = await startServer(editor, folders, {
    smokeTestDriver: options.smokeTestDriver ?? false,
    env: options.env ?? {},
  });
  const door = await openFrontDoor(server.port);
  return { folders, removeFolders, server, door };
}

function makeFolders(parent: string): ServerFolders {
  const folders = {
    userData: join(parent, 'user-data'),
    serverData: join(parent, 'server-data'),
    extensions: join(parent, 'extensions'),
    home: join(parent, 'home'),
    temporary: join(parent, 'tmp'),
  };
  for (const folder of Object.values(folders)) {
    mkdirSync(folder);
  }
  return folders;
}

/** A link instead of a copy: what is built anew is loaded by the next window. */
async function linkExtension(folder: string, extensionsFolder: string): Promise<void> {
  const { publisher, name, version } = await readJson(join(folder, 'package.json'), manifestSchema);
  await symlink(folder, join(extensionsFolder, `${publisher}.${name}-${version}`));
}

const manifestSchema = v.object({ publisher: v.string(), name: v.string(), version: v.string() });
