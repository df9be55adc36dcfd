import { posix } from 'node:path';
import * as vscode from 'vscode';
import { wayBelow, wayBetween } from '../../common/fileUris.ts';
import { languageBy, languageOf } from '../../pages/find/languages.ts';
import type { Readings } from '../../pages/find/references.ts';
import { isAssets, servedAs } from '../../pages/sites/places.ts';
import { type CardImage, type PageWords, type TextEdit, withEdits } from '../../pages/cards/cardImage.ts';
import type { Reference } from '../../pages/scan/reference.ts';
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

/** Reads the words of pages, and makes pages name the images of their cards. */
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
    return {
      edits: change.edits,
      text: withEdits(text, change.edits),
      put: change.edits.map((one) => one.text).join(' '),
      isWhole: change.isWhole,
    };
  }
}

function asReference(address: string): Reference {
  return { address, start: 0, end: 0, wholes: [], notation: 'yaml', words: {}, size: {} };
}

function pageLanguageOf({ languageId, uri }: ReadableDocument): string | undefined {
  const language = languageOf(languageId, uri.path);
  return language !== undefined && languageBy(language)?.traits.includes('page') ? language : undefined;
}
