import { posix } from 'node:path';
import { wayBelow, wayBetween } from '../../common/fileUris.ts';
import { isProse, type Served, type SiteRules } from './site.ts';

/** The folders of a workspace, and how a document of it names images. Paths are absolute, with slashes. */
export interface Layout {
  root: string;
  /** Folders that many sites serve, those nearest to the document first. */
  served: readonly Served[];
  /** Prefixes of imports and their folders, as `tsconfig.json` defines them. */
  aliases: readonly { prefix: string; folder: string }[];
  /** Rules of the sites that the document is part of, those of the nearest one first. */
  rules: readonly SiteRules[];
}

/** Names of folders whose files are often served, and their addresses; the last one is Angular's. */
export const publicFolderNames = [
  { name: 'public', at: '/' },
  { name: 'static', at: '/' },
  { name: 'src/assets', at: '/assets/' },
] as const;

export interface ImagePaths {
  path: string;
  /** As a module's path; undefined for files that the site serves unchanged. */
  module?: string;
}

/**
 * Returns the possible locations of a reference's file, the preferred one first. Empty if they are unknown, or outside
 * of the workspace.
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
 * Returns the path by which a document names a file: from the root of the site for one in a served folder, otherwise
 * relative.
 *
 * @param base absolute path of the folder at which relative paths begin
 * @param isImport whether a bare name is a package rather than a path
 */
export function pathBetween(
  base: string,
  file: string,
  { served, isImport }: { served: readonly Served[]; isImport: boolean },
): string {
  const ofSite = served.filter((one) => !isAssets(one));
  const found = isImport ? undefined : servedAs(file, ofSite.length > 0 ? ofSite : served);
  if (found !== undefined) {
    return found;
  }
  const path = wayBetween(base, file);
  return isImport && !path.startsWith('.') ? `./${path}` : path;
}

/** Returns the address at which a file is served; undefined if it isn't. */
export function servedAs(file: string, served: readonly Served[]): string | undefined {
  const found = served.find(({ folder }) => isInside(file, folder));
  return found && found.at + (wayBelow(found.folder, file) ?? '');
}

function candidates(path: string, document: string, layout: Layout, isImport: boolean): string[] {
  // Bundlers resolve aliases in addresses, too, if they begin with a sign that no other address does.
  const isAliased = isImport || /^[@~]/u.test(path);
  // In style sheets, webpack requires a `~` before an alias.
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
  const { rules } = layout;
  const beside = [...rules.flatMap(({ bases = [] }) => bases), posix.dirname(document)].map((folder) =>
    posix.join(folder, path),
  );
  const assets = layout.served.filter(
    (one) => isAssets(one) && isInside(document, posix.dirname(one.folder)),
  );
  // Prose names files, and nothing at the root of the site.
  const others = isProse(document)
    ? []
    : [...rules.flatMap((one) => one.served), ...layout.served.filter((one) => !isAssets(one))];
  const served = path.startsWith('.') ? [] : placesAt(`/${path}`, [...others, ...assets]);
  const isFirst =
    rules[0]?.isFromRoot === true || (/\.html?$/iu.test(document) && path.startsWith('assets/'));
  return isFirst ? [...served, ...beside] : [...beside, ...served];
}

/** Returns the files that pages may find at a path from `/`: in served folders, or in unchanged sources. */
function fromRoot(path: string, document: string, { root, served, rules }: Layout): string[] {
  const places = placesAt(path, [
    ...rules.flatMap((one) => one.served),
    ...rules.flatMap(({ also = [] }) => also),
    ...served,
  ]);
  if (!path.startsWith('/src/')) {
    return [...places, root + path];
  }
  const sources = document.lastIndexOf('/src/');
  const projects = [...(sources < 0 ? [] : [document.slice(0, sources)]), ...served.map(projectOf), root];
  return [...projects.map((project) => project + path), ...places];
}

function placesAt(address: string, served: readonly Served[]): string[] {
  return served
    .filter(({ at }) => address.startsWith(at))
    .map(({ folder, at }) => `${folder}/${address.slice(at.length)}`);
}

/** Returns the folder of the project that a public folder belongs to. */
function projectOf({ folder }: Served): string {
  const name = publicFolderNames.find((one) => folder.endsWith(`/${one.name}`))?.name ?? '';
  return folder.slice(0, -name.length - 1);
}

/** Whether it is Angular's folder, besides which another one may be served. */
export function isAssets({ folder }: Served): boolean {
  return folder.endsWith('/src/assets');
}

export function isInside(path: string, folder: string): boolean {
  return Boolean(wayBelow(folder, path));
}
