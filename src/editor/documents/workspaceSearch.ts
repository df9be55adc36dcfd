import * as vscode from 'vscode';
import { languageOf } from '../../references/references.ts';
import { offer } from '../failures/errorText.ts';
import { plainText } from '../window/plainText.ts';
import type { Settings } from '../window/settings.ts';
import { readDocument, reopenAction } from './changeDocument.ts';
import { readFile, statFile } from './files/diskFiles.ts';
import { decodeFile } from './files/fileText.ts';
import { listDocuments, maxFiles, type UnreadableFolder } from './files/listDocuments.ts';
import type { Hints } from './hints.ts';
import { maxLength, type ReadableDocument, type ReadDocuments } from './readDocuments.ts';
import { type WantedImage, WantedImages } from './wantedImages.ts';

/** How many are read at a time. */
const together = 8;
/** After how many the progress is told. */
const step = 100;

type Found = readonly [ReadableDocument, WantedImage];

/** Finds the images that the documents of the workspace still need, with its progress in sight. */
export class WorkspaceSearch {
  readonly #documents: Pick<ReadDocuments, 'referencesIn'>;
  readonly #hints: Pick<Hints, 'wantedIn'>;
  readonly #settings: Settings;
  readonly #log: vscode.LogOutputChannel;
  /** Files that named no image when they were read, as most do, with what changes whenever they do. */
  readonly #imageless = new Map<string, string>();

  constructor(
    documents: Pick<ReadDocuments, 'referencesIn'>,
    hints: Pick<Hints, 'wantedIn'>,
    settings: Settings,
    log: vscode.LogOutputChannel,
  ) {
    this.#documents = documents;
    this.#hints = hints;
    this.#settings = settings;
    this.#log = log;
  }

  /**
   * @param title says what is looked for
   * @throws vscode.CancellationError when the person stopped it
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
      const wanted = new WantedImages(this.#settings);
      const open = new Map(
        vscode.workspace.textDocuments.map((document) => [document.uri.toString(), document]),
      );
      const found: Found[][] = [];
      const lossy: vscode.Uri[] = [];
      const remaining = files.entries();
      const searchRemaining = async (): Promise<void> => {
        for (const [index, file] of remaining) {
          goOn();
          if (index % step === 0) {
            progress.report({ message: vscode.l10n.t('{0} of {1} documents', index, files.length) });
          }
          found[index] = await this.#search(file, open.get(file.toString()), wanted, lossy);
        }
      };
      await Promise.all(Array.from({ length: together }, searchRemaining));
      goOn();
      if (files.length === maxFiles) {
        void vscode.window.showWarningMessage(
          vscode.l10n.t('Only the first {0} documents of the workspace were searched.', maxFiles),
        );
      }
      this.#tellUnreadable(unreadable);
      this.#tellLossy(lossy);
      return found.flat();
    });
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
          ? vscode.l10n.t("The folder {0} was not searched: it can't be read.", name)
          : vscode.l10n.t(
              "{0} folders were not searched, {1} among them: they can't be read.",
              unreadable.length,
              name,
            ),
      );
    }
  }

  /** What such a document says would be sent and paid for in words that nobody wrote. */
  #tellLossy(lossy: readonly vscode.Uri[]): void {
    for (const file of lossy) {
      this.#log.warn(`${file.toString()} was left out: its encoding is not known.`);
    }
    const [first] = lossy;
    if (first) {
      const name = plainText(vscode.workspace.asRelativePath(first));
      const told =
        lossy.length === 1
          ? vscode.l10n.t('{0} was left out: it is in an encoding in which VS Code loses letters.', name)
          : vscode.l10n.t(
              '{0} documents were left out, {1} among them: they are in encodings in which VS Code loses letters.',
              lossy.length,
              name,
            );
      void offer(vscode.window.showWarningMessage, told, reopenAction(first));
    }
  }

  /** @param lossy gets the document if it names images, and its encoding loses something of it */
  async #search(
    file: vscode.Uri,
    open: vscode.TextDocument | undefined,
    wanted: WantedImages,
    lossy: vscode.Uri[],
  ): Promise<Found[]> {
    try {
      const document = open ? await this.#readOpen(open, lossy) : await this.#read(file, lossy);
      if (!document) {
        return [];
      }
      const images = await this.#hints.wantedIn(document, wanted);
      return images.map((image) => [document, image] as const);
    } catch (error) {
      // A file that is no text, or that is gone by now.
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

  /** Reads a file, unless it has not changed since it named no image; undefined where it names none, or is lossy. */
  async #read(file: vscode.Uri, lossy: vscode.Uri[]): Promise<ReadableDocument | undefined> {
    const { size, mtime } = await statFile(file);
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

/** Opening a document would wake every extension for its language, thousands of times. */
function asDocument(uri: vscode.Uri, text: string): ReadableDocument {
  return { uri, languageId: 'plaintext', version: 1, getText: () => text };
}
