import { createHash } from 'node:crypto';
import { link, mkdir } from 'node:fs/promises';
import { extname } from 'node:path';
import * as vscode from 'vscode';
import { copyFile } from '../../common/heldFiles.ts';
import { fileTrouble } from '../../common/fileErrors.ts';
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
  readonly #shown: vscode.Uri;
  readonly #own: readonly vscode.Uri[];
  #sweeping: Promise<void> | undefined;

  /** @param storages of Limner's own files, starting with the one of all workspaces */
  constructor(
    webview: vscode.Webview,
    extension: vscode.Uri,
    storages: readonly [vscode.Uri, ...vscode.Uri[]],
  ) {
    this.#webview = webview;
    this.#own = storages;
    this.#code = vscode.Uri.joinPath(extension, 'dist');
    this.#shown = vscode.Uri.joinPath(storages[0], 'shown');
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
    const { fsPath } = this.#shown;
    this.#sweeping ??= mkdir(fsPath, { recursive: true }).then(async () => sweepFolder(fsPath, shownKept));
    await this.#sweeping;
    const name = createHash('sha256').update(`${uri.toString()} ${version}`).digest('hex');
    const near = vscode.Uri.joinPath(this.#shown, `${name}${extname(uri.path)}`);
    await (uri.scheme === 'file' ? linkFile(uri.fsPath, near.fsPath) : copyOnce(uri, near));
    return near;
  }
}

async function linkFile(from: string, to: string): Promise<void> {
  await link(from, to).catch(async (error: unknown) => {
    if (fileTrouble(error) !== 'exists') {
      // Another disk, or one without links.
      await copyFile(from, to);
    }
  });
}

async function copyOnce(from: vscode.Uri, to: vscode.Uri): Promise<void> {
  await vscode.workspace.fs.copy(from, to, { overwrite: false }).then(undefined, (error: unknown) => {
    if (fileTrouble(error) !== 'exists') {
      throw error;
    }
  });
}
