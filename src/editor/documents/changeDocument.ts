import * as vscode from 'vscode';
import { type TextEdit, withEdits } from '../../socialCards/cardImage.ts';
import type { ErrorAction } from '../failures/errorText.ts';
import { isSame } from '../window/files.ts';
import { readFile, replaceContents } from './files/diskFiles.ts';
import { excludedBy, type ExcludedFiles } from './files/excludedFiles.ts';
import { declaredEncoding, FileText } from './files/fileText.ts';
import type { ReadableDocument } from './readDocuments.ts';

/** How often a change is made anew because the document changed meanwhile: while a person types, it may a few times. */
const mostTries = 20;

/** A document as it is now. */
interface OpenDocument {
  document: vscode.TextDocument;
  /** What is on disk; undefined while the person has not saved the document. */
  file?: FileText;
}

/**
 * What became of a change of a document: it was made, or nothing was to be changed, or the document was left as it is
 * since its encoding loses something.
 */
export type DocumentChange = 'changed' | 'same' | 'lossy';

/**
 * Changes a document, and saves it unless it has changes of the person, which are theirs to save. What VS Code would
 * change besides when it saves, such as the ends of lines and the format, stays as it is.
 *
 * @param editsFor returns edits of a document as it is now; asked again when that has changed meanwhile
 * @throws the error of VS Code or Node, or another, when the document can't be read or changed
 */
export async function changeDocument(
  uri: vscode.Uri,
  editsFor: (document: ReadableDocument) => Promise<readonly TextEdit[]>,
): Promise<DocumentChange> {
  for (let tries = 0; tries < mostTries; tries++) {
    const opened = await open(uri);
    if (!opened) {
      return 'lossy';
    }
    const { document, file } = opened;
    const { version } = document;
    const edits = await editsFor(asReadable(opened));
    if (edits.length === 0) {
      return 'same';
    }
    if (isReadOnly(uri)) {
      break;
    }
    if (file) {
      const bytes = await file.bytesOf(withEdits(file.text, edits));
      if (!bytes) {
        return 'lossy';
      }
      if (await replaceContents(uri, file.bytes, bytes, () => !isDirty(uri))) {
        return 'changed';
      }
    } else if (version === document.version && (await vscode.workspace.applyEdit(asEdit(document, edits)))) {
      return 'changed';
    }
  }
  throw new Error(`${uri.toString()} could not be changed.`);
}

/** Reads a document as it is now. @returns undefined where its encoding loses something */
export async function readDocument(uri: vscode.Uri): Promise<ReadableDocument | undefined> {
  const opened = await open(uri);
  return opened && asReadable(opened);
}

/** Shows a document whose encoding loses something, and asks which one is right. */
export function reopenAction(uri: vscode.Uri): ErrorAction {
  return {
    title: vscode.l10n.t('Reopen with Encoding…'),
    run: async () => {
      await vscode.window.showTextDocument(uri);
      await vscode.commands.executeCommand('workbench.action.editor.changeEncoding');
    },
  };
}

/** @param encoding VS Code's choice without it @returns undefined where the encoding loses something */
async function open(uri: vscode.Uri, encoding?: string): Promise<OpenDocument | undefined> {
  const document = await vscode.workspace.openTextDocument(uri, encoding === undefined ? {} : { encoding });
  if (document.isDirty || document.isUntitled) {
    return { document };
  }
  const bytes = await readFile(uri);
  const file = await FileText.of(bytes, document.encoding);
  if (file) {
    return { document, file };
  }
  const declared = encoding === undefined ? declaredEncoding(bytes) : undefined;
  return declared === undefined ? undefined : open(uri, declared);
}

/** VS Code's own text has the ends of all lines alike, and may be older than the file. */
function asReadable({ document, file }: OpenDocument): ReadableDocument {
  const { languageId, version } = document;
  return file === undefined || file.text === document.getText()
    ? document
    : { uri: document.uri, languageId, version, getText: () => file.text };
}

/** Whether a person has set that VS Code lets nobody change a document. */
function isReadOnly(uri: vscode.Uri): boolean {
  const files = vscode.workspace.getConfiguration('files', uri);
  const path = vscode.workspace.asRelativePath(uri, false);
  const isAmong = (setting: string): boolean =>
    excludedBy(files.get<ExcludedFiles>(setting) ?? {})(path, () => false);
  return isAmong('readonlyInclude') && !isAmong('readonlyExclude');
}

function isDirty(uri: vscode.Uri): boolean {
  return vscode.workspace.textDocuments.some((document) => document.isDirty && isSame(document.uri, uri));
}

function asEdit(document: vscode.TextDocument, edits: readonly TextEdit[]): vscode.WorkspaceEdit {
  const edit = new vscode.WorkspaceEdit();
  for (const { start, end, text } of edits) {
    edit.replace(document.uri, new vscode.Range(document.positionAt(start), document.positionAt(end)), text);
  }
  return edit;
}
