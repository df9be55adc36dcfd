import * as vscode from 'vscode';
import { readIfThere } from '../window/files.ts';
import type { Settings } from '../window/settings.ts';
import type { Hints } from './hints.ts';
import type { ReadableDocument } from './readDocuments.ts';
import { type WantedImage, WantedImages } from './wantedImages.ts';

/** Names of documents in the languages that are read. */
const documentFiles =
  '**/*.{md,markdown,mdx,html,htm,vue,svelte,astro,jsx,tsx,css,scss,less,pcss,adoc,asciidoc}';
/** Folders of what others wrote, or programs. */
const foreignFolders = '**/{node_modules,bower_components,vendor,dist,build,out,coverage,.git}/**';
/** The most documents of a workspace that are searched. */
const maxFiles = 20_000;

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
    const files = await vscode.workspace.findFiles(documentFiles, foreignFolders, maxFiles, cancelled);
    const wanted = new WantedImages(settings);
    const open = new Map(
      vscode.workspace.textDocuments.map((document) => [document.uri.toString(), document]),
    );
    const decoder = new TextDecoder();
    const found: (readonly [ReadableDocument, WantedImage])[] = [];
    for (const [index, file] of files.entries()) {
      if (cancelled.isCancellationRequested) {
        throw new vscode.CancellationError();
      }
      progress.report({ message: vscode.l10n.t('{0} of {1} documents', index + 1, files.length) });
      try {
        const document =
          open.get(file.toString()) ?? asDocument(file, decoder.decode(await readIfThere(file)));
        found.push(...(await hints.wantedIn(document, wanted)).map((image) => [document, image] as const));
      } catch (error) {
        // A file that is no text, or that is gone by now.
        log.debug(`${file.toString()} was not searched: ${String(error)}`);
      }
    }
    return found;
  });
}

/** Opening a document would wake every extension for its language, thousands of times. */
function asDocument(uri: vscode.Uri, text: string): ReadableDocument {
  return { uri, languageId: 'plaintext', version: 1, getText: () => text };
}
