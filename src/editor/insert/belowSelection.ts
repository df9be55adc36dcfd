import * as vscode from 'vscode';
import type { Documents } from '../documents/documents.ts';
import type { Painting } from '../paint/painting.ts';
import { htmlLanguages, styleLanguages } from '../window/documentLanguages.ts';
import type { EngineHost } from '../window/engineHost.ts';
import { type ImageToShow, pathsIn, referenceIn, shownResult, toldLossy } from './imageText.ts';
import { imageOf } from '../actions/taskArgument.ts';

/** `limner.generateBelowSelection`: as `limner.generateFromSelection`, and shows the image below the paragraph or line. */
export async function generateBelowSelection(
  engine: Pick<EngineHost, 'get'>,
  painting: Painting,
  documents: () => Promise<Documents>,
): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (!editor) {
    await painting.generateFromSelection();
    return;
  }
  const below = new Place(editor.document, editor.selection.end);
  try {
    const outcome = await painting.generateFromSelection();
    const image = await imageOf(engine, outcome?.taskId);
    if (image && !(await insertBelow(below, shownResult(image), await documents()))) {
      void vscode.window.showWarningMessage(vscode.l10n.t("Couldn't change the document."));
    }
  } finally {
    below.dispose();
  }
}

/** @returns whether it did, or said why not */
async function insertBelow(below: Place, image: ImageToShow, documents: Documents): Promise<boolean> {
  const document = await below.find();
  if (!document) {
    return false;
  }
  if (await toldLossy(document, documents)) {
    return true;
  }
  const paths = await pathsIn(document, image.uri, documents);
  const place = below.positionIn(document);
  if (!place) {
    return false;
  }
  const isProse = !htmlLanguages.has(document.languageId) && !styleLanguages.has(document.languageId);
  const line = isProse ? paragraphEnd(document, place.line) : place.line;
  const { range, text: before } = document.lineAt(line);
  const eol = document.eol === vscode.EndOfLine.CRLF ? '\r\n' : '\n';
  const [indentation = ''] = /^[ \t]*/u.exec(before) ?? [];
  const { text, needs } = referenceIn(document, image, paths);
  const edit = new vscode.WorkspaceEdit();
  edit.insert(document.uri, range.end, `${isProse ? eol + eol : eol + indentation}${text}`);
  if (needs) {
    edit.insert(document.uri, needs.at, needs.text);
  }
  return vscode.workspace.applyEdit(edit);
}

/** Returns the last line of the paragraph that a line is in. */
function paragraphEnd(document: vscode.TextDocument, line: number): number {
  let end = line;
  while (end + 1 < document.lineCount && !document.lineAt(end + 1).isEmptyOrWhitespace) {
    end++;
  }
  return end;
}

/** A place in a document, which moves with what is written before it, also when it is closed and opened again. */
class Place implements vscode.Disposable {
  readonly #uri: vscode.Uri;
  readonly #subscriptions: vscode.Disposable;
  #offset: number;
  /** While the document is closed. */
  #closedWith: string | undefined;
  /** The document was changed while nobody could see how. */
  #isLost = false;

  constructor(document: vscode.TextDocument, position: vscode.Position) {
    this.#uri = document.uri;
    this.#offset = document.offsetAt(position);
    const isThis = ({ uri }: vscode.TextDocument): boolean => uri.toString() === this.#uri.toString();
    this.#subscriptions = vscode.Disposable.from(
      vscode.workspace.onDidChangeTextDocument((event) => {
        if (isThis(event.document)) {
          this.#follow(event.contentChanges);
        }
      }),
      vscode.workspace.onDidCloseTextDocument((closed) => {
        if (isThis(closed)) {
          this.#closedWith = closed.getText();
        }
      }),
      vscode.workspace.onDidOpenTextDocument((opened) => {
        if (isThis(opened)) {
          this.#isLost ||= opened.getText() !== this.#closedWith;
          this.#closedWith = undefined;
        }
      }),
    );
  }

  /** Opens the document; undefined when it is gone. */
  async find(): Promise<vscode.TextDocument | undefined> {
    try {
      return await vscode.workspace.openTextDocument(this.#uri);
    } catch {
      return undefined;
    }
  }

  /** @returns undefined when nobody knows where it is by now */
  positionIn(document: vscode.TextDocument): vscode.Position | undefined {
    return this.#isLost ? undefined : document.positionAt(this.#offset);
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }

  #follow(changes: readonly vscode.TextDocumentContentChangeEvent[]): void {
    for (const { rangeOffset, rangeLength, text } of changes) {
      if (rangeOffset + rangeLength <= this.#offset) {
        this.#offset += text.length - rangeLength;
      } else if (rangeOffset < this.#offset) {
        this.#offset = rangeOffset + text.length;
      }
    }
  }
}
