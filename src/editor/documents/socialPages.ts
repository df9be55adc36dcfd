import { posix } from 'node:path';
import type * as vscode from 'vscode';
import { wayBelow, wayBetween } from '../../common/disk/fileUris.ts';
import { languageOf } from '../../references/findReferences.ts';
import type { Readings } from '../../references/references.ts';
import { isAssets, isInside } from '../../references/places.ts';
import {
  type CardImage,
  pageLanguages,
  type PageWords,
  type TextEdit,
  withEdits,
} from '../../socialCards/cardImage.ts';
import type { Settings } from '../window/settings.ts';
import type { ReadableDocument } from './readDocuments.ts';
import { WantedImages } from './wantedImages.ts';

/** The image of a card, once it is a file. */
export interface CardFile extends Pick<CardImage, 'alt' | 'width' | 'height'> {
  uri: vscode.Uri;
}

/** The change of a page that names the image of its card. */
export interface PageEdit {
  edits: readonly TextEdit[];
  /** The page after it. */
  text: string;
  /** What is new in it. */
  put: string;
  /** Whether networks find the image by the address. */
  isWhole: boolean;
}

/** Reads what pages say of themselves, and has them name the images of their cards. */
export class SocialPages {
  readonly #settings: Settings;
  readonly #readings: Readings;

  constructor(settings: Settings, readings: Readings) {
    this.#settings = settings;
    this.#readings = readings;
  }

  /** @returns undefined for what is no page */
  async read(document: ReadableDocument): Promise<PageWords | undefined> {
    const language = pageLanguageOf(document);
    return language === undefined ? undefined : this.#readings.readPage(document.getText(), language);
  }

  /** Returns the folder for the image of a page's card: that of the image it takes the place of, where that is named beside the page. */
  async folderFor(document: ReadableDocument): Promise<vscode.Uri> {
    const wanted = new WantedImages(this.#settings);
    const named = await this.#readings.imageOfPage(document.getText(), pageLanguageOf(document) ?? '');
    const { root } = await wanted.layoutOf(document);
    if (named !== undefined && /^\.{1,2}\//u.test(named)) {
      const folder = posix.dirname(posix.join(posix.dirname(document.uri.path), named));
      if (wayBelow(root, folder) !== undefined) {
        return document.uri.with({ path: folder });
      }
    }
    return wanted.folderForNew(document, true);
  }

  /** Returns what makes a page name the image of its card; undefined where only its author knows how. */
  async editFor(document: ReadableDocument, { uri, ...image }: CardFile): Promise<PageEdit | undefined> {
    const { publicFolders, root } = await new WantedImages(this.#settings).layoutOf(document);
    const folder = publicFolders.find((one) => !isAssets(one) && isInside(uri.path, one));
    const { path } = document.uri;
    const text = document.getText();
    const change = await this.#readings.writePage(text, pageLanguageOf(document) ?? '', {
      ...image,
      fromPage: wayBetween(posix.dirname(path), uri.path),
      fromSite: `/${wayBelow(folder ?? root, uri.path) ?? ''}`,
      isPublic: folder !== undefined,
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

function pageLanguageOf({ languageId, uri }: ReadableDocument): string | undefined {
  const language = languageOf(languageId, uri.path);
  return language !== undefined && pageLanguages.has(language) ? language : undefined;
}
