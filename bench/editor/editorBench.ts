import { mkdirSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { EditorSession } from '../../test/host/editor/editorSession.ts';
import { LimnerView } from '../../test/host/window/limnerView.ts';
import type { Workbench } from '../../test/host/window/workbench.ts';
import { projectFolder } from '../../test/support/folders.ts';
import { within } from '../../test/support/eventually.ts';
import { temporaryFolder } from '../../test/support/temporaryFolder.ts';
import type { ExtensionFolder } from './helperExtensions.ts';
import { type Host, HostDoor } from './hostDoor.ts';
import { portVariable } from './link.ts';

/** How the VS Code of some rows is set up. */
export interface BenchOptions {
  /** Whether Limner is in it, as it was built last. */
  limner: boolean;
  /** Further extensions; one of them connects to the bench. */
  extensions: readonly ExtensionFolder[];
  settings?: Readonly<Record<string, unknown>>;
  /** Extensions of VS Code's own that are in it; by default a few. */
  builtIn?: 'git';
  /** Environment variables for the extension host. */
  env?: NodeJS.ProcessEnv;
}

/** A window with an extension host of its own. */
export interface BenchWindow<Methods> {
  workbench: Workbench;
  limner: LimnerView;
  host: Host<Methods>;
  close: () => Promise<void>;
}

/** A folder to open, with the folder in it that Limner saves images in. */
export interface BenchWorkspace {
  path: string;
  images: string;
}

/** A VS Code with an extension of the bench, by its methods. */
export class EditorBench<Methods> {
  readonly session: EditorSession;
  readonly #door: HostDoor;
  readonly #folder = temporaryFolder('workspaces');

  static async start<Methods>({
    limner,
    extensions,
    settings = {},
    builtIn,
    env = {},
  }: BenchOptions): Promise<EditorBench<Methods>> {
    const door = await HostDoor.open();
    const session = await EditorSession.start({
      version: 'newest',
      ...(limner && { extension: { folder: projectFolder } }),
      ...(builtIn && { builtIn }),
      helpers: extensions.map(({ path }) => path),
      settings: { 'limner.afterSave': 'nothing', ...settings },
      env: { ...env, [portVariable]: String(door.port) },
    });
    return new EditorBench<Methods>(session, door);
  }

  private constructor(session: EditorSession, door: HostDoor) {
    this.session = session;
    this.#door = door;
  }

  /** Makes an empty workspace, which no window has left its tabs in. */
  makeWorkspace(): BenchWorkspace {
    const path = mkdtempSync(join(this.#folder.path, 'website-'));
    const images = join(path, 'images');
    mkdirSync(images);
    return { path, images };
  }

  /**
   * Opens a window on a workspace, and waits for its extension host.
   *
   * @param language of VS Code for extensions; by default English
   */
  async open({ path } = this.makeWorkspace(), language?: string): Promise<BenchWindow<Methods>> {
    const arriving = this.#door.next<Methods>();
    const workbench = await this.session.open(path, language === undefined ? {} : { language });
    const host = await within('the extension of the bench', arriving, () => 'a window without it');
    return {
      workbench,
      limner: new LimnerView(workbench),
      host,
      close: async () => workbench.page.close(),
    };
  }

  async dispose(): Promise<void> {
    await this.session.dispose();
    this.#door.close();
    this.#folder.remove();
  }
}
