import * as vscode from 'vscode';
import { inTurns } from '../../common/clock.ts';
import { languageOf } from '../../pages/find/languages.ts';
import { byWords, wantedAmong } from '../../pages/find/references.ts';
import type { Reference } from '../../pages/scan/reference.ts';
import type { TextEdit } from '../../pages/cards/cardImage.ts';
import type { TaskRequest } from '../../engine/task/task.ts';
import { isSame } from '../window/files.ts';
import type { Settings } from '../window/settings.ts';
import { changeDocument, readDocument } from './changeDocument.ts';
import type { ImageIndex } from './imageIndex.ts';
import type { ReadableDocument, ReadDocuments } from './readDocuments.ts';
import { type WantedImage, WantedImages } from './wantedImages.ts';

/** Character beside an address that makes the address part of a longer path. */
const partOfPath = /[\p{L}\p{N}_%./\\~-]/u;

type AddressRange = Pick<Reference, 'start' | 'end' | 'notation'>;
type PlacedReference = NonNullable<TaskRequest['reference']>;

/** Writes the addresses of images into the places in documents that they were generated for. */
export class ImagePlaces {
  readonly #documents: ReadDocuments;
  readonly #settings: Settings;
  readonly #index: ImageIndex | undefined;

  constructor(documents: ReadDocuments, settings: Settings, index?: ImageIndex) {
    this.#documents = documents;
    this.#settings = settings;
    this.#index = index;
  }

  /**
   * Writes an image's address into its places, unless the document already names it.
   *
   * @returns `there` if the document names it now; `unclear` if its places are gone or ambiguous; `lossy` if the
   * document's encoding loses characters
   * @throws the error of VS Code or Node, or another, if the document can't be read or changed
   */
  async put(reference: PlacedReference, file: vscode.Uri): Promise<'there' | 'unclear' | 'lossy'> {
    let isNamed = false;
    const change = await changeDocument(vscode.Uri.parse(reference.document, true), async (document) => {
      const edits = await this.#editsFor(document, reference, file);
      isNamed = edits.length === 0 && (await this.#names(document, file));
      return edits;
    });
    return change === 'lossy' ? change : change === 'changed' || isNamed ? 'there' : 'unclear';
  }

  /** Whether an image still has a place to fill. @throws the error of VS Code or Node if the document can't be read */
  async has(reference: PlacedReference, file: vscode.Uri): Promise<boolean> {
    const document = await readDocument(vscode.Uri.parse(reference.document, true));
    return document !== undefined && (await this.#editsFor(document, reference, file)).length > 0;
  }

  async #editsFor(
    document: ReadableDocument,
    reference: PlacedReference,
    file: vscode.Uri,
  ): Promise<TextEdit[]> {
    const wanted = new WantedImages(this.#settings, this.#index);
    const places =
      reference.words === undefined
        ? await this.#rangesOf(document, reference.address)
        : await this.#placesMeant(document, reference, wanted);
    const edits: TextEdit[] = [];
    for await (const place of inTurns(places)) {
      const { start, end } = place;
      edits.push({ start, end, text: await wanted.addressOf(document, file, place) });
    }
    return edits;
  }

  /**
   * Returns the places with the words of a reference. If none is left, returns the places of its address whose words
   * are new, provided that they all have the same words.
   */
  async #placesMeant(
    document: ReadableDocument,
    { address, words, otherWords }: PlacedReference,
    wanted: WantedImages,
  ): Promise<AddressRange[]> {
    const references = await this.#referencesTo(document, address);
    const found = await byWords(await wantedAmong(references, async (one) => wanted.at(document, one)));
    const same = words === undefined ? undefined : found.get(words);
    if (same || !otherWords) {
      return placesOf(same ?? []);
    }
    const changed = [...found].filter(([said]) => !otherWords.includes(said));
    const [only] = changed.length === 1 ? changed : [];
    return placesOf(only?.[1] ?? []);
  }

  async #names(document: ReadableDocument, file: vscode.Uri): Promise<boolean> {
    const wanted = new WantedImages(this.#settings, this.#index);
    for await (const reference of inTurns(await this.#documents.referencesIn(document))) {
      const named = await wanted.fileOf(document, reference);
      if (named && isSame(named, file)) {
        return true;
      }
    }
    return false;
  }

  async #referencesTo(document: ReadableDocument, address: string): Promise<Reference[]> {
    return (await this.#documents.referencesIn(document)).filter((one) => one.address === address);
  }

  /** In an unsupported language, finds the address as plain text. */
  async #rangesOf(document: ReadableDocument, address: string): Promise<AddressRange[]> {
    if (languageOf(document.languageId, document.uri.path) !== undefined) {
      return this.#referencesTo(document, address);
    }
    const text = document.getText();
    const places: AddressRange[] = [];
    for (let start = text.indexOf(address); start !== -1; start = text.indexOf(address, start + 1)) {
      const end = start + address.length;
      if (!partOfPath.test(text[start - 1] ?? '') && !partOfPath.test(text[end] ?? '')) {
        places.push({ start, end, notation: 'path' });
      }
    }
    return places;
  }
}

function placesOf(images: readonly WantedImage[]): AddressRange[] {
  return images.map(({ reference }) => reference);
}
