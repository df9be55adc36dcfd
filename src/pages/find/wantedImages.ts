import { posix } from 'node:path';
import { addressOfPath, pathOfAddress } from '../scan/addresses.ts';
import { baseIn } from './baseIn.ts';
import { foreignFolders } from './excluded.ts';
import { findReferences } from './findReferences.ts';
import { languageBy, languageOf } from './languages.ts';
import { type FileFacts, Layouts, type PageFiles } from './layouts.ts';
import { type AddressKind, fileLike, folderOfMost, kindOf, type Neighbor, pathLike } from './neighbors.ts';
import { isUnfinished, type Placeholder, placeholderAt } from '../scan/placeholders.ts';
import {
  type ImagePaths,
  isAssets,
  isInside,
  type Layout,
  pathBetween,
  placesOf,
  servedAs,
} from '../sites/places.ts';
import { isProse, type Served } from '../sites/site.ts';
import type { Notation, Reference } from '../scan/reference.ts';
import { wayBelow } from '../../common/fileUris.ts';

/** A document, as an editor or a process has it. */
export interface PageDocument {
  readonly uri: NamedFile;
  /** VS Code's id; plain text if only the extension tells. */
  readonly languageId: string;
  readonly version: number;
  getText(): string;
}

/** A file or folder, existing or not. */
export interface NamedFile {
  /** Absolute, with slashes. */
  readonly path: string;
}

/** What a door knows of the folder in which documents are. */
export interface PageFolder {
  /** Absolute path of the workspace folder. */
  root: string;
  files: PageFiles;
  /** Returns files of the folder that a path may mean although it leads elsewhere. @param below a folder */
  filesLike(path: string, below?: string): Promise<readonly string[]>;
  /** Returns the folder for new images, where nothing else tells. @param document its path */
  usualFolder(document: string): string;
  /** Whether a file is the image of a single pixel. */
  isPixel(bytes: Uint8Array): boolean;
  /** Whether Limner can give a file exactly this name. */
  isName(name: string): boolean;
}

export interface MissingImage {
  kind: 'missing';
  reference: Reference;
  file: NamedFile;
}

/** Image that doesn't exist at its address, while files of the workspace end with that address. */
export interface ElsewhereImage {
  kind: 'elsewhere';
  reference: Reference;
  /** Path that the document names. */
  file: NamedFile;
  /** Files with a matching path. */
  files: readonly [NamedFile, ...NamedFile[]];
}

/** Image that stands for one still to be generated. */
export interface PlaceholderImage {
  kind: 'placeholder';
  reference: Reference;
  asked: Placeholder;
  folder: NamedFile;
}

type Whereabouts = readonly [string, FileFacts | undefined];

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
export type AddressPlace = Pick<Reference, 'notation'> & Partial<Pick<Reference, 'start'>>;

/**
 * Looks up the images that documents name. It caches folders, so each search of the workspace takes a new instance.
 */
export class WantedInFolder {
  readonly #home: PageFolder;
  readonly #layouts: Layouts;
  readonly #bases = new WeakMap<PageDocument, { version: number; base: string | undefined }>();
  /** By address and prefix. */
  readonly #places = new WeakMap<PageDocument, Map<string, Promise<Whereabouts | undefined>>>();
  readonly #own = new WeakMap<PageDocument, { version: number; neighbors: Promise<Neighbor[]> }>();
  /** By folder and extension. */
  readonly #beside = new Map<string, Promise<Neighbor[]>>();
  /** Whether images exist, by their paths, by the folders of the documents that name them. */
  readonly #seen = new Map<string, Map<string, boolean>>();
  #hasImages = false;

  constructor(home: PageFolder) {
    this.#home = home;
    this.#layouts = new Layouts(home.files, home.root);
  }

  /** Whether documents named images that exist. Counts what `at` was asked for. */
  get hasImages(): boolean {
    return this.#hasImages;
  }

  /** @returns undefined for an image that exists, isn't local, can't be resolved, or is outside of the workspace */
  async at(document: PageDocument, reference: Reference): Promise<WantedImage | undefined> {
    const asked = placeholderAt(reference.address);
    if (asked) {
      const folder = await this.folderForNew(document);
      // No browser takes the strings of a program for paths from its file.
      const isInProgram = reference.isString ?? isScript(document);
      return isInProgram && !(await this.#isServed(document, folder))
        ? undefined
        : { kind: 'placeholder', reference, asked, folder: { path: folder } };
    }
    const [file, stat] = (await this.#whereabouts(document, reference)) ?? [];
    if (file === undefined) {
      return undefined;
    }
    if (isUnfinished(file, stat !== undefined) || (stat && (await this.#isPixel(file, stat)))) {
      return { kind: 'placeholder', reference, asked: {}, folder: { path: posix.dirname(file) } };
    }
    if (stat) {
      this.#count(document, file, true);
    }
    if (stat || !this.#home.isName(posix.basename(file))) {
      return undefined;
    }
    const path = pathOfAddress(reference.address, reference.notation) ?? '';
    const [first, ...others] = await this.#filesElsewhere(document, path);
    this.#hasImages ||= first !== undefined;
    if (first) {
      return { kind: 'elsewhere', reference, file: { path: file }, files: [first, ...others] };
    }
    const missing = await this.#missingAt(document, path, file);
    if (await this.#layouts.isIgnored(missing)) {
      return undefined;
    }
    this.#count(document, missing, false);
    return { kind: 'missing', reference, file: { path: missing } };
  }

  /**
   * Returns the files that a path may mean although it leads elsewhere, without those that a document of the same name
   * elsewhere names in the same way: they are the images of other pages.
   */
  async #filesElsewhere(document: PageDocument, path: string): Promise<NamedFile[]> {
    const files = await this.#home.filesLike(path);
    const end = `/${posix.join(path)}`;
    const found: NamedFile[] = [];
    for (const file of files) {
      const folder = file.endsWith(end) ? file.slice(0, -end.length) : undefined;
      const other = `${folder}/${posix.basename(document.uri.path)}`;
      const isOfOther = folder !== undefined && (await this.#layouts.statOf(other));
      if (!isOfOther) {
        found.push({ path: file });
      }
    }
    return found;
  }

  /**
   * Whether most images that the documents of a folder name don't exist, while others do: the site probably keeps them in
   * another folder than Limner thinks. Counts what `at` was asked for.
   *
   * @param hasImages whether others exist, also in other workspace folders
   */
  isSuspicious({ uri }: Pick<PageDocument, 'uri'>, hasImages = this.#hasImages): boolean {
    const images = [...(this.#seen.get(posix.dirname(uri.path))?.values() ?? [])];
    const missing = images.filter((isThere) => !isThere).length;
    return hasImages && missing >= leastSuspicious && missing > images.length - missing;
  }

  #count({ uri }: PageDocument, image: string, isThere: boolean): void {
    const folder = posix.dirname(uri.path);
    this.#seen.set(folder, (this.#seen.get(folder) ?? new Map<string, boolean>()).set(image, isThere));
    this.#hasImages ||= isThere;
  }

  async fileOf(document: PageDocument, reference: Reference): Promise<string | undefined> {
    const [file, stat] = (await this.#whereabouts(document, reference)) ?? [];
    return stat?.isFile ? file : undefined;
  }

  async layoutOf({ uri }: Pick<PageDocument, 'uri'>, isMarkup = !isProse(uri.path)): Promise<Layout> {
    return this.#layouts.of(uri.path, isMarkup);
  }

  async addressOf(document: PageDocument, { path }: NamedFile, place: AddressPlace): Promise<string> {
    return addressOfPath(await this.#pathTo(document, path, place), place.notation);
  }

  /** @param kind of the address, if it is not that of the document */
  async pathsTo(document: PageDocument, { path: file }: NamedFile, kind?: AddressKind): Promise<ImagePaths> {
    const path = await this.#pathTo(document, file, { notation: 'url' }, kind);
    const served = await this.#servedFor(document, !isProse(document.uri.path));
    return servedAs(
      file,
      served.filter((one) => !isAssets(one)),
    ) === undefined
      ? {
          path,
          module: pathBetween(posix.dirname(document.uri.path), file, { served: [], isImport: true }),
        }
      : { path };
  }

  /** Returns the path by which a document names a file: as it names its others, or else as its site does. */
  async #pathTo(
    document: PageDocument,
    file: string,
    place: AddressPlace,
    kind = kindOf(document.getText(), { start: 0, ...place }, isProse(document.uri.path)),
  ): Promise<string> {
    const isImport = kind === 'import' && languageOfDocument(document) !== undefined;
    const layout = await this.layoutOf(document, kind === 'markup');
    const served = await this.#servedFor(document, kind === 'markup');
    const named = isImport ? [] : await this.#namedLike(document, file, kind, served);
    const like = pathLike(named, document.uri.path, file);
    if (like !== undefined && (like.startsWith('/') || this.#mayMean(document, layout, like, kind, file))) {
      return like;
    }
    const [rules] = layout.rules;
    return pathBetween(rules?.bases?.[0] ?? this.#baseFolder(document, layout), file, {
      served,
      // Front matter paths begin with `./`, too, unless the site is known.
      isImport: isImport || (kind === 'yaml' && rules === undefined),
    });
  }

  /** Whether a relative path of a document leads to a file, which may not exist yet. */
  #mayMean(document: PageDocument, layout: Layout, path: string, kind: AddressKind, file: string): boolean {
    const notation = kind === 'yaml' ? 'yaml' : 'url';
    const named = {
      path,
      notation,
      base: this.#baseIn(document) ?? '',
      isMarkup: kind === 'markup',
    } as const;
    return this.#placesOf(document, layout, named).includes(file);
  }

  /** Returns the folders whose files a document names from the root of its site. */
  async #servedFor(document: PageDocument, isMarkup: boolean): Promise<readonly Served[]> {
    const { rules, served } = await this.layoutOf(document, isMarkup);
    const [ofSite] = rules;
    return ofSite ? ofSite.served : isServed(document) ? served : [];
  }

  async #isServed(document: PageDocument, folder: string): Promise<boolean> {
    const { rules, served } = await this.layoutOf(document, true);
    const folders = rules[0]?.served ?? served.filter((one) => !isAssets(one));
    return servedAs(`${folder}/image`, folders) !== undefined;
  }

  /** Returns the images that show how a document names a file. */
  async #namedLike(
    document: PageDocument,
    file: string,
    kind: AddressKind,
    served: readonly Served[],
  ): Promise<Neighbor[]> {
    const neighbors = await this.#neighborsOf(document);
    const same = neighbors.filter((one) => one.kind === kind);
    if (same.length > 0 || servedAs(file, served) !== undefined) {
      return same;
    }
    // The rules of a site may treat relative addresses differently in prose, HTML, and front matter.
    const { rules } = await this.layoutOf(document);
    return neighbors.filter(({ path, kind: other }) =>
      rules.length === 0 && kind !== 'yaml' ? other !== 'yaml' : path.startsWith('/'),
    );
  }

  /** Returns the existing images of a document, or else those of the documents beside it. */
  async #neighborsOf(document: PageDocument): Promise<Neighbor[]> {
    const known = this.#own.get(document);
    const own = known?.version === document.version ? known.neighbors : this.#imagesOf(document);
    this.#own.set(document, { version: document.version, neighbors: own });
    if ((await own).length > 0) {
      return own;
    }
    const folder = posix.dirname(document.uri.path);
    const extension = posix.extname(document.uri.path);
    const key = `${extension} ${folder}`;
    const beside = this.#beside.get(key) ?? this.#imagesBeside(folder, extension);
    this.#beside.set(key, beside);
    return beside;
  }

  async #imagesBeside(folder: string, extension: string): Promise<Neighbor[]> {
    const names: string[] = [];
    try {
      for await (const [name, kind] of this.#home.files.entries(folder)) {
        if (kind === 'file' && posix.extname(name) === extension) {
          names.push(name);
        }
      }
    } catch {
      return [];
    }
    const found: Neighbor[] = [];
    for (const name of names.toSorted().slice(0, mostBeside)) {
      const path = posix.join(folder, name);
      const bytes = await this.#home.files.read(path, longestBeside).catch(() => undefined);
      if (bytes) {
        const text = new TextDecoder().decode(bytes);
        const document = { uri: { path }, languageId: 'plaintext', version: 1, getText: () => text };
        found.push(...(await this.#imagesOf(document)));
      }
    }
    return found;
  }

  /** Returns the existing local images of a document, except for imported ones. */
  async #imagesOf(document: PageDocument): Promise<Neighbor[]> {
    const text = document.getText();
    const language = text.length > longestBeside ? undefined : languageOfDocument(document);
    const found: Neighbor[] = [];
    for (const reference of findReferences(text, language)) {
      const kind = kindOf(text, reference, isProse(document.uri.path));
      const path = pathOfAddress(reference.address, reference.notation);
      // Those with an alias are for bundlers.
      if (path !== undefined && kind !== 'import' && !/^[@~]/u.test(path)) {
        const [file, stat] = (await this.#whereabouts(document, reference)) ?? [];
        // A relative path that leads nowhere tells nothing of others.
        const isFromRoot = path.startsWith('/');
        const there = stat ? file : file !== undefined && isFromRoot ? await this.#only(path) : undefined;
        if (there !== undefined && isOwn(there, this.#home.root)) {
          found.push({ document: document.uri.path, path, file: there, kind });
        }
        if (found.length === mostNeighbors) {
          return found;
        }
      }
    }
    return found;
  }

  /** Returns the only file of the workspace that a path means although it leads elsewhere. */
  async #only(path: string): Promise<string | undefined> {
    const found = await this.#home.filesLike(path);
    return found.length === 1 && found[0]?.endsWith(path.replace(/^(?:\.{0,2}\/)+/u, '/'))
      ? found[0]
      : undefined;
  }

  /** Returns where a missing image belongs: of an unknown site, the other images of the document tell. */
  async #missingAt(document: PageDocument, path: string, usual: string): Promise<string> {
    const { rules } = await this.layoutOf(document);
    const like =
      rules.length === 0 && path.startsWith('/')
        ? fileLike(await this.#neighborsOf(document), path)
        : undefined;
    return like !== undefined && isInside(like, this.#home.root) ? like : usual;
  }

  async #whereabouts(document: PageDocument, reference: Reference): Promise<Whereabouts | undefined> {
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
    const found = known.get(key) ?? this.#findFile(document, { path, notation, base, isMarkup });
    known.set(key, found);
    return found;
  }

  /** Returns the file that a document's path names, and its properties if it exists. */
  async #findFile(document: PageDocument, named: NamedPath): Promise<Whereabouts | undefined> {
    const layout = await this.#layouts.of(document.uri.path, named.isMarkup);
    const places = this.#placesOf(document, layout, named);
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
    const alike = vault === undefined ? [] : await this.#home.filesLike(named.path, vault);
    for (const file of alike) {
      const stat = await this.#layouts.statOf(file);
      if (typeof stat === 'object') {
        return [file, stat];
      }
    }
    const [first] = places;
    return first === undefined ? undefined : [first, undefined];
  }

  /** Returns the paths of files that a document's path may name. */
  #placesOf(document: PageDocument, layout: Layout, { path, notation, base }: NamedPath): string[] {
    const whole = path.startsWith('/') ? path : base + path;
    // Only the public folder shows where the site begins; bare paths of front matter may be in it.
    const isBare = notation !== 'url' && notation !== 'path' && !/^[.@~]/u.test(path);
    const hasBases = layout.rules.some(({ bases }) => bases !== undefined);
    const paths = whole.startsWith('/')
      ? [whole, path]
      : [...(hasBases ? [path] : []), whole, ...(isBare ? [`/${path}`] : [])];
    return paths.flatMap((one) => placesOf(one, document.uri.path, layout, isImported(document, notation)));
  }

  #baseIn(document: PageDocument): string | undefined {
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
  #baseFolder(document: PageDocument, { root }: Layout): string {
    const folder = this.#baseIn(document) ?? '';
    return posix.join(folder.startsWith('/') ? root : posix.dirname(document.uri.path), folder, '.');
  }

  /**
   * Returns the folder for new images of a document: that of its other images, or of those of the documents beside it.
   * Without any, pages of a site find images only in its public folder; other prose names them as files.
   */
  async folderForNew(document: PageDocument, isPage = isServed(document)): Promise<string> {
    const ofOthers = folderOfMost(await this.#neighborsOf(document));
    if (ofOthers !== undefined) {
      return ofOthers;
    }
    const { rules, served } = await this.layoutOf(document);
    const ofSite = rules.flatMap(({ images }) => images ?? []).slice(0, 1);
    const shared = isPage ? served.filter((one) => !isAssets(one)).map((one) => `${one.folder}/images`) : [];
    const { root } = this.#home;
    for (const folder of [...ofSite, ...shared].filter((one) => isInside(one, root))) {
      // A site is often built into a folder that Git ignores.
      if (!(await this.#layouts.isIgnored(posix.join(folder, 'image.png')))) {
        return folder;
      }
    }
    const usual = this.#home.usualFolder(document.uri.path);
    return isInside(usual, root) ? usual : posix.join(root, 'images');
  }

  async #isPixel(file: string, { isFile, size }: FileFacts): Promise<boolean> {
    if (!isFile || size > largestPixel) {
      return false;
    }
    const bytes = await this.#home.files.read(file, largestPixel).catch(() => undefined);
    return bytes !== undefined && this.#home.isPixel(bytes);
  }
}

interface NamedPath {
  path: string;
  notation: Notation;
  base: string;
  isMarkup: boolean;
}

function languageOfDocument({ languageId, uri }: PageDocument): string | undefined {
  return languageOf(languageId, uri.path);
}

function isImported(document: PageDocument, notation: Notation): boolean {
  const language = languageOfDocument(document);
  return notation === 'path' && language !== undefined;
}

/** Whether a document is part of a site, rather than prose that names files. */
function isServed(document: PageDocument): boolean {
  const language = languageOfDocument(document);
  return language !== undefined && !languageBy(language)?.traits.includes('prose');
}

/** Whether a document is a program, whose strings no browser takes for paths from its file. */
function isScript(document: PageDocument): boolean {
  return /^(?:java|type)script$/u.test(languageOfDocument(document) ?? '');
}

/** Whether a file may have others beside it: it is no copy of what others wrote, and not to be replaced. */
function isOwn(path: string, root: string): boolean {
  const names = (wayBelow(root, path) ?? '').split('/');
  return !names.some((name) => foreignFolders.includes(name)) && !isUnfinished(path, true);
}
