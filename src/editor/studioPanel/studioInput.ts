import * as vscode from 'vscode';
import type { StudioInput } from '../../studio/protocol/state.ts';
import type { DraftFile, KeptInput } from './draftFile.ts';
import type { StudioImages } from './studioImages.ts';

/** An input image as the studio shows it; one whose file is gone has no picture. */
export async function studioInput(
  { images, draft }: { images: StudioImages; draft: DraftFile },
  input: KeptInput,
): Promise<StudioInput> {
  const { id, name, path, width, height, size, mediaType, notes } = input;
  const original = originalOf(draft, input);
  return {
    id,
    name,
    url: (await images.url(vscode.Uri.file(path))) ?? '',
    path: original ? vscode.workspace.asRelativePath(original, false) : '',
    width,
    height,
    size,
    mediaType,
    notes,
  };
}

/** The file that the person chose, beside which the result goes; bytes that were pasted have none. */
export function originalOf(draft: DraftFile, { uri }: KeptInput): vscode.Uri | undefined {
  const original = vscode.Uri.parse(uri, true);
  return original.scheme === 'file' && draft.holds(original.fsPath) ? undefined : original;
}
