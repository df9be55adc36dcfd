import * as vscode from 'vscode';
import { commands } from '../names.ts';
import { generateCommand } from './generateCommand.ts';
import { missingCode, type MissingImages } from './missingImages.ts';

/** Offers to make images that a document names and that are not there. */
export class QuickFixes implements vscode.CodeActionProvider {
  static readonly kinds = [vscode.CodeActionKind.QuickFix];
  readonly #missing: MissingImages;

  constructor(missing: MissingImages) {
    this.#missing = missing;
  }

  async provideCodeActions(
    document: vscode.TextDocument,
    range: vscode.Range,
    { diagnostics }: vscode.CodeActionContext,
  ): Promise<vscode.CodeAction[]> {
    const hints = diagnostics.filter(({ code, source }) => code === missingCode && source === 'Limner');
    if (hints.length === 0) {
      return [];
    }
    const missing = await this.#missing.in(document);
    const fixes = missing
      .filter(({ reference: { start, end } }) =>
        range.intersection(new vscode.Range(document.positionAt(start), document.positionAt(end))),
      )
      .map(({ file }) => {
        const command = generateCommand(document, file);
        const fix = new vscode.CodeAction(command.title, vscode.CodeActionKind.QuickFix);
        fix.command = command;
        fix.diagnostics = hints;
        fix.isPreferred = true;
        return fix;
      });
    if (missing.length < 2) {
      return fixes;
    }
    const all = new vscode.CodeAction(
      vscode.l10n.t('Generate All {0} Missing Images in This File…', missing.length),
      vscode.CodeActionKind.QuickFix,
    );
    all.command = { title: all.title, command: commands.generateMissing, arguments: [document.uri] };
    all.diagnostics = hints;
    return [...fixes, all];
  }
}
