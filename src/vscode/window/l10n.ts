import * as vscode from 'vscode';

/** Replaces `@vscode/l10n` in the window's bundles, where VS Code has the texts. */
export const { t } = vscode.l10n;
