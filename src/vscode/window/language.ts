import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Language } from '../../engine/messages/language.ts';
import { translation } from '../../engine/messages/translation.ts';

export { t } from '@vscode/l10n';

/**
 * Replaces that of `src/engine/messages/language.ts` in the window's bundles. Limner reads its texts by itself: VS Code
 * would send them from the window to the extension host before it activates Limner, which takes twice the time of that.
 */
const spoken: Language = translation(vscode.env.language) ?? { tag: vscode.env.language, texts: {} };
l10n.config({ contents: spoken.texts });

export function spokenLanguage(): Language {
  return spoken;
}
