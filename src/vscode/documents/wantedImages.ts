import * as vscode from 'vscode';
import { areRelated } from '../../common/fileUris.ts';
import { isFixedName } from '../../engine/task/fileNames.ts';
import { isSinglePixel } from '../../images/formats/dimensions.ts';
import {
  type AddressKind,
  type AddressPlace,
  type ImagePaths,
  isProse,
  type Layout,
  type MissingImage as MissingOnPath,
  type ElsewhereImage as ElsewhereOnPath,
  type PlaceholderImage as PlaceholderOnPath,
  WantedInFolder,
} from '../../pages/find/references.ts';
import type { Reference } from '../../pages/scan/reference.ts';
import type { Settings } from '../window/settings.ts';
import { filesOf } from './diskFiles.ts';
import type { ImageIndex } from './imageIndex.ts';
import type { ReadableDocument } from './readDocuments.ts';

export interface MissingImage extends MissingOnPath {
  file: vscode.Uri;
}

export interface ElsewhereImage extends ElsewhereOnPath {
  file: vscode.Uri;
  files: readonly [vscode.Uri, ...vscode.Uri[]];
}

export interface PlaceholderImage extends PlaceholderOnPath {
  folder: vscode.Uri;
}

export type WantedImage = MissingImage | ElsewhereImage | PlaceholderImage;

/**
 * Looks up the images that documents of the workspace name. It caches folders, so each search of the workspace takes a
 * new instance.
 */
export class WantedImages {
  readonly #settings: Settings;
  readonly #index: ImageIndex | undefined;
  /** By workspace folder. */
  readonly #folders = new Map<string, WantedInFolder>();

  /** @param index tells which images are elsewhere; without it, they count as missing */
  constructor(settings: Settings, index?: ImageIndex) {
    this.#settings = settings;
    this.#index = index;
  }

  /** @returns undefined for an image that exists, isn't local, can't be resolved, or is outside of the workspace */
  async at(document: ReadableDocument, reference: Reference): Promise<WantedImage | undefined> {
    const { uri } = document;
    const root = vscode.workspace.getWorkspaceFolder(uri)?.uri;
    if (!root) {
      return undefined;
    }
    const image = await this.#around(uri).at(document, reference);
    if (image?.kind === 'placeholder') {
      return { ...image, folder: uri.with(image.folder) };
    }
    if (image?.kind === 'elsewhere') {
      const [first, ...others] = image.files;
      const files = [root.with(first), ...others.map((file) => root.with(file))] as const;
      return { ...image, file: uri.with(image.file), files };
    }
    return image && { ...image, file: uri.with(image.file) };
  }

  /**
   * Whether most images that the documents of a folder name don't exist, while others do: the site probably keeps them in
   * another folder than Limner thinks. Counts what `at` was asked for.
   */
  isSuspicious(document: Pick<ReadableDocument, 'uri'>): boolean {
    const hasImages = [...this.#folders.values()].some((folder) => folder.hasImages);
    return this.#around(document.uri).isSuspicious(document, hasImages);
  }

  async fileOf(document: ReadableDocument, reference: Reference): Promise<vscode.Uri | undefined> {
    const { uri } = document;
    const path = vscode.workspace.getWorkspaceFolder(uri)
      ? await this.#around(uri).fileOf(document, reference)
      : undefined;
    return path === undefined ? undefined : uri.with({ path });
  }

  async layoutOf({ uri }: Pick<ReadableDocument, 'uri'>, isMarkup = !isProse(uri.path)): Promise<Layout> {
    return this.#around(uri).layoutOf({ uri }, isMarkup);
  }

  async addressOf(document: ReadableDocument, file: vscode.Uri, place: AddressPlace): Promise<string> {
    return areRelated(document.uri, file)
      ? this.#around(document.uri).addressOf(document, file, place)
      : file.toString();
  }

  /** @param kind of the address, if it is not that of the document */
  async pathsTo(document: ReadableDocument, file: vscode.Uri, kind?: AddressKind): Promise<ImagePaths> {
    return this.#around(document.uri).pathsTo(document, file, kind);
  }

  /** Returns the folder for new images of a document. @param isPage whether it is part of a site */
  async folderForNew(document: ReadableDocument, isPage?: boolean): Promise<vscode.Uri> {
    return document.uri.with({ path: await this.#around(document.uri).folderForNew(document, isPage) });
  }

  #around(document: vscode.Uri): WantedInFolder {
    const root = vscode.workspace.getWorkspaceFolder(document)?.uri ?? vscode.Uri.joinPath(document, '..');
    const key = root.toString();
    const folder =
      this.#folders.get(key) ??
      new WantedInFolder({
        root: root.path,
        files: filesOf(root),
        filesLike: async (path, below) =>
          ((await this.#index?.filesLike(root, path, below)) ?? []).map((file) => file.path),
        usualFolder: (path) => vscode.Uri.joinPath(root, this.#settings.folder(document.with({ path }))).path,
        isPixel: isSinglePixel,
        isName: isFixedName,
      });
    this.#folders.set(key, folder);
    return folder;
  }
}
