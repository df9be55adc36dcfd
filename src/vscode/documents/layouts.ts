import * as vscode from 'vscode';
import { fileTrouble } from '../../common/fileErrors.ts';
import { wayBelow } from '../../common/fileUris.ts';
import {
  aliasesIn,
  aliasFiles,
  frameworks,
  isInside,
  type Layout,
  publicFolderNames,
  type Served,
  type Site,
  type SiteRules,
} from '../../pages/find/references.ts';
import { entriesOf, readAtMost, statFile } from './diskFiles.ts';
import { excludedBy, type IsExcluded } from './listDocuments.ts';

/** Maximum size of a configuration file, in bytes: larger ones are generated. */
const largest = 200_000;
const ignoreFile = '.gitignore';
/** Maximum number of lines that are read of it. */
const mostIgnored = 1000;

type FolderLayout = Omit<Layout, 'rules'> & {
  sites: readonly Site[];
  /** Lines of `.gitignore`, the last of which counts. */
  ignored: readonly IgnoreRule[];
};

interface IgnoreRule {
  /** Folder from which the paths of the rule begin. */
  folder: string;
  isMeant: IsExcluded;
  isIgnored: boolean;
}

type Stat = vscode.FileStat | undefined | 'unknown';

/** Knows the folders of a workspace: their sites, public folders, and aliases. It caches what it reads. */
export class Layouts {
  readonly #folders = new Map<string, Promise<FolderLayout>>();
  readonly #rules = new Map<string, Promise<SiteRules[]>>();
  readonly #stats = new Map<string, Promise<Stat>>();

  /** @param root folder of the workspace @param isMarkup whether an address is in HTML */
  async of(document: vscode.Uri, root: vscode.Uri, isMarkup: boolean): Promise<Layout> {
    const { sites, ignored: _, ...layout } = await this.#folder(vscode.Uri.joinPath(document, '..'), root);
    const key = `${isMarkup} ${document.toString()}`;
    const rules = this.#rules.get(key) ?? rulesFor(sites, document.path, isMarkup);
    this.#rules.set(key, rules);
    return { ...layout, rules: await rules };
  }

  /** Whether Git ignores a file: then a program makes it. */
  async isIgnored(file: vscode.Uri, root: vscode.Uri): Promise<boolean> {
    const { ignored } = await this.#folder(vscode.Uri.joinPath(file, '..'), root);
    const rule = ignored.findLast(({ folder, isMeant }) =>
      isMeant(wayBelow(folder, file.path) ?? '', () => false),
    );
    return rule?.isIgnored === true;
  }

  async statOf(uri: vscode.Uri): Promise<Stat> {
    const key = uri.toString();
    const stat = this.#stats.get(key) ?? lookUp(uri);
    this.#stats.set(key, stat);
    return stat;
  }

  async #folder(folder: vscode.Uri, root: vscode.Uri): Promise<FolderLayout> {
    const key = folder.toString();
    const layout = this.#folders.get(key) ?? this.#read(folder, root);
    this.#folders.set(key, layout);
    return layout;
  }

  async #read(folder: vscode.Uri, root: vscode.Uri): Promise<FolderLayout> {
    const above = isInside(folder.path, root.path)
      ? await this.#folder(vscode.Uri.joinPath(folder, '..'), root)
      : { root: root.path, served: [], aliases: [], sites: [], ignored: [] };
    const names = await namesIn(folder);
    const isThere = (path: string): boolean => names.has(path.split('/', 1)[0] ?? '');
    const served: Served[] = [];
    for (const { name, at } of publicFolderNames.filter((one) => isThere(one.name))) {
      const { path } = vscode.Uri.joinPath(folder, name);
      if (await this.#isOfType(folder.with({ path }), vscode.FileType.Directory)) {
        served.push({ folder: path, at });
      }
    }
    const aliases = await Promise.all(
      aliasFiles.filter(isThere).map(async (name) => {
        const text = await textOf(vscode.Uri.joinPath(folder, name));
        return text === undefined ? [] : aliasesIn(text, name, folder.path);
      }),
    );
    return {
      root: root.path,
      served: [...served, ...above.served],
      aliases: aliases.flat().length > 0 ? aliases.flat() : above.aliases,
      sites: [...(await this.#sitesIn(folder, isThere)), ...above.sites],
      ignored: isThere(ignoreFile) ? [...above.ignored, ...(await ignoredIn(folder))] : above.ignored,
    };
  }

  async #sitesIn(folder: vscode.Uri, isThere: (path: string) => boolean): Promise<Site[]> {
    const sites: Site[] = [];
    const at = (path: string): vscode.Uri => folder.with({ path });
    for (const { files, read } of frameworks) {
      for (const name of files.filter(isThere)) {
        const file = vscode.Uri.joinPath(folder, name);
        const text = await textOf(file);
        const site =
          text === undefined
            ? undefined
            : await read({
                folder: vscode.Uri.joinPath(file, '..').path,
                text,
                isFolder: async (path) => this.#isOfType(at(path), vscode.FileType.Directory),
                isFile: async (path) => this.#isOfType(at(path), vscode.FileType.File),
              });
        if (site) {
          sites.push(site);
          break;
        }
      }
    }
    return sites;
  }

  async #isOfType(uri: vscode.Uri, type: vscode.FileType): Promise<boolean> {
    const stat = await this.statOf(uri);
    return typeof stat === 'object' && (stat.type & type) !== 0;
  }
}

async function ignoredIn(folder: vscode.Uri): Promise<IgnoreRule[]> {
  const text = (await textOf(vscode.Uri.joinPath(folder, ignoreFile))) ?? '';
  return text
    .split(/\r?\n/u)
    .slice(0, mostIgnored)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const isIgnored = !line.startsWith('!');
      const path = line.replace(/^!/u, '').replace(/\/$/u, '');
      // Without a slash before its end, it is meant in all folders.
      const glob = path.includes('/') ? path.replace(/^\//u, '') : `**/${path}`;
      return {
        folder: folder.path,
        isMeant: excludedBy({ [glob]: true, [`${glob}/**`]: true }),
        isIgnored,
      };
    });
}

async function rulesFor(sites: readonly Site[], path: string, isMarkup: boolean): Promise<SiteRules[]> {
  const rules = await Promise.all(sites.map(async (site) => site({ path, isMarkup })));
  return rules.filter((one) => one !== undefined);
}

async function namesIn(folder: vscode.Uri): Promise<ReadonlySet<string>> {
  const names = new Set<string>();
  try {
    for await (const [name] of entriesOf(folder)) {
      names.add(name);
    }
  } catch {
    // Nothing in a folder that can't be read tells of a site.
    return names;
  }
  return names;
}

async function textOf(file: vscode.Uri): Promise<string | undefined> {
  const bytes = await readAtMost(file, largest).catch(() => undefined);
  return bytes && new TextDecoder().decode(bytes);
}

/** @returns undefined if nothing exists, `unknown` if that can't be determined */
async function lookUp(uri: vscode.Uri): Promise<Stat> {
  return statFile(uri).catch((error: unknown) => {
    const trouble = fileTrouble(error);
    return trouble === 'gone' || trouble === 'notFolder' ? undefined : 'unknown';
  });
}
