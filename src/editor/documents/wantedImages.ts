import { posix } from 'node:path';
import * as vscode from 'vscode';
import { dimensionsFromPrefix } from '../../images/formats/dimensions.ts';
import { addressOfPath, pathOfAddress } from '../../references/addresses.ts';
import { aliasesIn, aliasFiles } from '../../references/aliases.ts';
import { baseIn } from '../../references/baseIn.ts';
import { languageOf } from '../../references/findReferences.ts';
import { isUnfinished, type Placeholder, placeholderAt } from '../../references/placeholders.ts';
import {
  type ImagePaths,
  isAssets,
  isInside,
  type Layout,
  pathBetween,
  placesOf,
  publicFolderNames,
} from '../../references/places.ts';
import type { Notation, Reference } from '../../references/reference.ts';
import { renderFileName, withoutExtension } from '../../tasks/files/fileNames.ts';
import { fileTrouble } from '../../common/fileErrors.ts';
import { areRelated } from '../../common/disk/fileUris.ts';
import type { Settings } from '../window/settings.ts';
import { readAtMost, statFile } from './files/diskFiles.ts';
import type { ReadableDocument } from './readDocuments.ts';

/** An image that a document names and that is not there. */
export interface MissingImage {
  kind: 'missing';
  reference: Reference;
  /** Where it belongs. */
  file: vscode.Uri;
}

/** An image that stands for one that is still to be made. */
export interface PlaceholderImage {
  kind: 'placeholder';
  reference: Reference;
  /** What its address asks for. */
  asked: Placeholder;
  /** Where the new one belongs. */
  folder: vscode.Uri;
}

/** A file, and what is there. */
type Whereabouts = readonly [vscode.Uri, vscode.FileStat | undefined];

export type WantedImage = MissingImage | PlaceholderImage;

/** Larger files are no single pixels. In bytes. */
const largestPixel = 1024;
/** Larger files say aliases that nobody wrote. In bytes. */
const largestAliases = 200_000;

/**
 * Finds out what becomes of the images that documents name. What it learns of folders it remembers, so that each look at
 * a workspace takes a new one.
 */
export class WantedImages {
  readonly #settings: Settings;
  readonly #layouts = new Map<string, Promise<Layout>>();
  readonly #bases = new WeakMap<ReadableDocument, { version: number; base: string | undefined }>();
  /** By addresses, and what is put before them. */
  readonly #places = new WeakMap<ReadableDocument, Map<string, Promise<Whereabouts | undefined>>>();
  readonly #stats = new Map<string, Promise<vscode.FileStat | undefined | 'unknown'>>();

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  /** @returns undefined for what is there, is no local image, cannot be told, or is outside of the workspace */
  async at(document: ReadableDocument, reference: Reference): Promise<WantedImage | undefined> {
    const root = vscode.workspace.getWorkspaceFolder(document.uri)?.uri;
    if (!root) {
      return undefined;
    }
    const asked = placeholderAt(reference.address);
    if (asked) {
      return { kind: 'placeholder', reference, asked, folder: await this.folderForNew(document) };
    }
    const [file, stat] = (await this.#whereabouts(document, root, reference)) ?? [];
    if (!file) {
      return undefined;
    }
    if (isUnfinished(file.path, stat !== undefined) || (stat && (await isPixel(file, stat)))) {
      return { kind: 'placeholder', reference, asked: {}, folder: vscode.Uri.joinPath(file, '..') };
    }
    return stat || !isName(file.path) ? undefined : { kind: 'missing', reference, file };
  }

  /** Returns the file that a reference names, if it is there. */
  async fileOf(document: ReadableDocument, reference: Reference): Promise<vscode.Uri | undefined> {
    const root = vscode.workspace.getWorkspaceFolder(document.uri)?.uri;
    const [file, stat] = (root && (await this.#whereabouts(document, root, reference))) ?? [];
    return isOfType(stat, vscode.FileType.File) ? file : undefined;
  }

  /** Returns what is known about the folders around a document. */
  async layoutOf({ uri }: Pick<ReadableDocument, 'uri'>): Promise<Layout> {
    return this.#layoutFor(uri, rootOf(uri));
  }

  /** Returns the address by which a document names a file, in the place of another one. */
  async addressOf(
    document: ReadableDocument,
    file: vscode.Uri,
    { notation }: Pick<Reference, 'notation'>,
  ): Promise<string> {
    if (!areRelated(document.uri, file)) {
      return file.toString();
    }
    const layout = await this.layoutOf(document);
    const path = pathBetween(this.#pathIn(document, layout), file.path, {
      publicFolders: isServed(document) ? layout.publicFolders : [],
      // In front matter, too, it begins with `./`.
      isImport: notation !== 'url' && languageOfDocument(document) !== undefined,
    });
    return addressOfPath(path, notation);
  }

  /** Returns the paths by which a document may name a file of its host. */
  async pathsTo(document: ReadableDocument, file: vscode.Uri): Promise<ImagePaths> {
    const layout = await this.layoutOf(document);
    const publicFolders = isServed(document) ? layout.publicFolders : [];
    const path = pathBetween(this.#pathIn(document, layout), file.path, { publicFolders, isImport: false });
    return publicFolders.some((folder) => !isAssets(folder) && isInside(file.path, folder))
      ? { path }
      : { path, module: pathBetween(document.uri.path, file.path, { publicFolders, isImport: true }) };
  }

  /** As `#findFile`, which is asked once for each address. */
  async #whereabouts(
    document: ReadableDocument,
    root: vscode.Uri,
    { address, notation }: Reference,
  ): Promise<Whereabouts | undefined> {
    const path = pathOfAddress(address, notation);
    const base = this.#baseIn(document);
    if (path === undefined || base === undefined) {
      return undefined;
    }
    const known = this.#places.get(document) ?? new Map<string, Promise<Whereabouts | undefined>>();
    this.#places.set(document, known);
    const key = JSON.stringify([notation, base, path]);
    const found = known.get(key) ?? this.#findFile(document, root, path, notation, base);
    known.set(key, found);
    return found;
  }

  /** Returns the file that a path of a document names, and what is there: where it is, or where it belongs. */
  async #findFile(
    document: ReadableDocument,
    root: vscode.Uri,
    path: string,
    notation: Notation,
    base: string,
  ): Promise<Whereabouts | undefined> {
    const layout = await this.#layoutFor(document.uri, root);
    const whole = path.startsWith('/') ? path : base + path;
    // Where the site begins is only known by its public folder, which bare paths of front matter may be in.
    const isBare = notation.startsWith('yaml') && !/^[.@~]/u.test(path);
    const paths = whole.startsWith('/') ? [whole, path] : isBare ? [whole, `/${path}`] : [whole];
    const places = paths
      .flatMap((one) => placesOf(one, document.uri.path, layout, isImported(document, notation)))
      .map((place) => document.uri.with({ path: place }));
    for (const place of places) {
      const stat = await this.#statOf(place);
      if (stat === 'unknown') {
        return undefined;
      }
      if (stat) {
        return [place, stat];
      }
    }
    const [first] = places;
    return first && [first, undefined];
  }

  /** As `baseIn`, which reads the document, once for all its references. */
  #baseIn(document: ReadableDocument): string | undefined {
    const { version } = document;
    const known = this.#bases.get(document);
    if (known?.version === version) {
      return known.base;
    }
    const base = baseIn(document.getText(), languageOfDocument(document));
    this.#bases.set(document, { version, base });
    return base;
  }

  /** Returns the path of a file in the folder at which the addresses of a document begin. */
  #pathIn(document: ReadableDocument, { root }: Layout): string {
    const folder = this.#baseIn(document) ?? '';
    return posix.join(folder.startsWith('/') ? root : posix.dirname(document.uri.path), folder, 'document');
  }

  /**
   * Returns the folder for the new images of a document. Pages of a site find images only in its public folder; prose
   * names them as files.
   */
  async folderForNew(document: ReadableDocument, isPage = isServed(document)): Promise<vscode.Uri> {
    const { publicFolders } = isPage ? await this.layoutOf(document) : { publicFolders: [] };
    const folder = publicFolders.find((one) => !isAssets(one));
    if (folder !== undefined) {
      return document.uri.with({ path: `${folder}/images` });
    }
    const root = rootOf(document.uri);
    const usual = vscode.Uri.joinPath(root, this.#settings.folder(document.uri));
    return isInside(usual.path, root.path) ? usual : vscode.Uri.joinPath(root, 'images');
  }

  async #statOf(uri: vscode.Uri): Promise<vscode.FileStat | undefined | 'unknown'> {
    const key = uri.toString();
    const stat = this.#stats.get(key) ?? lookUp(uri);
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
        if (isOfType(await this.#statOf(uri), vscode.FileType.Directory)) {
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

/** @returns undefined where nothing is, `unknown` where that cannot be told: it may be there */
async function lookUp(uri: vscode.Uri): Promise<vscode.FileStat | undefined | 'unknown'> {
  return statFile(uri).catch((error: unknown) => {
    const trouble = fileTrouble(error);
    return trouble === 'gone' || trouble === 'notFolder' ? undefined : 'unknown';
  });
}

/** Whether something is a file or folder, or a symbolic link to one. */
function isOfType(stat: vscode.FileStat | undefined | 'unknown', type: vscode.FileType): boolean {
  return typeof stat === 'object' && (stat.type & type) !== 0;
}

/** Returns the workspace folder of a document; the one it is in, without any. */
function rootOf(uri: vscode.Uri): vscode.Uri {
  return vscode.workspace.getWorkspaceFolder(uri)?.uri ?? vscode.Uri.joinPath(uri, '..');
}

function languageOfDocument({ languageId, uri }: ReadableDocument): string | undefined {
  return languageOf(languageId, uri.path);
}

/** Whether an address of a notation is that of a module. */
function isImported(document: ReadableDocument, notation: Notation): boolean {
  const language = languageOfDocument(document);
  return notation === 'path' && language !== undefined;
}

/** Whether a document is part of a site, rather than prose that names files. */
function isServed(document: ReadableDocument): boolean {
  const language = languageOfDocument(document);
  return language !== undefined && !['markdown', 'mdx', 'asciidoc'].includes(language);
}

/** Whether Limner gives a file exactly this name, rather than one that is like it. */
function isName(path: string): boolean {
  const name = posix.basename(path);
  const values = { prompt: '', model: '', at: new Date(0), index: 1, id: '' };
  return !name.includes('{') && renderFileName(name, values) === withoutExtension(name);
}

async function isPixel(file: vscode.Uri, stat: vscode.FileStat): Promise<boolean> {
  if (!isOfType(stat, vscode.FileType.File) || stat.size > largestPixel) {
    return false;
  }
  const bytes = await readAtMost(file, largestPixel).catch(() => undefined);
  const found = dimensionsFromPrefix(bytes ?? new Uint8Array());
  return found.kind === 'known' && found.width === 1 && found.height === 1;
}

/** Returns a folder and those that it is in, up to the root. */
function upTo(folder: vscode.Uri, root: vscode.Uri): vscode.Uri[] {
  const found = [folder];
  for (let place = folder; isInside(place.path, root.path);) {
    place = vscode.Uri.joinPath(place, '..');
    found.push(place);
  }
  return found;
}

async function readAliases(folder: vscode.Uri): Promise<Layout['aliases']> {
  const found = await Promise.all(
    aliasFiles.map(async (name) => {
      const file = vscode.Uri.joinPath(folder, name);
      const bytes = await readAtMost(file, largestAliases).catch(() => undefined);
      return bytes ? aliasesIn(new TextDecoder().decode(bytes), name, folder.path) : [];
    }),
  );
  return found.flat();
}
