import * as vscode from 'vscode';
import * as commands from '../commandIds.ts';
import type { WantedImage } from './wantedImages.ts';
import { proposalFor } from './proposal.ts';

/** Returns the command that makes one image which a document needs. */
export function generateCommand(document: vscode.TextDocument, image: WantedImage): vscode.Command {
  const isMissing = image.kind === 'missing';
  return {
    title: isMissing
      ? vscode.l10n.t('Generate This Image…')
      : vscode.l10n.t('Replace with a Generated Image…'),
    command: isMissing ? commands.generateMissing : commands.replacePlaceholders,
    arguments: [document.uri, proposalFor(document, image).id],
  };
}

/** Returns the command that makes all images of a kind which a document needs, of so many. */
export function generateAllCommand(
  { uri }: vscode.TextDocument,
  kind: WantedImage['kind'],
  count: number,
): vscode.Command {
  const isMissing = kind === 'missing';
  return {
    title: isMissing
      ? vscode.l10n.t('Generate All {0} Missing Images in This File…', count)
      : vscode.l10n.t('Replace All {0} Placeholders in This File…', count),
    command: isMissing ? commands.generateMissing : commands.replacePlaceholders,
    arguments: [uri],
  };
}
