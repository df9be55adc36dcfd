import { posix } from 'node:path';
import * as vscode from 'vscode';
import { wayBelow, wayBetween } from '../../common/fileUris.ts';
import { languageBy, languageOf } from '../../pages/find/languages.ts';
import type { Readings } from '../../pages/find/references.ts';
import { isAssets, servedAs } from '../../pages/sites/places.ts';
import { type CardImage, type PageWords, type TextEdit, withEdits } from '../../pages/cards/cardImage.ts';
import type { HeadLink } from '../../pages/cards/headLinks.ts';
import type { ImageSources } from '../../pages/cards/pictureSources.ts';
import type { Reference } from '../../pages/scan/reference.ts';
import { isSame } from '../window/files.ts';
import type { Settings } from '../window/settings.ts';
import type { ImageIndex } from './imageIndex.ts';
import type { ReadableDocument } from './readDocuments.ts';
import { WantedImages } from './wantedImages.ts';

export interface CardFile extends Pick<CardImage, 'alt' | 'width' | 'height'> {
  uri: vscode.Uri;
}

export interface PageEdit {
  edits: readonly TextEdit[];
  text: string;
  put: string;
  /** Whether networks can resolve the image's address. */
  isWhole: boolean;
}

/** Reads the words of pages, and makes pages name the images of their cards and those of an export set. */
export class SocialPages {
  readonly #settings: Settings;
  readonly #readings: Readings;
  readonly #index: ImageIndex | undefined;

  constructor(settings: Settings, readings: Readings, index?: ImageIndex) {
    this.#settings = settings;
    this.#readings = readings;
    this.#index = index;
  }

  /** @returns undefined for a document that isn't a page */
  async read(document: ReadableDocument): Promise<PageWords | undefined> {
    const language = pageLanguageOf(document);
    return language === undefined ? undefined : this.#readings.readPage(document.getText(), language);
  }

  /**
   * Returns the folder for the image of a page's card: that of the current image, if it exists or the page names it by
   * a relative path.
   */
  async folderFor(document: ReadableDocument): Promise<vscode.Uri> {
    const wanted = new WantedImages(this.#settings, this.#index);
    const named = await this.#readings.imageOfPage(document.getText(), pageLanguageOf(document) ?? '');
    const { root } = await wanted.layoutOf(document);
    if (named !== undefined && /^\.{1,2}\//u.test(named)) {
      const folder = posix.dirname(posix.join(posix.dirname(document.uri.path), named));
      if (wayBelow(root, folder) !== undefined) {
        return document.uri.with({ path: folder });
      }
    }
    const current = await this.imageOf(document);
    return current ? vscode.Uri.joinPath(current, '..') : wanted.folderForNew(document, true);
  }

  /** Returns the file of the image that a page names, if it exists in the workspace. */
  async imageOf(document: ReadableDocument): Promise<vscode.Uri | undefined> {
    const named = await this.#readings.imageOfPage(document.getText(), pageLanguageOf(document) ?? '');
    return named === undefined
      ? undefined
      : new WantedImages(this.#settings, this.#index).fileOf(document, asReference(named));
  }

  /** Returns the edit that makes a page name its card's image; undefined if only its author knows how. */
  async editFor(document: ReadableDocument, { uri, ...image }: CardFile): Promise<PageEdit | undefined> {
    const wanted = new WantedImages(this.#settings, this.#index);
    const { rules, served, root } = await wanted.layoutOf(document, true);
    const ofSite = [...rules.flatMap((one) => one.served), ...served].filter((one) => !isAssets(one));
    const named = (await wanted.pathsTo(document, uri)).path;
    const address = named.startsWith('/') ? named : servedAs(uri.path, ofSite);
    const { path } = document.uri;
    const text = document.getText();
    const change = await this.#readings.writePage(text, pageLanguageOf(document) ?? '', {
      ...image,
      fromPage: wayBetween(posix.dirname(path), uri.path),
      fromSite: address ?? `/${wayBelow(root, uri.path) ?? ''}`,
      isPublic: address !== undefined,
      page: wayBelow(root, path) ?? '',
    });
    if (!change) {
      return undefined;
    }
    return pageEdit(text, change.edits, change.isWhole);
  }

  /** Returns the places where a document names an image. */
  async placesOf(document: ReadableDocument, image: vscode.Uri): Promise<readonly Reference[]> {
    const { languageId, uri } = document;
    const language = languageOf(languageId, uri.path);
    const all = await this.#readings.read(uri.toString(), document.getText(), language);
    const wanted = new WantedImages(this.#settings, this.#index);
    const found: Reference[] = [];
    for (const reference of all) {
      const file = await wanted.fileOf(document, reference);
      if (file && isSame(file, image)) {
        found.push(reference);
      }
    }
    return found;
  }

  /** Returns a file's path as a document names it. */
  async pathTo(document: ReadableDocument, file: vscode.Uri): Promise<string> {
    return (await new WantedImages(this.#settings, this.#index).pathsTo(document, file, 'markup')).path;
  }

  /** Returns the edit that gives images of a document other sources; undefined if none of them can have any. */
  async sourcesEdit(
    document: ReadableDocument,
    places: readonly Reference[],
    sources: ImageSources,
  ): Promise<PageEdit | undefined> {
    const text = document.getText();
    const language = languageOf(document.languageId, document.uri.path) ?? '';
    const edits = await this.#readings.writeSources(text, language, places, sources);
    return edits && pageEdit(text, edits);
  }

  /** Returns the edit that makes a page's head link to the icons of its site; undefined if only its author knows how. */
  async linksEdit(document: ReadableDocument, links: readonly HeadLink[]): Promise<PageEdit | undefined> {
    const text = document.getText();
    const edits = await this.#readings.writeHeadLinks(text, pageLanguageOf(document) ?? '', links);
    return edits && pageEdit(text, edits);
  }
}

function pageEdit(text: string, edits: readonly TextEdit[], isWhole = true): PageEdit {
  return { edits, text: withEdits(text, edits), put: edits.map((one) => one.text).join(' '), isWhole };
}

function asReference(address: string): Reference {
  return { address, start: 0, end: 0, wholes: [], notation: 'yaml', words: {}, size: {} };
}

function pageLanguageOf({ languageId, uri }: ReadableDocument): string | undefined {
  const language = languageOf(languageId, uri.path);
  return language !== undefined && languageBy(language)?.traits.includes('page') ? language : undefined;
}
