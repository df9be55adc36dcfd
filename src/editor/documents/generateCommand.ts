import * as vscode from 'vscode';
import { commands } from '../names.ts';

/** Returns the command that makes one missing image of a document. */
export function generateCommand({ uri }: vscode.TextDocument, file: vscode.Uri): vscode.Command {
  return {
    title: vscode.l10n.t('Generate This Image…'),
    command: commands.generateMissing,
    arguments: [uri, file.toString()],
  };
}
