import { createHash, randomUUID } from 'node:crypto';
import { access, link, mkdir } from 'node:fs/promises';
import { extname } from 'node:path';
import * as vscode from 'vscode';
import { copyFile, rename } from '../../common/heldFiles.ts';
import { sweepFolder } from '../../common/folders.ts';
import { wayInto } from '../../common/fileUris.ts';
import { versionOf } from '../window/files.ts';

/** Lifetime of links to images in other places, in milliseconds. */
const shownKept = 24 * 3_600_000;

/**
 * Gives the webview access to images: of the workspace, and of Limner's storage and code. An image elsewhere, such as
 * in another workspace, is linked into the storage.
 */
export class StudioImages {
  readonly roots: readonly vscode.Uri[];
  readonly #webview: vscode.Webview;
  readonly #code: vscode.Uri;
  readonly #shown: ShownFiles;
  readonly #own: readonly vscode.Uri[];

  /** @param storages of Limner's own files, starting with the one of all workspaces */
  constructor(
    webview: vscode.Webview,
    extension: vscode.Uri,
    storages: readonly [vscode.Uri, ...vscode.Uri[]],
  ) {
    this.#webview = webview;
    this.#own = storages;
    this.#code = vscode.Uri.joinPath(extension, 'dist');
    this.#shown = new ShownFiles(storages[0]);
    this.roots = [
      this.#code,
      ...this.#own,
      ...(vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri),
    ];
  }

  /** Returns a URL for `img`, which changes with the file; undefined without a file. */
  async url(uri: vscode.Uri): Promise<string | undefined> {
    try {
      const version = await versionOf(uri);
      const near = this.#inReach(uri) ?? (await this.#bringNear(uri, version));
      // Set afterward: in a remote window, the URL consists of the path alone.
      return this.#webview
        .asWebviewUri(near)
        .with({ query: `version=${version}` })
        .toString();
    } catch {
      return undefined;
    }
  }

  /**
   * Returns a file's URI for drags, as the window names it. Only webview URLs reveal the host by which a remote window
   * names files.
   */
  windowUri(uri: vscode.Uri): string {
    const [, scheme = uri.scheme, host = ''] =
      /^([\w-]+)\+([^.]*)\./.exec(this.#webview.asWebviewUri(uri).authority) ?? [];
    const authority = host.replaceAll(/-([\da-f]{4})/g, (_, code: string) =>
      String.fromCodePoint(Number.parseInt(code, 16)),
    );
    return uri.with({ scheme, authority }).toString();
  }

  codeUrl(name: string): string {
    return this.#webview.asWebviewUri(vscode.Uri.joinPath(this.#code, name)).toString();
  }

  /** Returns a file that the webview may load, in the notation of its root: VS Code compares the letters. */
  #inReach(uri: vscode.Uri): vscode.Uri | undefined {
    for (const root of this.roots) {
      const way = wayInto(root.toString(), uri.toString());
      if (way) {
        return vscode.Uri.joinPath(root, way);
      }
    }
    return undefined;
  }

  async #bringNear(uri: vscode.Uri, version: string): Promise<vscode.Uri> {
    const name = createHash('sha256').update(`${uri.toString()} ${version}`).digest('hex');
    return this.#shown.keep(`${name}${extname(uri.path)}`, async (near) =>
      uri.scheme === 'file'
        ? linkFile(uri.fsPath, near)
        : vscode.workspace.fs.copy(uri, vscode.Uri.file(near)),
    );
  }
}

/** Files in Limner's storage that pages show: what is older than a day goes. */
export class ShownFiles {
  readonly #folder: vscode.Uri;
  #sweeping: Promise<void> | undefined;

  /** @param storage the one of all workspaces */
  constructor(storage: vscode.Uri) {
    this.#folder = vscode.Uri.joinPath(storage, 'shown');
  }

  /** Returns the file of this name. @param write makes it where it isn't there yet */
  async keep(name: string, write: (path: string) => Promise<void> | Thenable<void>): Promise<vscode.Uri> {
    const { fsPath } = this.#folder;
    this.#sweeping ??= mkdir(fsPath, { recursive: true }).then(async () => sweepFolder(fsPath, shownKept));
    await this.#sweeping;
    const near = vscode.Uri.joinPath(this.#folder, name);
    if (!(await isThere(near.fsPath))) {
      // Nobody sees it before it is whole.
      const unfinished = `${near.fsPath}.${randomUUID()}`;
      await write(unfinished);
      await rename(unfinished, near.fsPath);
    }
    return near;
  }
}

async function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

async function linkFile(from: string, to: string): Promise<void> {
  // Another disk has no links to this one, and some disks have none at all.
  await link(from, to).catch(async () => copyFile(from, to));
}
