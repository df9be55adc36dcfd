/** A folder whose files are served, and the address at which they are; it ends with `/`. */
export interface Served {
  folder: string;
  at: string;
}

/** A page, or another document that names images. */
export interface Page {
  /** Absolute, with slashes. */
  path: string;
  /** Whether the image is named in HTML, whose addresses prose leaves as they are. */
  isMarkup: boolean;
}

/** How the documents of a site name images. Paths are absolute, with slashes. */
export interface SiteRules {
  /** Served folders; the first one that holds a file gives its address. */
  served: readonly Served[];
  /** Further folders in which images are looked for by their address. */
  also?: readonly Served[];
  /** Folders at which relative addresses begin; the first one gives new addresses. By default, that of the document. */
  bases?: readonly string[];
  /** Whether relative addresses begin at the root of the site. */
  isFromRoot?: boolean;
  /** Folder of the site whose images are found by their names alone, wherever they are. */
  byName?: string;
  /** Folder for new images; undefined if the site's files don't tell. */
  images?: string;
}

/** Returns the rules for a document; undefined if it isn't part of the site. */
export type Site = (page: Page) => Promise<SiteRules | undefined> | SiteRules | undefined;

/** A configuration file. */
export interface Config {
  /** Absolute path of its folder, with slashes. */
  folder: string;
  text: string;
  isFolder: (path: string) => Promise<boolean>;
  isFile: (path: string) => Promise<boolean>;
}

export interface Framework {
  /** Its configuration files, as paths from a folder above the documents, or below the folder that is. */
  files: readonly string[];
  /** @returns undefined if the file is of something else */
  read: (config: Config) => Promise<Site | undefined>;
}

/** Returns the names of a configuration in one of the languages of Node. */
export function scripts(...names: readonly string[]): string[] {
  return names.flatMap((name) => ['js', 'ts', 'mjs', 'mts', 'cjs', 'cts'].map((type) => `${name}.${type}`));
}

/** Returns the first of some folders that exists, or else the first. */
export async function firstFolder(
  isFolder: Config['isFolder'],
  folders: readonly [string, ...string[]],
): Promise<string> {
  for (const folder of folders) {
    if (await isFolder(folder)) {
      return folder;
    }
  }
  return folders[0];
}

/** Returns the folder for new images in a served one: that which has a usual name for them. */
export async function imagesIn(isFolder: Config['isFolder'], folder: string): Promise<string> {
  return firstFolder(isFolder, [
    `${folder}/images`,
    `${folder}/img`,
    `${folder}/assets/images`,
    `${folder}/assets/img`,
  ]);
}

const prose = /\.(?:md|mdx|markdown|adoc|asciidoc)$/iu;
/** README.md, CODE_OF_CONDUCT.md, CHANGELOG.md. */
const forRepository = /\/[A-Z][A-Z_-]+\.\w+$/u;

export function isProse(path: string): boolean {
  return prose.test(path);
}

/** Whether a document is about the repository, which shows its files unchanged. */
export function isAboutRepository(path: string): boolean {
  return isProse(path) && forRepository.test(path);
}
