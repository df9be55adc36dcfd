import * as vscode from 'vscode';
import type { Language } from '../../engine/messages/language.ts';

/** Replaces `@vscode/l10n` in the window's bundles, where VS Code has the texts. */
export const { t } = vscode.l10n;

/** Replaces that of `src/engine/messages/language.ts` there. */
export function spokenLanguage(): Language {
  return { tag: vscode.env.language, texts: vscode.l10n.bundle ?? {} };
}
