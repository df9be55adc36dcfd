// Room: the text that shows an image in a document.
// Never: where an image comes from, when it is saved.

import { posix } from 'node:path';
import * as vscode from 'vscode';
import { areRelated } from '../../common/disk/fileUris.ts';
import type { ImagePaths } from '../../references/places.ts';
import type { Documents } from '../documents/documents.ts';
import { offer } from '../failures/errorText.ts';
import { nameOf } from '../window/files.ts';
import {
  addressFor,
  imageReference,
  relativeImagePath,
  type ReferencedImage,
  type Surroundings,
} from './imageReference.ts';
import { importedReference } from './importedImages.ts';
import { languageAt } from './languageAt.ts';
import type { SavedImage } from '../actions/taskArgument.ts';

/** Puts a reference to an image on the clipboard, in the form that the person chooses. */
export async function copyAs(image: SavedImage): Promise<void> {
  const path = pathFrom(vscode.workspace.getWorkspaceFolder(image.uri)?.uri, image.uri, true);
  const shown = shownAs(shownResult(image), path);
  const forms = [
    { label: vscode.l10n.t('Relative Path'), detail: path },
    { label: 'Markdown', detail: imageReference('markdown', shown) },
    { label: 'HTML', detail: imageReference('html', shown) },
    { label: 'CSS', detail: imageReference('css', shown) },
  ];
  const chosen = await vscode.window.showQuickPick(forms, { title: vscode.l10n.t('Copy As') });
  if (chosen) {
    await vscode.env.clipboard.writeText(chosen.detail);
  }
}

/**
 * `limner.task.insert`: puts a reference to the image at the cursor, or after what is selected, as the language of the
 * document has it.
 */
export async function insertReference(image: SavedImage, documents: () => Promise<Documents>): Promise<void> {
  const editor = await editorToInsertInto();
  if (!editor) {
    return;
  }
  const { document } = editor;
  const shown = shownResult(image);
  const reader = await documents();
  if (await toldLossy(document, reader)) {
    return;
  }
  const paths = await pathsIn(document, shown.uri, reader);
  const inserted = await editor.edit((edit) => {
    const references = editor.selections.map(({ end }) => {
      const reference = referenceIn(document, shown, paths, end);
      edit.insert(end, reference.text);
      return reference;
    });
    const needs = references.find((reference) => reference.needs)?.needs;
    if (needs) {
      edit.insert(needs.at, needs.text);
    }
  });
  if (!inserted) {
    void vscode.window.showWarningMessage(vscode.l10n.t("Couldn't change the document."));
    return;
  }
  await vscode.window.showTextDocument(document, {
    viewColumn: editor.viewColumn ?? vscode.ViewColumn.Active,
  });
}

/** Says so where the encoding of a document loses something of it: what is saved after an insertion would damage it. */
export async function toldLossy(document: vscode.TextDocument, documents: Documents): Promise<boolean> {
  // What is no file has no encoding.
  const isLossy = await documents.read(document.uri).then(
    (read) => read === undefined,
    () => false,
  );
  if (isLossy) {
    const { message, actions } = documents.lossy(document);
    void offer(vscode.window.showWarningMessage, message, ...actions);
  }
  return isLossy;
}

/** An image that is to be shown in a document. */
export interface ImageToShow {
  uri: vscode.Uri;
  alt: string;
  /** In pixels, where known. */
  width?: number;
  height?: number;
}

/** Returns an image of a task as it is shown, with the prompt as its alternative text. */
export function shownResult({ task, result: { width, height }, uri }: SavedImage): ImageToShow {
  return {
    uri,
    alt: task.request.prompt,
    ...(width !== undefined && { width }),
    ...(height !== undefined && { height }),
  };
}

/** Languages that VS Code knows only with an extension, by the extensions of their files. */
const languagesByFile: ReadonlyMap<string, string> = new Map([
  ['.mdx', 'mdx'],
  ['.vue', 'vue'],
  ['.svelte', 'svelte'],
  ['.astro', 'astro'],
  ['.pcss', 'postcss'],
  ['.adoc', 'asciidoc'],
  ['.asciidoc', 'asciidoc'],
]);

function languageOf({ languageId, uri }: vscode.TextDocument): string {
  const extension = posix.extname(uri.path).toLowerCase();
  return languageId === 'plaintext' ? (languagesByFile.get(extension) ?? languageId) : languageId;
}

/** What shows an image in a document, and what the document needs for it. */
export interface ReferenceText {
  text: string;
  /** As it stands in `text`, or in what is needed. */
  address: string;
  needs?: { at: vscode.Position; text: string };
}

/** Returns the paths by which a document may name an image, also one that has no file yet. */
export async function pathsIn(
  document: vscode.TextDocument,
  image: vscode.Uri,
  documents: Documents,
): Promise<ImagePaths> {
  const { isUntitled, uri } = document;
  const from = isUntitled ? vscode.workspace.getWorkspaceFolder(image)?.uri : uri;
  return isUntitled || !areRelated(uri, image)
    ? { path: pathFrom(from, image, isUntitled) }
    : documents.pathsTo(document, image);
}

/**
 * Returns the text that shows an image in a document, as its language has it and as the document does it.
 *
 * @param paths from `pathsIn`
 * @param at where it goes; a line of its own without it
 * @param taken statements that the document is about to get
 */
export function referenceIn(
  document: vscode.TextDocument,
  image: ImageToShow,
  { path, module }: ImagePaths,
  at?: vscode.Position,
  taken = '',
): ReferenceText {
  const documentLanguage = languageOf(document);
  const languageId = at
    ? languageAt(documentLanguage, document.getText(), document.offsetAt(at))
    : documentLanguage;
  const shown = shownAs(image, path);
  const imported =
    module === undefined || languageId !== documentLanguage
      ? undefined
      : importedReference(languageId, document.getText(), { ...shown, path: module }, taken);
  if (imported) {
    const { at: offset, text } = imported.needs;
    const needs = text === '' ? {} : { needs: { at: document.positionAt(offset), text } };
    return { text: imported.text, address: imported.address, ...needs };
  }
  return {
    text: imageReference(languageId, shown, at && surroundingsOf(document, at)),
    address: addressFor(languageId, shown.path),
  };
}

function surroundingsOf(document: vscode.TextDocument, { line, character }: vscode.Position): Surroundings {
  const { text } = document.lineAt(line);
  const above = line === 0 ? '' : document.lineAt(line - 1).text;
  return { above, before: text.slice(0, character), after: text.slice(character) };
}

/**
 * Returns the visible text editor; else that of a document in another tab, where the person chooses among several.
 * Without any, says so. Undefined when there is none, or the person dismissed the question.
 */
async function editorToInsertInto(): Promise<vscode.TextEditor | undefined> {
  // While an image or the studio is active, the document beside it is meant. Logs in the panel are text editors too.
  const visible = [vscode.window.activeTextEditor, ...vscode.window.visibleTextEditors].find(
    (editor) => editor && editor.document.uri.scheme !== 'output',
  );
  if (visible) {
    return visible;
  }
  const documents = vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .flatMap(({ input, group: { viewColumn } }) =>
      input instanceof vscode.TabInputText
        ? {
            label: nameOf(input.uri),
            description: vscode.workspace.asRelativePath(vscode.Uri.joinPath(input.uri, '..'), false),
            uri: input.uri,
            viewColumn,
          }
        : [],
    );
  if (documents.length === 0) {
    void vscode.window.showInformationMessage(
      vscode.l10n.t('First open the document to insert the image into.'),
    );
  }
  const chosen =
    documents.length > 1
      ? await vscode.window.showQuickPick(documents, { title: vscode.l10n.t('Insert into Editor') })
      : documents[0];
  return chosen && vscode.window.showTextDocument(chosen.uri, { viewColumn: chosen.viewColumn });
}

function shownAs({ alt, width, height }: ImageToShow, path: string): ReferencedImage {
  return {
    path,
    alt: alt.replaceAll(/\s+/g, ' ').trim(),
    ...(width !== undefined && { width }),
    ...(height !== undefined && { height }),
  };
}

/** Returns the path of an image relative to a document or folder; its URI when they share no root. */
function pathFrom(start: vscode.Uri | undefined, image: vscode.Uri, isFolder: boolean): string {
  return start && areRelated(start, image)
    ? relativeImagePath(start.path, image.path, isFolder)
    : image.toString();
}
