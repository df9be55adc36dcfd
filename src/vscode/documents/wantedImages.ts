import { posix } from 'node:path';
import * as vscode from 'vscode';
import { dimensionsFromPrefix } from '../../images/formats/dimensions.ts';
import { addressOfPath, pathOfAddress } from '../../pages/scan/addresses.ts';
import { baseIn } from '../../pages/find/baseIn.ts';
import { findReferences } from '../../pages/find/findReferences.ts';
import { languageBy, languageOf } from '../../pages/find/languages.ts';
import {
  type AddressKind,
  fileLike,
  folderOfMost,
  kindOf,
  type Neighbor,
  pathLike,
} from '../../pages/find/neighbors.ts';
import { isUnfinished, type Placeholder, placeholderAt } from '../../pages/scan/placeholders.ts';
import {
  type ImagePaths,
  isAssets,
  isInside,
  type Layout,
  pathBetween,
  placesOf,
  servedAs,
} from '../../pages/sites/places.ts';
import { isProse, type Served } from '../../pages/sites/site.ts';
import type { Notation, Reference } from '../../pages/scan/reference.ts';
import { renderFileName, withoutExtension } from '../../engine/task/fileNames.ts';
import { areRelated, wayBelow } from '../../common/fileUris.ts';
import type { Settings } from '../window/settings.ts';
import { entriesOf, readAtMost } from './diskFiles.ts';
import type { ImageIndex } from './imageIndex.ts';
import { Layouts } from './layouts.ts';
import { foreignFolders } from './listDocuments.ts';
import type { ReadableDocument } from './readDocuments.ts';

export interface MissingImage {
  kind: 'missing';
  reference: Reference;
  file: vscode.Uri;
}

/** Image that doesn't exist at its address, while files of the workspace end with that address. */
export interface ElsewhereImage {
  kind: 'elsewhere';
  reference: Reference;
  /** Path that the document names. */
  file: vscode.Uri;
  /** Files with a matching path. */
  files: readonly [vscode.Uri, ...vscode.Uri[]];
}

/** Image that stands for one still to be generated. */
export interface PlaceholderImage {
  kind: 'placeholder';
  reference: Reference;
  asked: Placeholder;
  folder: vscode.Uri;
}

type Whereabouts = readonly [vscode.Uri, vscode.FileStat | undefined];

export type WantedImage = MissingImage | ElsewhereImage | PlaceholderImage;

/** Maximum size of a single-pixel image file, in bytes. */
const largestPixel = 1024;
/** A folder with fewer missing images may be new. */
const leastSuspicious = 5;
/** Maximum number of images that show where new ones belong. */
const mostNeighbors = 200;
/** Maximum number of documents beside one whose images show where its own belong. */
const mostBeside = 20;
/** Maximum length of a document that is read for its images, in UTF-16 units. */
const longestBeside = 200_000;

/** Place of an address in a document, as far as it is known. */
type AddressPlace = Pick<Reference, 'notation'> & Partial<Pick<Reference, 'start'>>;

/**
 * Looks up the images that documents name. It caches folders, so each search of the workspace takes a new instance.
 */
export class WantedImages {
  readonly #settings: Settings;
  readonly #index: ImageIndex | undefined;
  readonly #layouts = new Layouts();
  readonly #bases = new WeakMap<ReadableDocument, { version: number; base: string | undefined }>();
  /** By address and prefix. */
  readonly #places = new WeakMap<ReadableDocument, Map<string, Promise<Whereabouts | undefined>>>();
  readonly #own = new WeakMap<ReadableDocument, { version: number; neighbors: Promise<Neighbor[]> }>();
  /** By folder and extension. */
  readonly #beside = new Map<string, Promise<Neighbor[]>>();
  /** Whether images exist, by their paths, by the folders of the documents that name them. */
  readonly #seen = new Map<string, Map<string, boolean>>();
  #hasImages = false;

  /** @param index tells which images are elsewhere; without it, they count as missing */
  constructor(settings: Settings, index?: ImageIndex) {
    this.#settings = settings;
    this.#index = index;
  }

  /** @returns undefined for an image that exists, isn't local, can't be resolved, or is outside of the workspace */
  async at(document: ReadableDocument, reference: Reference): Promise<WantedImage | undefined> {
    const root = vscode.workspace.getWorkspaceFolder(document.uri)?.uri;
    if (!root) {
      return undefined;
    }
    const asked = placeholderAt(reference.address);
    if (asked) {
      const folder = await this.folderForNew(document);
      // No browser takes the strings of a program for paths from its file.
      const isInProgram = reference.isString ?? isScript(document);
      return isInProgram && !(await this.#isServed(document, folder))
        ? undefined
        : { kind: 'placeholder', reference, asked, folder };
    }
    const [file, stat] = (await this.#whereabouts(document, root, reference)) ?? [];
    if (!file) {
      return undefined;
    }
    if (isUnfinished(file.path, stat !== undefined) || (stat && (await isPixel(file, stat)))) {
      return { kind: 'placeholder', reference, asked: {}, folder: vscode.Uri.joinPath(file, '..') };
    }
    if (stat) {
      this.#count(document, file, true);
    }
    if (stat || !isName(file.path)) {
      return undefined;
    }
    const path = pathOfAddress(reference.address, reference.notation) ?? '';
    const [first, ...others] = await this.#filesElsewhere(document, root, path);
    this.#hasImages ||= first !== undefined;
    if (first) {
      return { kind: 'elsewhere', reference, file, files: [first, ...others] };
    }
    const missing = await this.#missingAt(document, root, path, file);
    if (await this.#layouts.isIgnored(missing, root)) {
      return undefined;
    }
    this.#count(document, missing, false);
    return { kind: 'missing', reference, file: missing };
  }

  /**
   * Returns the files that a path may mean although it leads elsewhere, without those that a document of the same name
   * elsewhere names in the same way: they are the images of other pages.
   */
  async #filesElsewhere(document: ReadableDocument, root: vscode.Uri, path: string): Promise<vscode.Uri[]> {
    const files = (await this.#index?.filesLike(root, path)) ?? [];
    const end = `/${posix.join(path)}`;
    const found: vscode.Uri[] = [];
    for (const file of files) {
      const folder = file.path.endsWith(end) ? file.path.slice(0, -end.length) : undefined;
      const other = `${folder}/${posix.basename(document.uri.path)}`;
      const isOfOther = folder !== undefined && (await this.#layouts.statOf(file.with({ path: other })));
      if (!isOfOther) {
        found.push(file);
      }
    }
    return found;
  }

  /**
   * Whether most images that the documents of a folder name don't exist, while others do: the site probably keeps them in
   * another folder than Limner thinks. Counts what `at` was asked for.
   */
  isSuspicious({ uri }: Pick<ReadableDocument, 'uri'>): boolean {
    const images = [...(this.#seen.get(vscode.Uri.joinPath(uri, '..').toString())?.values() ?? [])];
    const missing = images.filter((isThere) => !isThere).length;
    return this.#hasImages && missing >= leastSuspicious && missing > images.length - missing;
  }

  #count({ uri }: ReadableDocument, image: vscode.Uri, isThere: boolean): void {
    const folder = vscode.Uri.joinPath(uri, '..').toString();
    this.#seen.set(folder, (this.#seen.get(folder) ?? new Map<string, boolean>()).set(image.path, isThere));
    this.#hasImages ||= isThere;
  }

  async fileOf(document: ReadableDocument, reference: Reference): Promise<vscode.Uri | undefined> {
    const root = vscode.workspace.getWorkspaceFolder(document.uri)?.uri;
    const [file, stat] = (root && (await this.#whereabouts(document, root, reference))) ?? [];
    return isOfType(stat, vscode.FileType.File) ? file : undefined;
  }

  async layoutOf({ uri }: Pick<ReadableDocument, 'uri'>, isMarkup = !isProse(uri.path)): Promise<Layout> {
    return this.#layouts.of(uri, rootOf(uri), isMarkup);
  }

  async addressOf(document: ReadableDocument, file: vscode.Uri, place: AddressPlace): Promise<string> {
    return areRelated(document.uri, file)
      ? addressOfPath(await this.#pathTo(document, file, place), place.notation)
      : file.toString();
  }

  /** @param kind of the address, if it is not that of the document */
  async pathsTo(document: ReadableDocument, file: vscode.Uri, kind?: AddressKind): Promise<ImagePaths> {
    const path = await this.#pathTo(document, file, { notation: 'url' }, kind);
    const served = await this.#servedFor(document, !isProse(document.uri.path));
    return servedAs(
      file.path,
      served.filter((one) => !isAssets(one)),
    ) === undefined
      ? {
          path,
          module: pathBetween(posix.dirname(document.uri.path), file.path, { served: [], isImport: true }),
        }
      : { path };
  }

  /** Returns the path by which a document names a file: as it names its others, or else as its site does. */
  async #pathTo(
    document: ReadableDocument,
    file: vscode.Uri,
    place: AddressPlace,
    kind = kindOf(document.getText(), { start: 0, ...place }, isProse(document.uri.path)),
  ): Promise<string> {
    const isImport = kind === 'import' && languageOfDocument(document) !== undefined;
    const layout = await this.layoutOf(document, kind === 'markup');
    const served = await this.#servedFor(document, kind === 'markup');
    const named = isImport ? [] : await this.#namedLike(document, file, kind, served);
    const like = pathLike(named, document.uri.path, file.path);
    if (like !== undefined && (like.startsWith('/') || this.#mayMean(document, layout, like, kind, file))) {
      return like;
    }
    const [rules] = layout.rules;
    return pathBetween(rules?.bases?.[0] ?? this.#baseFolder(document, layout), file.path, {
      served,
      // Front matter paths begin with `./`, too, unless the site is known.
      isImport: isImport || (kind === 'yaml' && rules === undefined),
    });
  }

  /** Whether a relative path of a document leads to a file, which may not exist yet. */
  #mayMean(
    document: ReadableDocument,
    layout: Layout,
    path: string,
    kind: AddressKind,
    file: vscode.Uri,
  ): boolean {
    const notation = kind === 'yaml' ? 'yaml' : 'url';
    const named = {
      path,
      notation,
      base: this.#baseIn(document) ?? '',
      isMarkup: kind === 'markup',
    } as const;
    return this.#placesOf(document, layout, named).includes(file.path);
  }

  /** Returns the folders whose files a document names from the root of its site. */
  async #servedFor(document: ReadableDocument, isMarkup: boolean): Promise<readonly Served[]> {
    const { rules, served } = await this.layoutOf(document, isMarkup);
    const [ofSite] = rules;
    return ofSite ? ofSite.served : isServed(document) ? served : [];
  }

  async #isServed(document: ReadableDocument, folder: vscode.Uri): Promise<boolean> {
    const { rules, served } = await this.layoutOf(document, true);
    const folders = rules[0]?.served ?? served.filter((one) => !isAssets(one));
    return servedAs(`${folder.path}/image`, folders) !== undefined;
  }

  /** Returns the images that show how a document names a file. */
  async #namedLike(
    document: ReadableDocument,
    file: vscode.Uri,
    kind: AddressKind,
    served: readonly Served[],
  ): Promise<Neighbor[]> {
    const neighbors = await this.#neighborsOf(document);
    const same = neighbors.filter((one) => one.kind === kind);
    if (same.length > 0 || servedAs(file.path, served) !== undefined) {
      return same;
    }
    // The rules of a site may treat relative addresses differently in prose, HTML, and front matter.
    const { rules } = await this.layoutOf(document);
    return neighbors.filter(({ path, kind: other }) =>
      rules.length === 0 && kind !== 'yaml' ? other !== 'yaml' : path.startsWith('/'),
    );
  }

  /** Returns the existing images of a document, or else those of the documents beside it. */
  async #neighborsOf(document: ReadableDocument): Promise<Neighbor[]> {
    const known = this.#own.get(document);
    const own = known?.version === document.version ? known.neighbors : this.#imagesOf(document);
    this.#own.set(document, { version: document.version, neighbors: own });
    if ((await own).length > 0) {
      return own;
    }
    const folder = vscode.Uri.joinPath(document.uri, '..');
    const extension = posix.extname(document.uri.path);
    const key = `${extension} ${folder.toString()}`;
    const beside = this.#beside.get(key) ?? this.#imagesBeside(folder, extension);
    this.#beside.set(key, beside);
    return beside;
  }

  async #imagesBeside(folder: vscode.Uri, extension: string): Promise<Neighbor[]> {
    const names: string[] = [];
    try {
      for await (const [name, type] of entriesOf(folder)) {
        if (type === vscode.FileType.File && posix.extname(name) === extension) {
          names.push(name);
        }
      }
    } catch {
      return [];
    }
    const found: Neighbor[] = [];
    for (const name of names.toSorted().slice(0, mostBeside)) {
      const uri = vscode.Uri.joinPath(folder, name);
      const bytes = await readAtMost(uri, longestBeside).catch(() => undefined);
      if (bytes) {
        const text = new TextDecoder().decode(bytes);
        const document = { uri, languageId: 'plaintext', version: 1, getText: () => text };
        found.push(...(await this.#imagesOf(document)));
      }
    }
    return found;
  }

  /** Returns the existing local images of a document, except for imported ones. */
  async #imagesOf(document: ReadableDocument): Promise<Neighbor[]> {
    const root = rootOf(document.uri);
    const text = document.getText();
    const language = text.length > longestBeside ? undefined : languageOfDocument(document);
    const found: Neighbor[] = [];
    for (const reference of findReferences(text, language)) {
      const kind = kindOf(text, reference, isProse(document.uri.path));
      const path = pathOfAddress(reference.address, reference.notation);
      // Those with an alias are for bundlers.
      if (path !== undefined && kind !== 'import' && !/^[@~]/u.test(path)) {
        const [file, stat] = (await this.#whereabouts(document, root, reference)) ?? [];
        // A relative path that leads nowhere tells nothing of others.
        const isFromRoot = path.startsWith('/');
        const there = stat ? file : file && isFromRoot ? await this.#only(root, path) : undefined;
        if (there && isOwn(there.path, root.path)) {
          found.push({ document: document.uri.path, path, file: there.path, kind });
        }
        if (found.length === mostNeighbors) {
          return found;
        }
      }
    }
    return found;
  }

  /** Returns the only file of the workspace that a path means although it leads elsewhere. */
  async #only(root: vscode.Uri, path: string): Promise<vscode.Uri | undefined> {
    const found = (await this.#index?.filesLike(root, path)) ?? [];
    return found.length === 1 && found[0]?.path.endsWith(path.replace(/^(?:\.{0,2}\/)+/u, '/'))
      ? found[0]
      : undefined;
  }

  /** Returns where a missing image belongs: of an unknown site, the other images of the document tell. */
  async #missingAt(
    document: ReadableDocument,
    root: vscode.Uri,
    path: string,
    usual: vscode.Uri,
  ): Promise<vscode.Uri> {
    const { rules } = await this.layoutOf(document);
    const like =
      rules.length === 0 && path.startsWith('/')
        ? fileLike(await this.#neighborsOf(document), path)
        : undefined;
    return like !== undefined && isInside(like, root.path) ? usual.with({ path: like }) : usual;
  }

  async #whereabouts(
    document: ReadableDocument,
    root: vscode.Uri,
    reference: Reference,
  ): Promise<Whereabouts | undefined> {
    const { address, notation } = reference;
    const path = pathOfAddress(address, notation);
    const base = this.#baseIn(document);
    if (path === undefined || base === undefined) {
      return undefined;
    }
    const known = this.#places.get(document) ?? new Map<string, Promise<Whereabouts | undefined>>();
    this.#places.set(document, known);
    const isMarkup = kindOf(document.getText(), reference, isProse(document.uri.path)) === 'markup';
    const key = JSON.stringify([notation, base, path, isMarkup]);
    const found = known.get(key) ?? this.#findFile(document, root, { path, notation, base, isMarkup });
    known.set(key, found);
    return found;
  }

  /** Returns the file that a document's path names, and its properties if it exists. */
  async #findFile(
    document: ReadableDocument,
    root: vscode.Uri,
    named: NamedPath,
  ): Promise<Whereabouts | undefined> {
    const layout = await this.#layouts.of(document.uri, root, named.isMarkup);
    const places = this.#placesOf(document, layout, named).map((path) => document.uri.with({ path }));
    for (const place of places) {
      const stat = await this.#layouts.statOf(place);
      if (stat === 'unknown') {
        return undefined;
      }
      if (stat) {
        return [place, stat];
      }
    }
    const vault = layout.rules.find(({ byName }) => byName !== undefined)?.byName;
    const alike = vault === undefined ? undefined : await this.#index?.filesLike(root, named.path, vault);
    for (const file of alike ?? []) {
      const stat = await this.#layouts.statOf(file);
      if (typeof stat === 'object') {
        return [file, stat];
      }
    }
    const [first] = places;
    return first && [first, undefined];
  }

  /** Returns the paths of files that a document's path may name. */
  #placesOf(document: ReadableDocument, layout: Layout, { path, notation, base }: NamedPath): string[] {
    const whole = path.startsWith('/') ? path : base + path;
    // Only the public folder shows where the site begins; bare paths of front matter may be in it.
    const isBare = notation !== 'url' && notation !== 'path' && !/^[.@~]/u.test(path);
    const hasBases = layout.rules.some(({ bases }) => bases !== undefined);
    const paths = whole.startsWith('/')
      ? [whole, path]
      : [...(hasBases ? [path] : []), whole, ...(isBare ? [`/${path}`] : [])];
    return paths.flatMap((one) => placesOf(one, document.uri.path, layout, isImported(document, notation)));
  }

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

  /** Returns the folder at which the relative addresses of a document begin. */
  #baseFolder(document: ReadableDocument, { root }: Layout): string {
    const folder = this.#baseIn(document) ?? '';
    return posix.join(folder.startsWith('/') ? root : posix.dirname(document.uri.path), folder, '.');
  }

  /**
   * Returns the folder for new images of a document: that of its other images, or of those of the documents beside it.
   * Without any, pages of a site find images only in its public folder; other prose names them as files.
   */
  async folderForNew(document: ReadableDocument, isPage = isServed(document)): Promise<vscode.Uri> {
    const ofOthers = folderOfMost(await this.#neighborsOf(document));
    if (ofOthers !== undefined) {
      return document.uri.with({ path: ofOthers });
    }
    const { rules, served } = await this.layoutOf(document);
    const ofSite = rules.flatMap(({ images }) => images ?? []).slice(0, 1);
    const shared = isPage ? served.filter((one) => !isAssets(one)).map((one) => `${one.folder}/images`) : [];
    const root = rootOf(document.uri);
    for (const path of [...ofSite, ...shared].filter((one) => isInside(one, root.path))) {
      const folder = document.uri.with({ path });
      // A site is often built into a folder that Git ignores.
      if (!(await this.#layouts.isIgnored(vscode.Uri.joinPath(folder, 'image.png'), root))) {
        return folder;
      }
    }
    const usual = vscode.Uri.joinPath(root, this.#settings.folder(document.uri));
    return isInside(usual.path, root.path) ? usual : vscode.Uri.joinPath(root, 'images');
  }
}

interface NamedPath {
  path: string;
  notation: Notation;
  base: string;
  isMarkup: boolean;
}

function isOfType(stat: vscode.FileStat | undefined | 'unknown', type: vscode.FileType): boolean {
  return typeof stat === 'object' && (stat.type & type) !== 0;
}

function rootOf(uri: vscode.Uri): vscode.Uri {
  return vscode.workspace.getWorkspaceFolder(uri)?.uri ?? vscode.Uri.joinPath(uri, '..');
}

function languageOfDocument({ languageId, uri }: ReadableDocument): string | undefined {
  return languageOf(languageId, uri.path);
}

function isImported(document: ReadableDocument, notation: Notation): boolean {
  const language = languageOfDocument(document);
  return notation === 'path' && language !== undefined;
}

/** Whether a document is part of a site, rather than prose that names files. */
function isServed(document: ReadableDocument): boolean {
  const language = languageOfDocument(document);
  return language !== undefined && !languageBy(language)?.traits.includes('prose');
}

/** Whether a document is a program, whose strings no browser takes for paths from its file. */
function isScript(document: ReadableDocument): boolean {
  return /^(?:java|type)script$/u.test(languageOfDocument(document) ?? '');
}

/** Whether a file may have others beside it: it is no copy of what others wrote, and not to be replaced. */
function isOwn(path: string, root: string): boolean {
  const names = (wayBelow(root, path) ?? '').split('/');
  return !names.some((name) => foreignFolders.includes(name)) && !isUnfinished(path, true);
}

/** Whether Limner can give a file exactly this name. */
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
