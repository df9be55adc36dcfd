import { posix } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { inTurns } from '../../common/clock.ts';
import { fileTrouble } from '../../common/fileErrors.ts';
import { LimnerError, messageOf } from '../../common/limnerError.ts';
import { isTestFile } from '../../pages/find/findReferences.ts';
import { languageOf } from '../../pages/find/languages.ts';
import {
  type ExcludedFiles,
  excludedBy,
  foreignFolders,
  type IsExcluded,
} from '../../pages/find/references.ts';
import type { FileKind } from '../../pages/find/layouts.ts';
import { filesOf } from './diskFiles.ts';
import { told } from '../../engine/messages/told.ts';

export const maxFiles = 50_000;

/**
 * Folders whose documents need no images: tests, samples, and copies of others' work. Their names may be parts of longer
 * ones: `e2e-tests`, `__image_snapshots__`.
 */
const sampleFolder =
  /^_*(?:tests?|specs?|stubs?|cypress|playwright|examples?|samples?|third[-_]?party|3rd[-_]?party|vendored|(?:[a-z\d.]+[-_])*(?:e2e|(?:test)?fixtures?|mocks?|snapshots?|testdata)|(?:unit|integration|functional|acceptance|system|smoke|visual|regression|browser|api|ui)[-_]tests?)_*$/iu;
const sampleStart =
  /^_*(?:e2e|fixtures?|mocks?|tests?[-_.](?:utils?|data|helpers?|cases?|apps?|results?|sites?|fixtures?))(?:[-_.]|$)/iu;

export interface UnreadableFolder {
  folder: vscode.Uri;
  error: unknown;
}

/**
 * Lists the documents of the workspace, without tests and without files that `files.exclude` hides. Links aren't
 * followed: their targets would be listed twice, or are outside of the workspace. VS Code's own search returns all
 * files at once, which blocks the extension host if there are many.
 *
 * @param goOn throws to stop
 * @returns the documents, and the folders that can't be read
 * @throws LimnerError `invalid_request` if no folder of the workspace can be read
 */
export async function listDocuments(
  goOn: () => void,
): Promise<{ files: vscode.Uri[]; unreadable: UnreadableFolder[] }> {
  const roots = vscode.workspace.workspaceFolders ?? [];
  // Workspace folders may be nested.
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
    const [name, reason] = [posix.basename(first.folder.path), told(messageOf(first.error))];
    const message = l10n.t("Couldn't read {0}: {1}", name, reason);
    throw new LimnerError('invalid_request', message, { billing: 'no', cause: first.error });
  }
  return { files: [...found.values()], unreadable };
}

/**
 * @param path of the folder, from that of the workspace
 * @param unreadable collects the folders that can't be read
 */
async function* documentsBelow(
  folder: vscode.Uri,
  path: string,
  isExcluded: IsExcluded,
  goOn: () => void,
  unreadable: UnreadableFolder[],
): AsyncGenerator<vscode.Uri> {
  const entries = await entriesIn(folder).catch((error: unknown) => {
    if (path === '' || fileTrouble(error) !== 'gone') {
      unreadable.push({ folder, error });
    }
    return new Map<string, FileKind>();
  });
  goOn();
  const isOpen = (name: string): boolean =>
    !isExcluded(posix.join(path, name), (other) => entries.has(other));
  const folders: string[] = [];
  // A folder may hold tens of thousands of files. A function that compares them would take long, too.
  for await (const name of inTurns([...entries.keys()].toSorted())) {
    const type = entries.get(name);
    const isListed = !foreignFolders.includes(name) && !sampleFolder.test(name) && !sampleStart.test(name);
    if (type === 'folder' && isListed && isOpen(name)) {
      folders.push(name);
    } else if (
      type === 'file' &&
      languageOf('plaintext', `/${name}`) !== undefined &&
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

/** Returns the names in a folder, with their types. */
async function entriesIn(folder: vscode.Uri): Promise<ReadonlyMap<string, FileKind>> {
  const types = new Map<string, FileKind>();
  for await (const [name, type] of filesOf(folder).entries(folder.path)) {
    types.set(name, type);
  }
  return types;
}
