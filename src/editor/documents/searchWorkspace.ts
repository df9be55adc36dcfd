import * as vscode from 'vscode';
import type { Settings } from '../window/settings.ts';
import { readFile, statFile } from './files/diskFiles.ts';
import { listDocuments, maxFiles } from './files/listDocuments.ts';
import type { Hints } from './hints.ts';
import { maxLength, type ReadableDocument } from './readDocuments.ts';
import { type WantedImage, WantedImages } from './wantedImages.ts';

/** How many are read at a time. */
const together = 8;
/** After how many the progress is told. */
const step = 100;

/**
 * Finds the images that the documents of the workspace still need, with its progress in sight.
 *
 * @throws vscode.CancellationError when the person stopped it
 */
export async function searchWorkspace(
  title: string,
  hints: Hints,
  settings: Settings,
  log: vscode.LogOutputChannel,
): Promise<(readonly [ReadableDocument, WantedImage])[]> {
  const options = { location: vscode.ProgressLocation.Notification, title, cancellable: true };
  return vscode.window.withProgress(options, async (progress, cancelled) => {
    const goOn = (): void => {
      if (cancelled.isCancellationRequested) {
        throw new vscode.CancellationError();
      }
    };
    const files = await listDocuments(goOn, log);
    const wanted = new WantedImages(settings);
    const open = new Map(
      vscode.workspace.textDocuments.map((document) => [document.uri.toString(), document]),
    );
    const decoder = new TextDecoder();
    const search = async (file: vscode.Uri): Promise<(readonly [ReadableDocument, WantedImage])[]> => {
      try {
        const known = open.get(file.toString());
        if (!known && (await statFile(file)).size > maxLength) {
          return [];
        }
        const document = known ?? asDocument(file, decoder.decode(await readFile(file)));
        const images = await hints.wantedIn(document, wanted);
        return images.map((image) => [document, image] as const);
      } catch (error) {
        // A file that is no text, or that is gone by now.
        log.debug(`${file.toString()} was not searched: ${String(error)}`);
        return [];
      }
    };
    const found: Awaited<ReturnType<typeof search>>[] = [];
    const remaining = files.entries();
    const searchRemaining = async (): Promise<void> => {
      for (const [index, file] of remaining) {
        goOn();
        if (index % step === 0) {
          progress.report({ message: vscode.l10n.t('{0} of {1} documents', index, files.length) });
        }
        found[index] = await search(file);
      }
    };
    await Promise.all(Array.from({ length: together }, searchRemaining));
    goOn();
    if (files.length === maxFiles) {
      void vscode.window.showWarningMessage(
        vscode.l10n.t('Only the first {0} documents of the workspace were searched.', maxFiles),
      );
    }
    return found.flat();
  });
}

/** Opening a document would wake every extension for its language, thousands of times. */
function asDocument(uri: vscode.Uri, text: string): ReadableDocument {
  return { uri, languageId: 'plaintext', version: 1, getText: () => text };
}
