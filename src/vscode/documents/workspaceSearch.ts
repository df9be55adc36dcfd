import { posix } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { languageOf } from '../../pages/find/languages.ts';
import { maxLength } from '../../pages/find/references.ts';
import { isSame } from '../window/files.ts';
import { offer } from '../window/offers.ts';
import { plainText } from '../window/plainText.ts';
import type { Settings } from '../window/settings.ts';
import { readDocument, reopenAction } from './changeDocument.ts';
import { readFile, filesOf, decodeFile } from './diskFiles.ts';
import { listDocuments, maxFiles, type UnreadableFolder } from './listDocuments.ts';
import type { Hints } from './hints.ts';
import type { ImageIndex } from './imageIndex.ts';
import type { ReadableDocument, ReadDocuments } from './readDocuments.ts';
import { type WantedImage, WantedImages } from './wantedImages.ts';

const together = 8;
const step = 100;

/** @property isSuspicious whether most images that the documents of its folder name don't exist */
type Found = readonly [document: ReadableDocument, image: WantedImage, isSuspicious: boolean];

/** A place in a document that names an image. */
export interface ImageUse {
  file: vscode.Uri;
  position: vscode.Position;
}

/** Finds the images that the documents of the workspace still need, and shows its progress. */
export class WorkspaceSearch {
  readonly #documents: Pick<ReadDocuments, 'referencesIn'>;
  readonly #hints: Pick<Hints, 'wantedIn'>;
  readonly #settings: Settings;
  readonly #log: vscode.LogOutputChannel;
  readonly #index: ImageIndex | undefined;
  /** Files that named no image when they were last read, with their stamps. */
  readonly #imageless = new Map<string, string>();

  constructor(
    documents: Pick<ReadDocuments, 'referencesIn'>,
    hints: Pick<Hints, 'wantedIn'>,
    settings: Settings,
    log: vscode.LogOutputChannel,
    index?: ImageIndex,
  ) {
    this.#documents = documents;
    this.#hints = hints;
    this.#settings = settings;
    this.#log = log;
    this.#index = index;
  }

  /**
   * @param title describes the search
   * @throws vscode.CancellationError if the user stops it
   */
  async run(title: string): Promise<Found[]> {
    const options = { location: vscode.ProgressLocation.Notification, title, cancellable: true };
    return vscode.window.withProgress(options, async (progress, cancelled) => {
      const goOn = (): void => {
        if (cancelled.isCancellationRequested) {
          throw new vscode.CancellationError();
        }
      };
      const { files, unreadable } = await listDocuments(goOn);
      this.#index?.forget();
      const wanted = new WantedImages(this.#settings, this.#index);
      const open = new Map(
        vscode.workspace.textDocuments.map((document) => [document.uri.toString(), document]),
      );
      const found: (readonly [ReadableDocument, WantedImage])[][] = [];
      const lossy: vscode.Uri[] = [];
      const remaining = files.entries();
      const searchRemaining = async (): Promise<void> => {
        for (const [index, file] of remaining) {
          goOn();
          if (index % step === 0) {
            progress.report({ message: l10n.t('{0} of {1} documents', index, files.length) });
          }
          found[index] = await this.#search(file, open.get(file.toString()), wanted, lossy);
        }
      };
      await Promise.all(Array.from({ length: together }, searchRemaining));
      goOn();
      if (files.length === maxFiles) {
        void vscode.window.showWarningMessage(
          l10n.t('Only the first {0} documents of the workspace were searched.', maxFiles),
        );
      }
      this.#tellUnreadable(unreadable);
      this.#tellLossy(lossy);
      return found.flat().map(([document, image]) => [document, image, wanted.isSuspicious(document)]);
    });
  }

  /**
   * Finds the places in the documents of the workspace that name an image, one after the other.
   *
   * @param goOn throws to stop
   */
  async *usesOf(image: vscode.Uri, goOn: () => void): AsyncGenerator<ImageUse> {
    const { files } = await listDocuments(goOn);
    const wanted = new WantedImages(this.#settings);
    const open = new Map(
      vscode.workspace.textDocuments.map((document) => [document.uri.toString(), document]),
    );
    const { name } = posix.parse(image.path);
    // Nothing else is resolved: addresses may lack the extension, and encode the rest.
    const mayName = (text: string): boolean => text.includes(name) || text.includes(encodeURI(name));
    for (const file of files) {
      goOn();
      const document = open.get(file.toString()) ?? (await this.#read(file, []).catch(() => undefined));
      const text = document?.getText() ?? '';
      const named =
        document && mayName(text)
          ? (await this.#documents.referencesIn(document)).filter(({ address }) => mayName(address))
          : [];
      for (const reference of named) {
        const found = document && (await wanted.fileOf(document, reference));
        if (found && isSame(found, image)) {
          const lines = text.slice(0, reference.start).split(/\r\n|\r|\n/u);
          yield { file, position: new vscode.Position(lines.length - 1, lines.at(-1)?.length ?? 0) };
        }
      }
    }
  }

  #tellUnreadable(unreadable: readonly UnreadableFolder[]): void {
    for (const { folder, error } of unreadable) {
      this.#log.warn(`${folder.toString()} was not searched: ${String(error)}`);
    }
    const [first] = unreadable;
    if (first) {
      const name = plainText(vscode.workspace.asRelativePath(first.folder));
      void vscode.window.showWarningMessage(
        unreadable.length === 1
          ? l10n.t("The folder {0} was skipped: it can't be read.", name)
          : l10n.t("{0} folders were skipped, including {1}: they can't be read.", unreadable.length, name),
      );
    }
  }

  /** Skipped documents would otherwise send and bill prompts with wrong characters. */
  #tellLossy(lossy: readonly vscode.Uri[]): void {
    for (const file of lossy) {
      this.#log.warn(`${file.toString()} was left out: its encoding is not known.`);
    }
    const [first] = lossy;
    if (first) {
      const name = plainText(vscode.workspace.asRelativePath(first));
      const told =
        lossy.length === 1
          ? l10n.t('{0} was skipped: VS Code loses characters in its encoding.', name)
          : l10n.t(
              '{0} documents were skipped, including {1}: VS Code loses characters in their encodings.',
              lossy.length,
              name,
            );
      void offer(vscode.window.showWarningMessage, told, reopenAction(first));
    }
  }

  /** @param lossy collects documents that name images and whose encoding loses characters */
  async #search(
    file: vscode.Uri,
    open: vscode.TextDocument | undefined,
    wanted: WantedImages,
    lossy: vscode.Uri[],
  ): Promise<(readonly [ReadableDocument, WantedImage])[]> {
    try {
      const document = open ? await this.#readOpen(open, lossy) : await this.#read(file, lossy);
      if (!document) {
        return [];
      }
      const images = await this.#hints.wantedIn(document, wanted);
      return images.map((image) => [document, image] as const);
    } catch (error) {
      // A file that isn't text, or is gone by now.
      this.#log.debug(`${file.toString()} was not searched: ${String(error)}`);
      return [];
    }
  }

  async #readOpen(open: vscode.TextDocument, lossy: vscode.Uri[]): Promise<ReadableDocument | undefined> {
    const document = await readDocument(open.uri);
    if (!document && (await this.#documents.referencesIn(open)).length > 0) {
      lossy.push(open.uri);
    }
    return document;
  }

  /** Reads a file, unless it is unchanged since it named no image; undefined if it names none or is lossy. */
  async #read(file: vscode.Uri, lossy: vscode.Uri[]): Promise<ReadableDocument | undefined> {
    const { size, mtime } = await filesOf(file).stat(file.path);
    const key = file.toString();
    const stamp = `${mtime}-${size}`;
    if (size > maxLength || this.#imageless.get(key) === stamp) {
      return undefined;
    }
    const language = languageOf('plaintext', file.path) ?? 'plaintext';
    const { text, isLossy } = await decodeFile(file, language, await readFile(file));
    const document = asDocument(file, text);
    if ((await this.#documents.referencesIn(document)).length > 0) {
      if (!isLossy) {
        return document;
      }
      lossy.push(file);
      return undefined;
    }
    this.#imageless.set(key, stamp);
    return undefined;
  }
}

/** Decodes files without opening them, which would wake every extension for their language, thousands of times. */
function asDocument(uri: vscode.Uri, text: string): ReadableDocument {
  return { uri, languageId: 'plaintext', version: 1, getText: () => text };
}
