import * as vscode from 'vscode';
import { imageReference, relativeImagePath } from './imageReference.ts';
import type { Limner } from '../limner.ts';
import { imageOf, type TaskArgument } from './taskArgument.ts';

/** `limner.task.insert`: puts a reference to the image at the cursor, as the language of the document has it. */
export async function insertImage(limner: Limner, argument: TaskArgument): Promise<void> {
  const image = await imageOf(limner, argument);
  if (!image) {
    return;
  }
  // While the image itself is looked at, the document beside it is meant. Logs in the panel are text editors too.
  const editor = [vscode.window.activeTextEditor, ...vscode.window.visibleTextEditors].find(
    (visible) => visible && visible.document.uri.scheme !== 'output',
  );
  if (!editor) {
    void vscode.window.showInformationMessage(
      vscode.l10n.t('Open the document first that the image is to be inserted into.'),
    );
    return;
  }
  const { document, selections } = editor;
  const { width, height } = image.result;
  const text = imageReference(document.languageId, {
    path: pathFrom(document, image.uri),
    alt: image.task.request.prompt.replaceAll(/\s+/g, ' ').trim(),
    ...(width !== undefined && { width }),
    ...(height !== undefined && { height }),
  });
  const inserted = await editor.edit((edit) => {
    for (const selection of selections) {
      edit.replace(selection, text);
    }
  });
  if (!inserted) {
    void vscode.window.showWarningMessage(vscode.l10n.t('The document could not be changed.'));
    return;
  }
  await vscode.window.showTextDocument(document, {
    viewColumn: editor.viewColumn ?? vscode.ViewColumn.Active,
  });
}

/** Relative to the document; to the workspace folder for one without a file; whole when they share no root. */
function pathFrom(document: vscode.TextDocument, image: vscode.Uri): string {
  const folder = vscode.workspace.getWorkspaceFolder(image)?.uri;
  if (document.isUntitled && folder) {
    return relativeImagePath(folder.path, image.path, true);
  }
  const { scheme, authority, path } = document.uri;
  return scheme === image.scheme && authority === image.authority
    ? relativeImagePath(path, image.path)
    : image.toString();
}
