import * as vscode from 'vscode';
import { isTestFile } from '../../references/findReferences.ts';
import { readIfThere, statOf } from '../window/files.ts';
import type { Settings } from '../window/settings.ts';
import type { Hints } from './hints.ts';
import { foreignFolders, maxLength, type ReadableDocument } from './readDocuments.ts';
import { type WantedImage, WantedImages } from './wantedImages.ts';

/** Names of documents in the languages that are read. */
const documentFiles =
  '**/*.{md,markdown,mdx,html,htm,vue,svelte,astro,jsx,tsx,js,mjs,cjs,ts,mts,cts,json,css,scss,less,pcss,adoc,asciidoc}';
/** The most documents of a workspace that are searched. */
const maxFiles = 50_000;
/** How many are read at a time. */
const together = 32;

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
    const excluded = `**/{${foreignFolders.join(',')}}/**`;
    const listed = await vscode.workspace.findFiles(documentFiles, excluded, maxFiles, cancelled);
    const files = listed.filter(({ path }) => !isTestFile(path));
    const wanted = new WantedImages(settings);
    const open = new Map(
      vscode.workspace.textDocuments.map((document) => [document.uri.toString(), document]),
    );
    const decoder = new TextDecoder();
    const found: (readonly [ReadableDocument, WantedImage])[] = [];
    const search = async (file: vscode.Uri): Promise<typeof found> => {
      try {
        const known = open.get(file.toString());
        if (!known && ((await statOf(file))?.size ?? 0) > maxLength) {
          return [];
        }
        const document = known ?? asDocument(file, decoder.decode(await readIfThere(file)));
        const images = await hints.wantedIn(document, wanted);
        return images.map((image) => [document, image] as const);
      } catch (error) {
        // A file that is no text, or that is gone by now.
        log.debug(`${file.toString()} was not searched: ${String(error)}`);
        return [];
      }
    };
    const goOn = (): void => {
      if (cancelled.isCancellationRequested) {
        throw new vscode.CancellationError();
      }
    };
    // A list that was stopped is empty.
    goOn();
    for (let index = 0; index < files.length; index += together) {
      progress.report({ message: vscode.l10n.t('{0} of {1} documents', index, files.length) });
      found.push(...(await Promise.all(files.slice(index, index + together).map(search))).flat());
      goOn();
    }
    if (listed.length === maxFiles) {
      void vscode.window.showWarningMessage(
        vscode.l10n.t('Only the first {0} documents of the workspace were searched.', maxFiles),
      );
    }
    return found;
  });
}

/** Opening a document would wake every extension for its language, thousands of times. */
function asDocument(uri: vscode.Uri, text: string): ReadableDocument {
  return { uri, languageId: 'plaintext', version: 1, getText: () => text };
}
