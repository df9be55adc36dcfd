import * as vscode from 'vscode';
import { ImagesBelow } from '../../pages/find/references.ts';
import { filesOf } from './diskFiles.ts';

/** Knows the image files of the workspace by their names; reads the folders when it is first asked. */
export class ImageIndex implements vscode.Disposable {
  readonly #folders = new Map<string, ImagesBelow>();
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
      images.onDidCreate((uri) => this.#imagesAround(uri)?.add(uri.path)),
      images.onDidDelete((uri) => this.#imagesAround(uri)?.delete(uri.path)),
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
    const images = this.#folders.get(key) ?? new ImagesBelow(filesOf(root), root.path);
    this.#folders.set(key, images);
    return (await images.like(path, folder)).map((one) => root.with({ path: one }));
  }

  /** Reads the folders again when it is next asked: VS Code may not tell of every change. */
  forget(): void {
    this.#folders.clear();
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }

  #imagesAround(uri: vscode.Uri): ImagesBelow | undefined {
    const root = vscode.workspace.getWorkspaceFolder(uri)?.uri;
    return root && this.#folders.get(root.toString());
  }
}
