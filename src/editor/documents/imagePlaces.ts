import * as vscode from 'vscode';
import { inTurns } from '../../common/clock.ts';
import { languageOf } from '../../references/references.ts';
import type { Reference } from '../../references/reference.ts';
import type { TextEdit } from '../../socialCards/cardImage.ts';
import type { TaskRequest } from '../../tasks/task.ts';
import { isSame } from '../window/files.ts';
import type { Settings } from '../window/settings.ts';
import { changeDocument, readDocument } from './changeDocument.ts';
import { wordsFor } from './proposal.ts';
import type { ReadableDocument, ReadDocuments } from './readDocuments.ts';
import { WantedImages } from './wantedImages.ts';

/** What an address is not the whole of, beside it. */
const partOfPath = /[\p{L}\p{N}_%./\\~-]/u;

/** Where an address stands in a document. */
type Place = Pick<Reference, 'start' | 'end' | 'notation'>;
type PlacedReference = NonNullable<TaskRequest['reference']>;

/** Writes the addresses of images into documents, in the places that they were made for. */
export class ImagePlaces {
  readonly #documents: ReadDocuments;
  readonly #settings: Settings;

  constructor(documents: ReadDocuments, settings: Settings) {
    this.#documents = documents;
    this.#settings = settings;
  }

  /**
   * Puts an image in its places, unless the document names it already.
   *
   * @returns `there` where it is by now; `unclear` where its places are gone, or several may be meant; `lossy` where the
   * document was left as it is since its encoding loses something
   * @throws the error of VS Code or Node, or another, when the document can't be read or changed
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

  /** Whether an image has a place that it is not in yet. @throws the error of VS Code or Node when the document can't be read */
  async has(reference: PlacedReference, file: vscode.Uri): Promise<boolean> {
    const document = await readDocument(vscode.Uri.parse(reference.document, true));
    return document !== undefined && (await this.#editsFor(document, reference, file)).length > 0;
  }

  async #editsFor(
    document: ReadableDocument,
    reference: PlacedReference,
    file: vscode.Uri,
  ): Promise<TextEdit[]> {
    const wanted = new WantedImages(this.#settings);
    const places =
      reference.words === undefined
        ? await this.#placesOf(document, reference.address)
        : await this.#placesMeant(document, reference, wanted);
    const edits: TextEdit[] = [];
    for await (const place of inTurns(places)) {
      const { start, end } = place;
      edits.push({ start, end, text: await wanted.addressOf(document, file, place) });
    }
    return edits;
  }

  /**
   * Returns the places that say the words of a reference. Where none does any more, returns those of its address that
   * say what nobody knows yet, if all of them say the same.
   */
  async #placesMeant(
    document: ReadableDocument,
    { address, words, otherWords }: PlacedReference,
    wanted: WantedImages,
  ): Promise<Place[]> {
    const byWords = new Map<string, Place[]>();
    for await (const reference of inTurns(await this.#referencesTo(document, address))) {
      const image = await wanted.at(document, reference);
      if (image) {
        const said = wordsFor(image);
        const alike = byWords.get(said) ?? [];
        alike.push(reference);
        byWords.set(said, alike);
      }
    }
    const same = words === undefined ? undefined : byWords.get(words);
    if (same || !otherWords) {
      return same ?? [];
    }
    const changed = [...byWords].filter(([said]) => !otherWords.includes(said));
    const [only] = changed.length === 1 ? changed : [];
    return only?.[1] ?? [];
  }

  async #names(document: ReadableDocument, file: vscode.Uri): Promise<boolean> {
    const wanted = new WantedImages(this.#settings);
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

  /** In a language that is not read, an address is known by its letters. */
  async #placesOf(document: ReadableDocument, address: string): Promise<Place[]> {
    if (languageOf(document.languageId, document.uri.path) !== undefined) {
      return this.#referencesTo(document, address);
    }
    const text = document.getText();
    const places: Place[] = [];
    for (let start = text.indexOf(address); start !== -1; start = text.indexOf(address, start + 1)) {
      const end = start + address.length;
      if (!partOfPath.test(text[start - 1] ?? '') && !partOfPath.test(text[end] ?? '')) {
        places.push({ start, end, notation: 'path' });
      }
    }
    return places;
  }
}
