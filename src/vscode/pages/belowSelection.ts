import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Documents } from '../documents/documents.ts';
import type { Painting } from '../generate/painting.ts';
import { languageBy, writingLanguageOf } from '../../pages/find/languages.ts';
import type { EngineHost } from '../window/engineHost.ts';
import { type ImageToShow, pathsIn, referenceIn, shownResult, toldLossy } from './insertImage.ts';
import { imageOf } from '../actions/taskArgument.ts';

/**
 * `limner.generateBelowSelection`: generates as `limner.generateFromSelection`, and shows the image below the paragraph
 * or line.
 */
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
  const below = new TrackedPosition(editor.document, editor.selection.end);
  try {
    const outcome = await painting.generateFromSelection();
    const image = await imageOf(engine, outcome?.taskId);
    const reader = await documents();
    if (image && !(await insertBelow(below, shownResult(image, reader), reader))) {
      void vscode.window.showWarningMessage(l10n.t("Couldn't change the document."));
    }
  } finally {
    below.dispose();
  }
}

/** @returns whether it inserted the image, or explained why not */
async function insertBelow(
  below: TrackedPosition,
  image: ImageToShow,
  documents: Documents,
): Promise<boolean> {
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
  const { writing = '' } = languageBy(writingLanguageOf(document.languageId, document.uri.path)) ?? {};
  const isProse = !['html', 'jsx', 'css'].includes(writing);
  const line = isProse ? paragraphEnd(document, place.line) : place.line;
  const { range, text: before } = document.lineAt(line);
  const eol = document.eol === vscode.EndOfLine.CRLF ? '\r\n' : '\n';
  const [indentation = ''] = /^[ \t]*/u.exec(before) ?? [];
  const { text, needs } = referenceIn(document, image, paths, documents);
  const edit = new vscode.WorkspaceEdit();
  edit.insert(document.uri, range.end, `${isProse ? eol + eol : eol + indentation}${text}`);
  if (needs) {
    edit.insert(document.uri, needs.at, needs.text);
  }
  return vscode.workspace.applyEdit(edit);
}

function paragraphEnd(document: vscode.TextDocument, line: number): number {
  let end = line;
  while (end + 1 < document.lineCount && !document.lineAt(end + 1).isEmptyOrWhitespace) {
    end++;
  }
  return end;
}

/** Position in a document that moves with edits before it, even while the document is closed. */
class TrackedPosition implements vscode.Disposable {
  readonly #uri: vscode.Uri;
  readonly #subscriptions: vscode.Disposable;
  #offset: number;
  /** Text of the document when it was closed. */
  #closedWith: string | undefined;
  /** Whether the document changed while it was closed. */
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

  async find(): Promise<vscode.TextDocument | undefined> {
    try {
      return await vscode.workspace.openTextDocument(this.#uri);
    } catch {
      return undefined;
    }
  }

  /** @returns undefined if the position is lost */
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
