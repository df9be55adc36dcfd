import { createRequire } from 'node:module';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Language } from '../../engine/messages/language.ts';

export { t } from '@vscode/l10n';

/**
 * Replaces that of `src/engine/messages/language.ts` in the window's bundles. The texts are read here and not by VS Code:
 * it sends them from the window to the extension host before it activates Limner, which doubles the time of that.
 */
const spoken: Language = { tag: vscode.env.language, texts: textsOf(vscode.env.language) };
l10n.config({ contents: spoken.texts });

export function spokenLanguage(): Language {
  return spoken;
}

/** Returns a translation, which ships beside the bundles and which Node reads once for all of them. */
function textsOf(tag: string): Language['texts'] {
  const read: (path: string) => Language['texts'] = createRequire(import.meta.url);
  try {
    return read(`../l10n/bundle.l10n.${tag}.json`);
  } catch {
    return {};
  }
}
