import { posix } from 'node:path';
import { wayBelow, wayBetween } from '../../common/fileUris.ts';
import type { Reference } from '../scan/reference.ts';

/** Where an address stands: sites treat those of prose, HTML, and front matter differently. */
export type AddressKind = 'prose' | 'markup' | 'yaml' | 'import';

/** An image that exists, as a document names it. Paths are absolute, with slashes. */
export interface Neighbor {
  document: string;
  /** As the document has it, decoded. */
  path: string;
  file: string;
  kind: AddressKind;
}

/** Returns the kind of an address. @param isProse whether the document is prose, which may hold HTML */
export function kindOf(
  text: string,
  { notation, start }: Pick<Reference, 'notation' | 'start'>,
  isProse: boolean,
): AddressKind {
  if (notation !== 'url') {
    return notation === 'path' ? 'import' : 'yaml';
  }
  return isProse && !/["'=]/u.test(text[start - 1] ?? '') ? 'prose' : 'markup';
}

/** Returns the folder that holds most of some images; undefined for none. */
export function folderOfMost(neighbors: readonly Neighbor[]): string | undefined {
  return byFrequency(neighbors)[0]?.folder;
}

/**
 * Returns the path by which a document names a file as it names its other images; undefined if none of them shows how.
 *
 * @param neighbors images of the document, or of those beside it
 */
export function pathLike(neighbors: readonly Neighbor[], document: string, file: string): string | undefined {
  const groups = byFrequency(neighbors);
  for (const { folder, first } of groups) {
    const below = wayBelow(folder, file);
    if (below) {
      return isRelative(first) ? relativeLike(first, document, file) : folderIn(first.path) + below;
    }
  }
  for (const { first } of groups.filter((group) => !isRelative(group.first))) {
    const { folder, at } = startOf(first);
    const below = wayBelow(folder, file);
    if (below) {
      return at + below;
    }
  }
  return undefined;
}

/** Returns the file that a path means if it begins where those of other images do; undefined if none shows where. */
export function fileLike(neighbors: readonly Neighbor[], path: string): string | undefined {
  for (const neighbor of neighbors.filter((one) => !isRelative(one))) {
    const { folder, at } = startOf(neighbor);
    if (path.startsWith('/') === neighbor.path.startsWith('/') && path.startsWith(at)) {
      return posix.join(folder, path.slice(at.length));
    }
  }
  return undefined;
}

function byFrequency(neighbors: readonly Neighbor[]): { folder: string; first: Neighbor }[] {
  const groups = new Map<string, Neighbor[]>();
  for (const neighbor of neighbors) {
    const folder = posix.dirname(neighbor.file);
    groups.set(folder, [...(groups.get(folder) ?? []), neighbor]);
  }
  return [...groups]
    .toSorted(([, one], [, other]) => other.length - one.length)
    .flatMap(([folder, [first]]) => (first ? [{ folder, first }] : []));
}

function isRelative({ document, path, file }: Neighbor): boolean {
  return !path.startsWith('/') && posix.join(posix.dirname(document), path) === file;
}

function relativeLike({ path }: Neighbor, document: string, file: string): string {
  const way = wayBetween(posix.dirname(document), file);
  return path.startsWith('./') && !way.startsWith('.') ? `./${way}` : way;
}

function folderIn(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1);
}

/** Returns the folder at which the path of an image begins, and what stands before the part that both share. */
function startOf({ path, file }: Neighbor): { folder: string; at: string } {
  const [named, names] = [path.split('/'), file.split('/')];
  let shared = 0;
  while (
    shared < named.length - (path.startsWith('/') ? 1 : 0) &&
    named.at(-1 - shared) === names.at(-1 - shared) &&
    !/^\.{0,2}$/u.test(named.at(-1 - shared) ?? '')
  ) {
    shared++;
  }
  const before = named.slice(0, named.length - shared);
  return {
    folder: names.slice(0, names.length - shared).join('/'),
    at: before.length === 0 ? '' : `${before.join('/')}/`,
  };
}
