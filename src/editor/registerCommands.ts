// Room: what VS Code and other extensions call: the commands and the API.
// Never: wire formats, code that activation doesn't need.

import * as vscode from 'vscode';
import type { Commands } from './commands/commands.ts';
import { commands, draggedImagesType, studioViewType } from './names.ts';
import {
  htmlLanguages,
  latexLanguages,
  markdownLanguages,
  styleLanguages,
} from './window/documentLanguages.ts';

/**
 * Registers every command of the table in `names.ts`, what becomes of images that are dragged into a document, and what
 * brings the studio back when VS Code restores its tab.
 *
 * @param load gives what runs them; called once one runs
 */
export function registerCommands(load: () => Promise<Commands>): vscode.Disposable {
  return vscode.Disposable.from(
    ...Object.values(commands).map((id) =>
      vscode.commands.registerCommand(id, async (...passed: unknown[]): Promise<unknown> =>
        (await load()).handlers[id](...passed),
      ),
    ),
    vscode.languages.registerDocumentDropEditProvider(
      [
        ...markdownLanguages,
        ...htmlLanguages,
        ...styleLanguages,
        ...latexLanguages,
        'asciidoc',
        'restructuredtext',
      ],
      { provideDocumentDropEdits: async (document, at, data) => (await load()).drop(document, at, data) },
      {
        dropMimeTypes: [draggedImagesType],
        providedDropEditKinds: [vscode.DocumentDropOrPasteEditKind.Empty.append('limner')],
      },
    ),
    vscode.window.registerWebviewPanelSerializer(studioViewType, {
      deserializeWebviewPanel: async (panel) => (await load()).studio.restore(panel),
    }),
  );
}
