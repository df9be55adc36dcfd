import * as vscode from 'vscode';
import { ImageNames, isInside } from '../../pages/find/references.ts';
import { entriesOf, statFile } from './diskFiles.ts';
import { foreignFolders } from './listDocuments.ts';

/** The files that count as images of a workspace. */
const imageName = /\.(?:png|jpe?g|webp|gif|svg|avif)$/iu;
/** The most files that one address may mean. */
const mostFound = 3;
/** The most images that are remembered of a workspace folder. */
const mostImages = 100_000;

/** Knows the image files of the workspace by their names; reads the folders when it is first asked. */
export class ImageIndex implements vscode.Disposable {
  readonly #names = new Map<string, Promise<ImageNames>>();
  readonly #subscriptions: vscode.Disposable;

  constructor() {
    const images = vscode.workspace.createFileSystemWatcher(
      '**/*.{png,jpg,jpeg,webp,gif,svg,avif,PNG,JPG,JPEG,WEBP,GIF,SVG,AVIF}',
      false,
      true,
    );
    const forget = (): void => this.forget();
    this.#subscriptions = vscode.Disposable.from(
      images,
      images.onDidCreate((uri) => this.#change(uri, (names) => names.add(uri.path))),
      images.onDidDelete((uri) => this.#change(uri, (names) => names.delete(uri.path))),
      // Of the files in a folder that comes or goes at once, the watcher may tell nothing.
      vscode.workspace.onDidRenameFiles(forget),
      vscode.workspace.onDidDeleteFiles(forget),
      vscode.workspace.onDidChangeWorkspaceFolders(forget),
    );
  }

  /**
   * Returns files of a workspace folder that a path may mean although it leads elsewhere.
   *
   * @param path of an address
   * @param folder the files are below it
   */
  async filesLike(root: vscode.Uri, path: string, folder = root.path): Promise<vscode.Uri[]> {
    // Reading every folder of a file system elsewhere, or around a single file, would take too long.
    const isOfWorkspace = vscode.workspace.workspaceFolders?.some(({ uri }) => uri.path === root.path);
    if (root.scheme !== 'file' || !isOfWorkspace) {
      return [];
    }
    const key = root.toString();
    const names = this.#names.get(key) ?? imagesBelow(root);
    this.#names.set(key, names);
    const found = (await names)
      .endingWith(path)
      .filter((one) => isInside(one, folder))
      .slice(0, mostFound);
    // A folder may be deleted without a word from the watcher.
    const stats = await Promise.all(
      found.map(async (one) => statFile(root.with({ path: one })).catch(() => undefined)),
    );
    return found.filter((_, index) => stats[index]).map((one) => root.with({ path: one }));
  }

  /** Reads the folders again when it is next asked: VS Code may not tell of every change. */
  forget(): void {
    this.#names.clear();
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }

  #change(uri: vscode.Uri, change: (names: ImageNames) => void): void {
    const root = vscode.workspace.getWorkspaceFolder(uri)?.uri;
    void (root && this.#names.get(root.toString())?.then(change));
  }
}

/** Returns the images in a folder and those below it, but for folders that hold what others wrote. */
async function imagesBelow(root: vscode.Uri): Promise<ImageNames> {
  const names = new ImageNames();
  const folders = [root];
  let count = 0;
  for (let folder = folders.shift(); folder && count < mostImages; folder = folders.shift()) {
    try {
      for await (const [name, type] of entriesOf(folder)) {
        if (type === vscode.FileType.Directory && !foreignFolders.includes(name)) {
          folders.push(vscode.Uri.joinPath(folder, name));
        } else if (type !== vscode.FileType.Directory && imageName.test(name)) {
          names.add(vscode.Uri.joinPath(folder, name).path);
          count++;
        }
      }
    } catch {
      // A folder that can't be read holds no image that anybody could use.
      continue;
    }
  }
  return names;
}
