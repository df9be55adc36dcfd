import { extname } from 'node:path';
import * as vscode from 'vscode';
import type { StudioTarget } from '../../studio/state.ts';
import type { Limner } from '../limner.ts';
import { resolveTarget } from '../paint/saveTarget.ts';
import { describeFailure } from '../refusal.ts';
import type { DraftFile } from './draftFile.ts';
import { originalOf } from './studioInput.ts';

/** Stands for what is known once the task has begun. */
const unknownId = '…';

/** Where the first picture of the draft would be saved by now, or why it cannot be. */
export async function targetPreview(limner: Limner, file: DraftFile): Promise<StudioTarget> {
  const { draft, inputs } = file;
  const first = inputs.get(draft.inputs[0] ?? '');
  const original = first && originalOf(file, first);
  try {
    const target = await resolveTarget(limner, {
      folder: draft.folder || undefined,
      fileName: draft.fileName || undefined,
      original,
      asks: false,
    });
    const { renderFileName } = await limner.engine.module();
    const folder = vscode.Uri.parse(target.folder, true);
    const name = renderFileName(target.fileName, {
      prompt: draft.prompt,
      model: draft.model || limner.settings.model,
      at: new Date(),
      index: 1,
      id: unknownId,
      ...(first && { name: stemOf(first.name) }),
    });
    return {
      path: vscode.workspace.asRelativePath(vscode.Uri.joinPath(folder, await freeName(folder, name)), false),
    };
  } catch (error) {
    return { path: '', problem: (await describeFailure(limner, error))?.message ?? '' };
  }
}

/** The name, numbered while an image has it. */
async function freeName(folder: vscode.Uri, name: string): Promise<string> {
  const entries = await vscode.workspace.fs.readDirectory(folder).then(
    (entries) => entries,
    () => [],
  );
  const taken = new Set(entries.map(([entry]) => stemOf(entry)));
  let free = name;
  for (let number = 2; taken.has(free); number++) {
    free = `${name}-${number}`;
  }
  return free;
}

function stemOf(name: string): string {
  return name.slice(0, name.length - extname(name).length);
}
