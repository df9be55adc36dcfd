import { readdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { fileUri } from '../../common/fileUris.ts';
import type { KnownFile } from '../../engine/store/savedFiles.ts';
import type { Task, TaskInput } from '../../engine/task/task.ts';
import type { EngineHost } from '../window/engineHost.ts';
import { statOf } from '../window/files.ts';
import type { SavedResult } from './taskLabels.ts';
import type { TaskTree } from './taskTree.ts';

type Host = Pick<EngineHost, 'get'>;

const images = '**/*.{png,jpg,jpeg,webp,PNG,JPG,JPEG,WEBP}';
const foreign = '**/node_modules/**';
/** The most images of a workspace among which one is looked for. */
const mostListed = 20_000;
/** How long changes are gathered before rows are drawn again, in milliseconds. */
const gathering = 300;

/** Sizes of the workspace's images, while rows look for theirs. */
let listing: Promise<Map<string, number>> | undefined;

/**
 * Returns the URI of an image of the task list, after looking for one that is no longer where it was: in the workspace
 * and beside its old place, by its contents.
 *
 * @returns undefined if it wasn't found
 */
export async function findImage(
  engine: Host,
  task: Task,
  image: SavedResult,
): Promise<vscode.Uri | undefined> {
  const { savedFiles } = await engine.get();
  const uri = vscode.Uri.parse(image.uri, true);
  return (await statOf(uri)) && (await savedFiles.isOf(task, image)) ? uri : find(engine, task, image);
}

/** Looks for the file that a user edited, if it is no longer where it was. */
export async function findInput(engine: Host, task: Task, input: TaskInput): Promise<vscode.Uri | undefined> {
  const uri = vscode.Uri.parse(input.uri, true);
  return (await statOf(uri)) ? uri : find(engine, task, input);
}

async function find(engine: Host, task: Task, file: KnownFile): Promise<vscode.Uri | undefined> {
  if (!file.uri?.startsWith('file:')) {
    // Reading every folder of a file system elsewhere would take too long.
    return undefined;
  }
  const folder = dirname(vscode.Uri.parse(file.uri).fsPath);
  const { savedFiles } = await engine.get();
  // Rows that look for theirs at once share it.
  const listed = await (listing ??= imagesOfWorkspace().finally(() => (listing = undefined)));
  const found = await savedFiles.find(task, file, async (size) => {
    const near = await sizesOf((await readdir(folder).catch(() => [])).map((name) => join(folder, name)));
    return [...near, ...listed].flatMap(([uri, length]) => (length === size ? uri : []));
  });
  return found === undefined ? undefined : vscode.Uri.parse(found, true);
}

async function imagesOfWorkspace(): Promise<Map<string, number>> {
  const found = await vscode.workspace.findFiles(images, foreign, mostListed);
  return sizesOf(found.flatMap(({ scheme, fsPath }) => (scheme === 'file' ? fsPath : [])));
}

/** Returns the sizes of files in bytes, by their URI strings. */
async function sizesOf(paths: readonly string[]): Promise<Map<string, number>> {
  const sizes = new Map<string, number>();
  for (const path of paths.slice(0, mostListed)) {
    const found = await stat(path).catch(() => undefined);
    if (found?.isFile()) {
      sizes.set(fileUri(path), found.size);
    }
  }
  return sizes;
}

/** Draws the rows of images again that come, go, or change, whoever renames, deletes, restores, or replaces them. */
export function watchImages(tree: Pick<TaskTree, 'redrawFiles'>): vscode.Disposable {
  const watcher = vscode.workspace.createFileSystemWatcher(images);
  const changed: vscode.Uri[] = [];
  let timer: NodeJS.Timeout | undefined;
  const note = (...uris: readonly vscode.Uri[]): void => {
    changed.push(...uris);
    timer ??= setTimeout(() => {
      timer = undefined;
      tree.redrawFiles(changed.splice(0));
    }, gathering);
  };
  return vscode.Disposable.from(
    watcher,
    watcher.onDidCreate((uri) => note(uri)),
    watcher.onDidChange((uri) => note(uri)),
    watcher.onDidDelete((uri) => note(uri)),
    // Of the files in a folder that comes or goes at once, the watcher may tell nothing.
    vscode.workspace.onDidCreateFiles(({ files }) => note(...files)),
    vscode.workspace.onDidDeleteFiles(({ files }) => note(...files)),
    vscode.workspace.onDidRenameFiles(({ files }) =>
      note(...files.flatMap(({ oldUri, newUri }) => [oldUri, newUri])),
    ),
    { dispose: () => clearTimeout(timer) },
  );
}
