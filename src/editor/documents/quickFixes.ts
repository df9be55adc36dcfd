import * as vscode from 'vscode';
import { generateAllCommand, generateCommand } from './generateCommand.ts';
import { hintCodes, type Hints } from './hints.ts';
import { proposalFor } from './proposal.ts';

/** Offers to make images that a document needs. */
export class QuickFixes implements vscode.CodeActionProvider {
  static readonly kinds = [vscode.CodeActionKind.QuickFix];
  readonly #hints: Hints;

  constructor(hints: Hints) {
    this.#hints = hints;
  }

  async provideCodeActions(
    document: vscode.TextDocument,
    range: vscode.Range,
    { diagnostics }: vscode.CodeActionContext,
  ): Promise<vscode.CodeAction[]> {
    const hints = diagnostics.filter(({ code, source }) => source === 'Limner' && hintCodes.has(code));
    if (hints.length === 0) {
      return [];
    }
    const wanted = await this.#hints.wantedIn(document);
    const here = wanted.filter(({ reference: { start, end } }) =>
      range.intersection(new vscode.Range(document.positionAt(start), document.positionAt(end))),
    );
    const fixes = here.map((image) => fixBy(generateCommand(document, image), hints, true));
    for (const kind of new Set(here.map((image) => image.kind))) {
      const all = wanted
        .filter((image) => image.kind === kind)
        .map((image) => proposalFor(document, image).id);
      const count = new Set(all).size;
      if (count > 1) {
        fixes.push(fixBy(generateAllCommand(document, kind, count), hints));
      }
    }
    return fixes;
  }
}

function fixBy(command: vscode.Command, hints: vscode.Diagnostic[], isPreferred = false): vscode.CodeAction {
  const fix = new vscode.CodeAction(command.title, vscode.CodeActionKind.QuickFix);
  fix.command = command;
  fix.diagnostics = hints;
  fix.isPreferred = isPreferred;
  return fix;
}
