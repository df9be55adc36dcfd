import * as vscode from 'vscode';
import { speak } from '../../engine/messages/language.ts';
import { translation } from '../../engine/messages/translation.ts';

export { t } from '@vscode/l10n';

// Replaces `@vscode/l10n` in the window's bundles, so that each speaks VS Code's language before it says a word. Limner reads
// its texts by itself: VS Code would send them from the window to the extension host before it activates Limner, which takes
// twice the time of that.
const tag = vscode.env.language;
speak(translation(tag) ?? { tag, texts: {} });
