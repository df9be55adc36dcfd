import { lstat, opendir, stat } from 'node:fs/promises';
import type { Dirent, Stats } from 'node:fs';
import { join, posix } from 'node:path';
import { fileTrouble } from '../../common/fileErrors.ts';
import { wayBelow } from '../../common/fileUris.ts';
import { readRegular } from '../../common/regularFile.ts';
import { aliasesIn, aliasFiles } from '../sites/aliases.ts';
import { frameworks } from '../sites/frameworks.ts';
import { isInside, type Layout, publicFolderNames } from '../sites/places.ts';
import type { Served, Site, SiteRules } from '../sites/site.ts';
import { type IgnoreRule, ignoreRulesIn } from './excluded.ts';

export type FileKind = 'file' | 'folder' | 'link' | 'other';

export interface FileFacts {
  isFile: boolean;
  isFolder: boolean;
  /** In bytes. */
  size: number;
  /** In Unix milliseconds. */
  mtime: number;
}

/** The files around documents, as a door reaches them. Paths are absolute, with slashes. */
export interface PageFiles {
  /** @throws the error of the file system */
  stat(path: string): Promise<FileFacts>;
  /** Reads a file that wasn't listed. @param most maximum number of bytes @throws the error of the file system */
  read(path: string, most: number): Promise<Uint8Array>;
  /** Lists the contents of a folder. Links are listed as links. @throws the error of the file system */
  entries(folder: string): AsyncIterable<readonly [name: string, kind: FileKind]>;
}

/**
 * Reaches files on disk.
 *
 * @param onDisk returns the path of a file in the notation of the operating system
 */
export function filesOnDisk(onDisk: (path: string) => string): PageFiles {
  return {
    async stat(path) {
      // A broken link exists, too: nothing else can get its name.
      const found = await stat(onDisk(path)).catch(async () => lstat(onDisk(path)));
      return {
        isFile: found.isFile(),
        isFolder: found.isDirectory(),
        size: found.size,
        mtime: found.mtimeMs,
      };
    },
    // A repository's link may lead to a device or a generated file without an end.
    read: async (path, most) => readRegular(onDisk(path), most),
    async *entries(folder) {
      for await (const entry of await opendir(onDisk(folder))) {
        yield [entry.name, await kindOfEntry(entry)];
      }
    },
  };
}

/** On Windows, some cloud providers list each file and folder as a link. */
async function kindOfEntry(entry: Dirent): Promise<FileKind> {
  return process.platform === 'win32' && entry.isSymbolicLink()
    ? kindOf(await lstat(join(entry.parentPath, entry.name)).catch(() => entry))
    : kindOf(entry);
}

function kindOf(entry: Dirent | Stats): FileKind {
  return entry.isFile() ? 'file' : entry.isDirectory() ? 'folder' : entry.isSymbolicLink() ? 'link' : 'other';
}

/** Maximum size of a configuration file, in bytes: larger ones are generated. */
const largest = 200_000;
const ignoreFile = '.gitignore';

type FolderLayout = Omit<Layout, 'rules'> & {
  sites: readonly Site[];
  /** Lines of `.gitignore`, the last of which counts. */
  ignored: readonly IgnoreRule[];
};

type Stat = FileFacts | undefined | 'unknown';

/** Knows the folders of a workspace: their sites, public folders, and aliases. It caches what it reads. */
export class Layouts {
  readonly #files: PageFiles;
  readonly #root: string;
  readonly #folders = new Map<string, Promise<FolderLayout>>();
  readonly #rules = new Map<string, Promise<SiteRules[]>>();
  readonly #stats = new Map<string, Promise<Stat>>();

  /** @param root folder of the workspace */
  constructor(files: PageFiles, root: string) {
    this.#files = files;
    this.#root = root;
  }

  /** @param isMarkup whether an address is in HTML */
  async of(document: string, isMarkup: boolean): Promise<Layout> {
    const { sites, ignored: _, ...layout } = await this.#folder(posix.dirname(document));
    const key = `${isMarkup} ${document}`;
    const rules = this.#rules.get(key) ?? rulesFor(sites, document, isMarkup);
    this.#rules.set(key, rules);
    return { ...layout, rules: await rules };
  }

  /** Whether Git ignores a file: then a program makes it. */
  async isIgnored(file: string): Promise<boolean> {
    const { ignored } = await this.#folder(posix.dirname(file));
    const rule = ignored.findLast(({ folder, isMeant }) =>
      isMeant(wayBelow(folder, file) ?? '', () => false),
    );
    return rule?.isIgnored === true;
  }

  async statOf(path: string): Promise<Stat> {
    const stat = this.#stats.get(path) ?? this.#lookUp(path);
    this.#stats.set(path, stat);
    return stat;
  }

  async #folder(folder: string): Promise<FolderLayout> {
    const layout = this.#folders.get(folder) ?? this.#read(folder);
    this.#folders.set(folder, layout);
    return layout;
  }

  async #read(folder: string): Promise<FolderLayout> {
    const root = this.#root;
    const above = isInside(folder, root)
      ? await this.#folder(posix.dirname(folder))
      : { root, served: [], aliases: [], sites: [], ignored: [] };
    const names = await this.#namesIn(folder);
    const isThere = (path: string): boolean => names.has(path.split('/', 1)[0] ?? '');
    const served: Served[] = [];
    for (const { name, at } of publicFolderNames.filter((one) => isThere(one.name))) {
      const path = posix.join(folder, name);
      if (await this.#isFolder(path)) {
        served.push({ folder: path, at });
      }
    }
    const aliases = await Promise.all(
      aliasFiles.filter(isThere).map(async (name) => {
        const text = await this.#textOf(posix.join(folder, name));
        return text === undefined ? [] : aliasesIn(text, name, folder);
      }),
    );
    return {
      root,
      served: [...served, ...above.served],
      aliases: aliases.flat().length > 0 ? aliases.flat() : above.aliases,
      sites: [...(await this.#sitesIn(folder, isThere)), ...above.sites],
      ignored: isThere(ignoreFile) ? [...above.ignored, ...(await this.#ignoredIn(folder))] : above.ignored,
    };
  }

  async #sitesIn(folder: string, isThere: (path: string) => boolean): Promise<Site[]> {
    const sites: Site[] = [];
    for (const { files, read } of frameworks) {
      for (const name of files.filter(isThere)) {
        const file = posix.join(folder, name);
        const text = await this.#textOf(file);
        const site =
          text === undefined
            ? undefined
            : await read({
                folder: posix.dirname(file),
                text,
                isFolder: async (path) => this.#isFolder(path),
                isFile: async (path) => this.#isFile(path),
              });
        if (site) {
          sites.push(site);
          break;
        }
      }
    }
    return sites;
  }

  async #isFolder(path: string): Promise<boolean> {
    const stat = await this.statOf(path);
    return typeof stat === 'object' && stat.isFolder;
  }

  async #isFile(path: string): Promise<boolean> {
    const stat = await this.statOf(path);
    return typeof stat === 'object' && stat.isFile;
  }

  async #ignoredIn(folder: string): Promise<IgnoreRule[]> {
    return ignoreRulesIn((await this.#textOf(posix.join(folder, ignoreFile))) ?? '', folder);
  }

  async #namesIn(folder: string): Promise<ReadonlySet<string>> {
    const names = new Set<string>();
    try {
      for await (const [name] of this.#files.entries(folder)) {
        names.add(name);
      }
    } catch {
      // Nothing in a folder that can't be read tells of a site.
      return names;
    }
    return names;
  }

  async #textOf(file: string): Promise<string | undefined> {
    const bytes = await this.#files.read(file, largest).catch(() => undefined);
    return bytes && new TextDecoder().decode(bytes);
  }

  /** @returns undefined if nothing exists, `unknown` if that can't be determined */
  async #lookUp(path: string): Promise<Stat> {
    return this.#files.stat(path).catch((error: unknown) => {
      const trouble = fileTrouble(error);
      return trouble === 'gone' || trouble === 'notFolder' ? undefined : 'unknown';
    });
  }
}

async function rulesFor(sites: readonly Site[], path: string, isMarkup: boolean): Promise<SiteRules[]> {
  const rules = await Promise.all(sites.map(async (site) => site({ path, isMarkup })));
  return rules.filter((one) => one !== undefined);
}
