import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { type TextEdit, withEdits } from '../../pages/cards/cardImage.ts';
import { excludedBy, type ExcludedFiles } from '../../pages/find/references.ts';
import type { ErrorAction } from '../window/offers.ts';
import { isSame } from '../window/files.ts';
import { readFile, replaceContents, declaredEncoding, FileText } from './diskFiles.ts';
import type { ReadableDocument } from './readDocuments.ts';

/** Maximum number of attempts: an edit is recomputed if the document changes meanwhile, as while a user types. */
const mostTries = 20;

interface OpenDocument {
  document: vscode.TextDocument;
  /** Contents on disk; undefined while the document has unsaved changes. */
  file?: FileText;
}

/** Result of a change: made, not needed, or refused because the document's encoding loses characters. */
export type DocumentChange = 'changed' | 'same' | 'lossy';

/**
 * Changes a document, and saves it unless the user has unsaved changes in it. Doesn't apply changes that VS Code makes
 * on save, such as line endings and formatting.
 *
 * @param editsFor returns edits of the current document; called again if it changes meanwhile
 * @throws the error of VS Code or Node, or another, if the document can't be read or changed
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

/** @returns undefined if the document's encoding loses characters */
export async function readDocument(uri: vscode.Uri): Promise<ReadableDocument | undefined> {
  const opened = await open(uri);
  return opened && asReadable(opened);
}

/** Shows a document whose encoding loses characters, and asks for the right one. */
export function reopenAction(uri: vscode.Uri): ErrorAction {
  return {
    title: l10n.t('Reopen with Encoding…'),
    run: async () => {
      await vscode.window.showTextDocument(uri);
      await vscode.commands.executeCommand('workbench.action.editor.changeEncoding');
    },
  };
}

/** @param encoding VS Code's choice by default @returns undefined if the encoding loses characters */
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

/** VS Code's own text normalizes line endings, and may be older than the file. */
function asReadable({ document, file }: OpenDocument): ReadableDocument {
  const { languageId, version } = document;
  return file === undefined || file.text === document.getText()
    ? document
    : { uri: document.uri, languageId, version, getText: () => file.text };
}

/** Whether the settings make a document read-only. */
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
