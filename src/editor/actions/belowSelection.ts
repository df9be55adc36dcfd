import * as vscode from 'vscode';
import type { Painting } from '../paint/painting.ts';
import { htmlLanguages, styleLanguages } from '../window/documentLanguages.ts';
import type { EngineHost } from '../window/engineHost.ts';
import { referenceIn, shownResult } from './imageText.ts';
import { imageOf } from './taskArgument.ts';

/** `limner.generateBelowSelection`: as `limner.generateFromSelection`, and shows the image below the paragraph or line. */
export async function generateBelowSelection(
  engine: Pick<EngineHost, 'get'>,
  painting: Painting,
): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (!editor) {
    await painting.generateFromSelection();
    return;
  }
  const { document } = editor;
  const below = new Place(document, editor.selection.end);
  try {
    const outcome = await painting.generateFromSelection();
    const image = await imageOf(engine, outcome?.taskId);
    if (!image) {
      return;
    }
    const isProse = !htmlLanguages.has(document.languageId) && !styleLanguages.has(document.languageId);
    const line = isProse ? paragraphEnd(document, below.position.line) : below.position.line;
    const { range, text: before } = document.lineAt(line);
    const eol = document.eol === vscode.EndOfLine.CRLF ? '\r\n' : '\n';
    const [indentation = ''] = /^[ \t]*/u.exec(before) ?? [];
    const { text, needs } = referenceIn(document, shownResult(image));
    const edit = new vscode.WorkspaceEdit();
    edit.insert(document.uri, range.end, `${isProse ? eol + eol : eol + indentation}${text}`);
    if (needs) {
      edit.insert(document.uri, needs.at, needs.text);
    }
    if (!(await vscode.workspace.applyEdit(edit))) {
      void vscode.window.showWarningMessage(vscode.l10n.t("Couldn't change the document."));
    }
  } finally {
    below.dispose();
  }
}

/** Returns the last line of the paragraph that a line is in. */
function paragraphEnd(document: vscode.TextDocument, line: number): number {
  let end = line;
  while (end + 1 < document.lineCount && !document.lineAt(end + 1).isEmptyOrWhitespace) {
    end++;
  }
  return end;
}

/** A place in a document, which moves with what is written before it. */
class Place implements vscode.Disposable {
  readonly #document: vscode.TextDocument;
  readonly #subscription: vscode.Disposable;
  #offset: number;

  constructor(document: vscode.TextDocument, position: vscode.Position) {
    this.#document = document;
    this.#offset = document.offsetAt(position);
    this.#subscription = vscode.workspace.onDidChangeTextDocument((event) => {
      if (event.document !== document) {
        return;
      }
      for (const { rangeOffset, rangeLength, text } of event.contentChanges) {
        if (rangeOffset + rangeLength <= this.#offset) {
          this.#offset += text.length - rangeLength;
        } else if (rangeOffset < this.#offset) {
          this.#offset = rangeOffset + text.length;
        }
      }
    });
  }

  get position(): vscode.Position {
    return this.#document.positionAt(this.#offset);
  }

  dispose(): void {
    this.#subscription.dispose();
  }
}
