import * as vscode from 'vscode';
import { languageOf } from '../../references/findReferences.ts';
import type { Reference } from '../../references/reference.ts';
import type { TaskRequest } from '../../tasks/task.ts';
import { isSame } from '../window/files.ts';
import type { Settings } from '../window/settings.ts';
import { wordsFor } from './proposal.ts';
import type { ReadDocuments } from './readDocuments.ts';
import { WantedImages } from './wantedImages.ts';

/** What an address is not the whole of, beside it. */
const partOfPath = /[\p{L}\p{N}_%./\\~-]/u;
/** How often an edit is made anew because the document changed meanwhile: while a person types, it may a few times. */
const mostTries = 20;

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
   * Puts an image in its places, unless the document names it already. What was saved before is saved.
   *
   * @returns whether it is there; not where its places are gone, or several may be meant
   * @throws the error of VS Code, or another, when the document can't be read or changed
   */
  async put(reference: PlacedReference, file: vscode.Uri): Promise<boolean> {
    const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(reference.document, true));
    for (let tries = 0; tries < mostTries; tries++) {
      const { version } = document;
      const edit = await this.#editFor(document, reference, file);
      if (edit.size === 0) {
        return this.#names(document, file);
      }
      // What a person is typing is theirs to save.
      const { isDirty } = document;
      if (version === document.version && (await vscode.workspace.applyEdit(edit))) {
        await (isDirty || document.save());
        return true;
      }
    }
    throw new Error(`${reference.document} could not be changed.`);
  }

  /** Whether an image has a place that it is not in yet. @throws the error of VS Code when the document can't be read */
  async has(reference: PlacedReference, file: vscode.Uri): Promise<boolean> {
    const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(reference.document, true));
    return (await this.#editFor(document, reference, file)).size > 0;
  }

  async #editFor(
    document: vscode.TextDocument,
    reference: PlacedReference,
    file: vscode.Uri,
  ): Promise<vscode.WorkspaceEdit> {
    const wanted = new WantedImages(this.#settings);
    const edit = new vscode.WorkspaceEdit();
    const places =
      reference.words === undefined
        ? this.#placesOf(document, reference.address)
        : await this.#placesMeant(document, reference, wanted);
    for (const place of places) {
      const range = new vscode.Range(document.positionAt(place.start), document.positionAt(place.end));
      edit.replace(document.uri, range, await wanted.addressOf(document, file, place));
    }
    return edit;
  }

  /**
   * Returns the places that say the words of a reference. Where none does any more, returns those of its address that
   * say what nobody knows yet, if all of them say the same.
   */
  async #placesMeant(
    document: vscode.TextDocument,
    { address, words, otherWords }: PlacedReference,
    wanted: WantedImages,
  ): Promise<Place[]> {
    const byWords = new Map<string, Place[]>();
    for (const reference of this.#referencesTo(document, address)) {
      const image = await wanted.at(document, reference);
      if (image) {
        const said = wordsFor(image);
        byWords.set(said, [...(byWords.get(said) ?? []), reference]);
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

  async #names(document: vscode.TextDocument, file: vscode.Uri): Promise<boolean> {
    const wanted = new WantedImages(this.#settings);
    for (const reference of this.#documents.referencesIn(document)) {
      const named = await wanted.fileOf(document, reference);
      if (named && isSame(named, file)) {
        return true;
      }
    }
    return false;
  }

  #referencesTo(document: vscode.TextDocument, address: string): Reference[] {
    return this.#documents.referencesIn(document).filter((one) => one.address === address);
  }

  /** In a language that is not read, an address is known by its letters. */
  #placesOf(document: vscode.TextDocument, address: string): Place[] {
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
