import { mkdirSync } from 'node:fs';
import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { fetchEditorServer } from '../fetch/editorServer.ts';
import type { EditorVersion } from '../fetch/editorVersions.ts';
import { openFrontDoor, type FrontDoor } from './frontDoor.ts';
import { readJson } from '../../support/readJson.ts';
import { installExtension, startServer, type ServerFolders, type ServerProcess } from './serverProcess.ts';
import { temporaryFolder } from '../../support/temporaryFolder.ts';
import { writeUserSettings } from './userSettings.ts';

/** The extension under test: the folder of its development, or a package. */
export type ExtensionSource = { folder: string } | { vsix: string };

/** Built-in extensions to load: those that Limner always meets, these and Git, or all. */
export type BuiltIn = 'few' | 'git' | 'all';

/** How an editor is set up before it starts. */
export interface EditorOptions {
  version: EditorVersion;
  extension?: ExtensionSource;
  /** Folders of further extensions. */
  helpers?: readonly string[];
  /** Built-in extensions to load: they take a third of the time to open a window. */
  builtIn?: BuiltIn;
  /** On top of the quiet defaults. */
  settings?: Readonly<Record<string, unknown>>;
  /** Needed to run extension tests; suppresses the toasts of notifications. */
  smokeTestDriver?: boolean;
  /** Environment variables for the extension host. */
  env?: NodeJS.ProcessEnv;
}

/** The built-in extensions that Limner meets: themes, image preview, languages. */
const fewBuiltIn = [
  'configuration-editing',
  'css',
  'html',
  'javascript',
  'json',
  'markdown-basics',
  'markdown-language-features',
  'media-preview',
  'theme-defaults',
  'theme-seti',
  'typescript-basics',
];

/** A running editor, with no window yet. */
export interface Editor {
  /** Its folder, with room for more. */
  path: string;
  folders: ServerFolders;
  server: ServerProcess;
  /** The address for browsers. */
  door: FrontDoor;
  /** Ends the server and removes its folders. */
  dispose(): Promise<void>;
}

/** Starts VS Code's server in fresh folders; it is fetched first if need be. */
export async function startEditor(options: EditorOptions): Promise<Editor> {
  const editor = await fetchEditorServer(options.version);
  const { path, remove } = temporaryFolder('editor');
  const folders: ServerFolders = makeFolders(path);
  if (options.builtIn !== 'all') {
    folders.builtIn = join(path, 'built-in');
    await mkdir(folders.builtIn);
    for (const name of options.builtIn === 'git' ? [...fewBuiltIn, 'git', 'git-base'] : fewBuiltIn) {
      await symlink(join(editor.extensions, name), join(folders.builtIn, name), 'junction');
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
  return {
    path,
    folders,
    server,
    door,
    async dispose() {
      door.close();
      await server.kill();
      remove();
    },
  };
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

/** A link instead of a copy: a new build is loaded by the next window. */
async function linkExtension(folder: string, extensionsFolder: string): Promise<void> {
  const { publisher, name, version } = await readJson(join(folder, 'package.json'), manifestSchema);
  await symlink(folder, join(extensionsFolder, `${publisher}.${name}-${version}`), 'junction');
}

const manifestSchema = v.object({ publisher: v.string(), name: v.string(), version: v.string() });
