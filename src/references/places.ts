import { posix } from 'node:path';

/** What is known about the folders of a workspace. Paths are absolute, with slashes. */
export interface Layout {
  /** The workspace's folder. */
  root: string;
  /** Folders whose files a page finds under `/`, those nearest to the document first. */
  publicFolders: readonly string[];
  /** What a beginning of an import stands for, as `tsconfig.json` has it. */
  aliases: readonly { prefix: string; folder: string }[];
}

/** Names of folders whose files are served from `/`. */
export const publicFolderNames = ['public', 'static', 'src/assets'] as const;

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
  const folder = publicFolders.find((one) => isInside(file, one));
  if (folder !== undefined && !isImport) {
    return file.slice(folder.length);
  }
  const path = posix.relative(posix.dirname(document), file);
  return isImport && !path.startsWith('.') ? `./${path}` : path;
}

function candidates(
  path: string,
  document: string,
  { root, publicFolders, aliases }: Layout,
  isImport: boolean,
): string[] {
  const alias = aliases.find(({ prefix }) => path.startsWith(prefix));
  if (alias) {
    return [posix.join(alias.folder, path.slice(alias.prefix.length))];
  }
  if (path.startsWith('/')) {
    return [...publicFolders.map((folder) => folder + path), root + path];
  }
  if (/^[@~]/u.test(path) || (isImport && !path.startsWith('.'))) {
    return [];
  }
  return [posix.join(posix.dirname(document), path)];
}

/** Whether a normalised path is below a folder. */
function isInside(path: string, folder: string): boolean {
  return path.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
}
