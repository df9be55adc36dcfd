import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { areRelated } from '../../common/fileUris.ts';
import type { ImagePaths } from '../../pages/sites/places.ts';
import { writingLanguageOf } from '../../pages/find/languages.ts';
import type { Documents } from '../documents/documents.ts';
import { offer } from '../window/offers.ts';
import { nameOf } from '../window/files.ts';
import {
  addressFor,
  imageReference,
  relativeImagePath,
  type ReferencedImage,
  type Surroundings,
} from './imageReference.ts';
import { importedReference } from './importedImages.ts';
import type { SavedImage } from '../actions/taskArgument.ts';
import type { Task } from '../../engine/task/task.ts';
import { editedInput } from '../taskList/edits.ts';

/** Copies a reference to an image to the clipboard, in the form that the user chooses. */
export async function copyAs(image: SavedImage, documents: () => Promise<Documents>): Promise<void> {
  const path = pathFrom(vscode.workspace.getWorkspaceFolder(image.uri)?.uri, image.uri, true);
  const shown = shownAs(shownResult(image, await documents()), path);
  const forms = [
    { label: l10n.t('Relative Path'), detail: path },
    { label: 'Markdown', detail: imageReference('markdown', shown) },
    { label: 'HTML', detail: imageReference('html', shown) },
    { label: 'CSS', detail: imageReference('css', shown) },
  ];
  const chosen = await vscode.window.showQuickPick(forms, { title: l10n.t('Copy As') });
  if (chosen) {
    await vscode.env.clipboard.writeText(chosen.detail);
  }
}

/**
 * `limner.task.insert`: inserts a reference to the image at the cursor or after the selection, in the form of the
 * document's language.
 */
export async function insertReference(image: SavedImage, documents: () => Promise<Documents>): Promise<void> {
  await insertReferences([image], documents);
}

/** Inserts references to several images, one below the other. */
export async function insertReferences(
  images: readonly SavedImage[],
  documents: () => Promise<Documents>,
): Promise<void> {
  const editor = await editorToInsertInto();
  if (editor) {
    const reader = await documents();
    const shown = images.map((image) => shownResult(image, reader));
    await insertInto(editor, shown, reader);
  }
}

/**
 * Inserts references to images at the cursors of an editor, one below the other, or says why it can't. All at once: that is
 * one step to undo, and nobody moves the cursor meanwhile.
 */
export async function insertInto(
  editor: vscode.TextEditor,
  images: readonly ImageToShow[],
  reader: Documents,
): Promise<void> {
  const { document } = editor;
  if (await toldLossy(document, reader)) {
    return;
  }
  const paths = await pathsOf(images, document, reader, editor.selection.end);
  const inserted = await editor.edit((edit) => {
    const references = editor.selections.map(({ end }) => {
      const texts = referencesIn(document, images, paths, reader, end);
      edit.insert(end, texts.text);
      return texts;
    });
    const { needs = [] } = references.find((one) => one.needs.length > 0) ?? {};
    for (const { at, text } of needs) {
      edit.insert(at, text);
    }
  });
  if (!inserted) {
    void vscode.window.showWarningMessage(l10n.t("Couldn't change the document."));
    return;
  }
  await vscode.window.showTextDocument(document, {
    viewColumn: editor.viewColumn ?? vscode.ViewColumn.Active,
  });
}

/** Warns if the encoding of a document loses characters: saving it after an insertion would damage it. */
export async function toldLossy(document: vscode.TextDocument, documents: Documents): Promise<boolean> {
  // Only files have an encoding.
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

export interface ImageToShow {
  uri: vscode.Uri;
  alt: string;
  /** In pixels, if known. */
  width?: number;
  height?: number;
}

/**
 * Returns what an image of a task shows: its prompt, or the name of the file that was edited, since the prompt of an edit
 * only says what changed.
 */
export function alternativeTextOf({ request }: Pick<Task, 'request'>, documents: Documents): string {
  const { uri = '' } = editedInput(request) ?? {};
  return (uri === '' ? '' : documents.altFor(vscode.Uri.parse(uri))) || request.prompt;
}

export function shownResult(
  { task, result: { width, height }, uri }: SavedImage,
  documents: Documents,
): ImageToShow {
  return {
    uri,
    alt: alternativeTextOf(task, documents),
    ...(width !== undefined && { width }),
    ...(height !== undefined && { height }),
  };
}

/** Text that shows an image in a document, and the imports it needs. */
export interface ReferenceText {
  text: string;
  /** Address as it appears in `text`, or in the import. */
  address: string;
  needs?: { at: vscode.Position; text: string };
}

/**
 * Returns the paths by which a document may name an image, which may not have a file yet.
 *
 * @param at where it is named: sites may treat addresses in HTML differently
 */
export async function pathsIn(
  document: vscode.TextDocument,
  image: vscode.Uri,
  documents: Documents,
  at?: vscode.Position,
): Promise<ImagePaths> {
  const { isUntitled, uri } = document;
  const from = isUntitled ? vscode.workspace.getWorkspaceFolder(image)?.uri : uri;
  return isUntitled || !areRelated(uri, image)
    ? { path: pathFrom(from, image, isUntitled) }
    : documents.pathsTo(document, image, at);
}

/** Returns the paths of several images, as `pathsIn`. */
export async function pathsOf(
  images: readonly ImageToShow[],
  document: vscode.TextDocument,
  documents: Documents,
  at?: vscode.Position,
): Promise<ImagePaths[]> {
  return Promise.all(images.map(async ({ uri }) => pathsIn(document, uri, documents, at)));
}

/** Returns the text that shows images in a document, one below the other, and the imports it needs. @param paths of each */
export function referencesIn(
  document: vscode.TextDocument,
  images: readonly ImageToShow[],
  paths: readonly ImagePaths[],
  documents: Pick<Documents, 'languageAt'>,
  at: vscode.Position,
): { text: string; needs: NonNullable<ReferenceText['needs']>[] } {
  const needs: NonNullable<ReferenceText['needs']>[] = [];
  const texts = images.map((image, index) => {
    const taken = needs.map(({ text }) => text).join('');
    const reference = referenceIn(document, image, paths[index] ?? { path: '' }, documents, at, taken);
    needs.push(...(reference.needs ? [reference.needs] : []));
    return reference.text;
  });
  return { text: texts.join(document.eol === vscode.EndOfLine.CRLF ? '\r\n' : '\n'), needs };
}

/**
 * Returns the text that shows an image in a document, in its language and style.
 *
 * @param paths from `pathsIn`
 * @param at offset of the insertion; without it, a line of its own
 * @param taken statements that will be added to the document
 */
export function referenceIn(
  document: vscode.TextDocument,
  image: ImageToShow,
  { path, module }: ImagePaths,
  documents: Pick<Documents, 'languageAt'>,
  at?: vscode.Position,
  taken = '',
): ReferenceText {
  const documentLanguage = writingLanguageOf(document.languageId, document.uri.path);
  const { language, lead } = at
    ? documents.languageAt(documentLanguage, document.getText(), document.offsetAt(at))
    : { language: documentLanguage, lead: '' };
  const shown = shownAs(image, path);
  const imported =
    module === undefined || language !== documentLanguage
      ? undefined
      : importedReference(language, document.getText(), { ...shown, path: module }, taken);
  if (imported) {
    const { at: offset, text } = imported.needs;
    const needs = text === '' ? {} : { needs: { at: document.positionAt(offset), text } };
    return { text: imported.text, address: imported.address, ...needs };
  }
  return {
    text: lead + imageReference(language, shown, at && surroundingsOf(document, at)),
    address: addressFor(language, shown.path),
  };
}

function surroundingsOf(document: vscode.TextDocument, { line, character }: vscode.Position): Surroundings {
  const { text } = document.lineAt(line);
  const above = line === 0 ? '' : document.lineAt(line - 1).text;
  return { above, before: text.slice(0, character), after: text.slice(character) };
}

/** Returns the active text editor, else the one beside an image or the studio. Logs in the panel are text editors, too. */
export function visibleEditor(): vscode.TextEditor | undefined {
  return [vscode.window.activeTextEditor, ...vscode.window.visibleTextEditors].find(
    (editor) => editor && editor.document.uri.scheme !== 'output',
  );
}

/**
 * Returns the visible text editor, else that of a document in another tab, which the user chooses if there are several.
 * Says so if there is none. Undefined if there is none or the user dismisses the question.
 */
async function editorToInsertInto(): Promise<vscode.TextEditor | undefined> {
  const visible = visibleEditor();
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
    void vscode.window.showInformationMessage(l10n.t('First open the document to insert the image into.'));
  }
  const chosen =
    documents.length > 1
      ? await vscode.window.showQuickPick(documents, { title: l10n.t('Insert into Editor') })
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

/** Returns the path of an image relative to a document or folder, or its URI if they share no root. */
function pathFrom(start: vscode.Uri | undefined, image: vscode.Uri, isFolder: boolean): string {
  return start && areRelated(start, image)
    ? relativeImagePath(start.path, image.path, isFolder)
    : image.toString();
}
