import { posix } from 'node:path';
import { wayBelow, wayBetween } from '../common/disk/fileUris.ts';

/** What is known about the folders of a workspace. Paths are absolute, with slashes. */
export interface Layout {
  /** The workspace's folder. */
  root: string;
  /** Folders of these names whose files pages find by addresses, those nearest to the document first. */
  publicFolders: readonly string[];
  /** What a beginning of an import stands for, as `tsconfig.json` has it. */
  aliases: readonly { prefix: string; folder: string }[];
}

/** Names of folders whose files are served from `/`; the last one's, which is Angular's, from `/assets/`. */
export const publicFolderNames = ['public', 'static', 'src/assets'] as const;

/** The paths by which a document names an image file. */
export interface ImagePaths {
  /** From the root of the site, or relative. */
  path: string;
  /** As that of a module; undefined for what the site serves as it is. */
  module?: string;
}

/**
 * Returns where the file of a reference may be, the place where it belongs first. None if it cannot be told, or if it is
 * outside of the workspace.
 *
 * @param path as the document has it, decoded
 * @param document absolute path of the document
 * @param isImport whether a bare name is a package rather than a path
 */
export function placesOf(path: string, document: string, layout: Layout, isImport = false): string[] {
  const found = candidates(path, document, layout, isImport).map((place) => posix.normalize(place));
  return [...new Set(found)].filter((place) => isInside(place, layout.root));
}

/**
 * Returns the path by which a document names a file: from the root of the site for one in a public folder, else relative.
 *
 * @param document absolute path of the document
 * @param isImport whether a bare name is a package rather than a path
 */
export function pathBetween(
  document: string,
  file: string,
  { publicFolders, isImport }: Pick<Layout, 'publicFolders'> & { isImport: boolean },
): string {
  const ofSite = publicFolders.filter((one) => !isAssets(one));
  const folder = (ofSite.length > 0 ? ofSite : publicFolders).find((one) => isInside(file, one));
  if (folder !== undefined && !isImport) {
    return `/${wayBelow(isAssets(folder) ? posix.dirname(folder) : folder, file)}`;
  }
  const path = wayBetween(posix.dirname(document), file);
  return isImport && !path.startsWith('.') ? `./${path}` : path;
}

function candidates(path: string, document: string, layout: Layout, isImport: boolean): string[] {
  // Bundlers know them in addresses, too, where nothing else begins so.
  const isAliased = isImport || /^[@~]/u.test(path);
  // In style sheets, webpack wants a `~` before what is none of a path.
  const asked = path.replace(/^~(?=@)/u, '');
  const [alias] = isAliased
    ? layout.aliases
        .filter(({ prefix }) => asked.startsWith(prefix))
        .toSorted((one, other) => other.prefix.length - one.prefix.length)
    : [];
  if (alias) {
    return [posix.join(alias.folder, asked.slice(alias.prefix.length))];
  }
  if (path.startsWith('/')) {
    return fromRoot(path, document, layout);
  }
  if (isAliased && !path.startsWith('.')) {
    return [];
  }
  const beside = posix.join(posix.dirname(document), path);
  const served = path.startsWith('assets/')
    ? layout.publicFolders
        .filter(isAssets)
        .map((folder) => posix.dirname(folder))
        .filter((folder) => isInside(document, folder))
        .map((folder) => `${folder}/${path}`)
    : [];
  return /\.html?$/iu.test(document) ? [...served, beside] : [beside, ...served];
}

/** Where the files are that pages find at a path from `/`: in public folders, or where sources are served as they are. */
function fromRoot(path: string, document: string, { root, publicFolders }: Layout): string[] {
  const served = publicFolders.flatMap((folder) => {
    if (!isAssets(folder)) {
      return folder + path;
    }
    return path.startsWith('/assets/') ? posix.dirname(folder) + path : [];
  });
  if (!path.startsWith('/src/')) {
    return [...served, root + path];
  }
  const sources = document.lastIndexOf('/src/');
  const projects = [
    ...(sources < 0 ? [] : [document.slice(0, sources)]),
    ...publicFolders.map(projectOf),
    root,
  ];
  return [...projects.map((project) => project + path), ...served];
}

/** Returns the folder that a public folder is the one of. */
function projectOf(folder: string): string {
  const name = publicFolderNames.find((one) => folder.endsWith(`/${one}`)) ?? '';
  return folder.slice(0, -name.length - 1);
}

export function isAssets(folder: string): boolean {
  return folder.endsWith('/src/assets');
}

/** Whether a normalised path is below a folder. */
export function isInside(path: string, folder: string): boolean {
  return Boolean(wayBelow(folder, path));
}
