// Room: which files a workspace has, and what is in them.
// Never: what a document says.

import { posix } from 'node:path';
import * as vscode from 'vscode';
import { fileTrouble } from '../../../common/fileErrors.ts';
import { LimnerError } from '../../../common/limnerError.ts';
import { messageOf } from '../../../common/messageOf.ts';
import { isTestFile } from '../../../references/findReferences.ts';
import { entriesOf } from './diskFiles.ts';
import { excludedBy, type ExcludedFiles, type IsExcluded } from './excludedFiles.ts';

/** Names of documents in the languages that are read. */
const documentName =
  /\.(?:md|markdown|mdx|html?|vue|svelte|astro|[jt]sx|[cm]?[jt]s|json|s?css|less|pcss|adoc|asciidoc)$/iu;
/** The most documents of a workspace that are searched. */
export const maxFiles = 50_000;

/** Folders of what others wrote, or programs. */
export const foreignFolders = [
  'node_modules',
  'bower_components',
  'vendor',
  'dist',
  'build',
  'out',
  'coverage',
  '.git',
  '.next',
  '.nuxt',
  '.svelte-kit',
  '.output',
  '.venv',
  '_site',
];

/** A folder whose documents are not listed, and why. */
export interface UnreadableFolder {
  folder: vscode.Uri;
  error: unknown;
}

/**
 * Lists the documents of the workspace that are not tests, without what `files.exclude` leaves out. Links are not
 * followed: what they lead to would be there twice, or is outside of the workspace. VS Code's own search tells of all
 * files at once, and with many of them the extension host stands still.
 *
 * @param goOn throws when that is to end
 * @returns the documents, and the folders that can't be read
 * @throws LimnerError `invalid_request` when no folder of the workspace can be read
 */
export async function listDocuments(
  goOn: () => void,
): Promise<{ files: vscode.Uri[]; unreadable: UnreadableFolder[] }> {
  const roots = vscode.workspace.workspaceFolders ?? [];
  // A folder of the workspace may be in another one.
  const found = new Map<string, vscode.Uri>();
  const unreadable: UnreadableFolder[] = [];
  for (const { uri } of roots) {
    const setting = vscode.workspace.getConfiguration('files', uri).get<ExcludedFiles>('exclude', {});
    for await (const file of documentsBelow(uri, '', excludedBy(setting), goOn, unreadable)) {
      if (found.size === maxFiles) {
        break;
      }
      found.set(file.toString(), file);
    }
  }
  const [first] = unreadable;
  if (first && roots.every(({ uri }) => unreadable.some(({ folder }) => folder === uri))) {
    const [name, reason] = [posix.basename(first.folder.path), messageOf(first.error)];
    const message = vscode.l10n.t("Couldn't read {0}: {1}", name, reason);
    throw new LimnerError('invalid_request', message, { billing: 'no', cause: first.error });
  }
  return { files: [...found.values()], unreadable };
}

/**
 * @param path of the folder, from that of the workspace
 * @param unreadable gets the folders that can't be read
 */
async function* documentsBelow(
  folder: vscode.Uri,
  path: string,
  isExcluded: IsExcluded,
  goOn: () => void,
  unreadable: UnreadableFolder[],
): AsyncGenerator<vscode.Uri> {
  const entries = await sortedEntries(folder).catch((error: unknown) => {
    if (path === '' || fileTrouble(error) !== 'gone') {
      unreadable.push({ folder, error });
    }
    return new Map<string, vscode.FileType>();
  });
  goOn();
  const isOpen = (name: string): boolean =>
    !isExcluded(posix.join(path, name), (other) => entries.has(other));
  const folders: string[] = [];
  for (const [name, type] of entries) {
    if (type === vscode.FileType.Directory && !foreignFolders.includes(name) && isOpen(name)) {
      folders.push(name);
    } else if (
      type === vscode.FileType.File &&
      documentName.test(name) &&
      !isTestFile(name) &&
      isOpen(name)
    ) {
      yield vscode.Uri.joinPath(folder, name);
    }
  }
  for (const name of folders) {
    const [below, pathBelow] = [vscode.Uri.joinPath(folder, name), posix.join(path, name)];
    yield* documentsBelow(below, pathBelow, isExcluded, goOn, unreadable);
  }
}

/** Returns what is in a folder by its names, in their order. */
async function sortedEntries(folder: vscode.Uri): Promise<ReadonlyMap<string, vscode.FileType>> {
  const entries: (readonly [string, vscode.FileType])[] = [];
  for await (const entry of entriesOf(folder)) {
    entries.push(entry);
  }
  return new Map(entries.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}
