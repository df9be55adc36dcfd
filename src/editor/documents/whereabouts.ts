import * as vscode from 'vscode';
import { pathOfAddress } from '../../references/addresses.ts';
import { aliasesIn, aliasFiles } from '../../references/aliases.ts';
import { languageOf } from '../../references/findReferences.ts';
import { type Layout, placesOf, publicFolderNames } from '../../references/places.ts';
import type { Reference } from '../../references/reference.ts';
import { imagesFolderOf } from '../../references/scanAsciiDoc.ts';
import { readIfThere, statOf } from '../window/files.ts';

/** The file that a reference names. */
export interface Whereabouts {
  /** Where it is, or where it belongs. */
  file: vscode.Uri;
  isThere: boolean;
}

/**
 * Looks up the files that documents name. What it learns of folders it remembers, so that each look at a workspace takes a
 * new one.
 */
export class WhereaboutsFinder {
  readonly #layouts = new Map<string, Promise<Layout>>();
  readonly #stats = new Map<string, Promise<vscode.FileStat | undefined>>();

  /** @returns undefined for what is no local image, or cannot be told, or is outside of the workspace */
  async of(document: vscode.TextDocument, reference: Reference): Promise<Whereabouts | undefined> {
    const folder = vscode.workspace.getWorkspaceFolder(document.uri);
    const path = pathOfAddress(reference.address, reference.notation);
    if (!folder || path === undefined) {
      return undefined;
    }
    const layout = await this.#layoutFor(document.uri, folder.uri);
    const language = languageOf(document.languageId, document.uri.path);
    const isImport = reference.notation === 'path' && language !== 'asciidoc';
    const whole = language === 'asciidoc' ? imagesFolderOf(document.getText()) + path : path;
    const places = placesOf(whole, document.uri.path, layout, isImport).map((place) =>
      document.uri.with({ path: place }),
    );
    for (const place of places) {
      if (await this.#statOf(place)) {
        return { file: place, isThere: true };
      }
    }
    const [first] = places;
    return first && { file: first, isThere: false };
  }

  async #statOf(uri: vscode.Uri): Promise<vscode.FileStat | undefined> {
    const key = uri.toString();
    const stat = this.#stats.get(key) ?? statOf(uri);
    this.#stats.set(key, stat);
    return stat;
  }

  async #layoutFor(document: vscode.Uri, root: vscode.Uri): Promise<Layout> {
    const folder = vscode.Uri.joinPath(document, '..');
    const key = folder.toString();
    const layout = this.#layouts.get(key) ?? this.#readLayout(folder, root);
    this.#layouts.set(key, layout);
    return layout;
  }

  async #readLayout(folder: vscode.Uri, root: vscode.Uri): Promise<Layout> {
    const publicFolders: string[] = [];
    let aliases: Layout['aliases'] = [];
    for (const place of upTo(folder, root)) {
      const here = publicFolderNames.map((name) => vscode.Uri.joinPath(place, name));
      for (const uri of here) {
        if ((await this.#statOf(uri))?.type === vscode.FileType.Directory) {
          publicFolders.push(uri.path);
        }
      }
      if (aliases.length === 0) {
        aliases = await readAliases(place);
      }
    }
    return { root: root.path, publicFolders, aliases };
  }
}

/** Returns a folder and those that it is in, up to the root. */
function upTo(folder: vscode.Uri, root: vscode.Uri): vscode.Uri[] {
  const found = [folder];
  for (let place = folder; place.path.length > root.path.length;) {
    place = vscode.Uri.joinPath(place, '..');
    found.push(place);
  }
  return found;
}

async function readAliases(folder: vscode.Uri): Promise<Layout['aliases']> {
  const found = await Promise.all(
    aliasFiles.map(async (name) => {
      const bytes = await readIfThere(vscode.Uri.joinPath(folder, name)).catch(() => undefined);
      return bytes ? aliasesIn(new TextDecoder().decode(bytes), name, folder.path) : [];
    }),
  );
  return found.flat();
}
