import { createHash } from 'node:crypto';
import * as vscode from 'vscode';
import { filesKept } from '../../common/keptFiles.ts';
import { sniffImage } from '../../images/formats/sniff.ts';
import { sweepFolder } from '../window/sweepFolder.ts';

/** Keeps a copy of an image in Limner's storage, and deletes those that are too old. @returns its file */
export async function keepFile(home: vscode.Uri, bytes: Uint8Array): Promise<vscode.Uri> {
  const folder = vscode.Uri.joinPath(home, 'replaced');
  await vscode.workspace.fs.createDirectory(folder);
  await sweepFolder(folder.fsPath, filesKept);
  // Not under the file's own name, which a suffix may make too long.
  const name = createHash('sha256').update(bytes).digest('hex');
  const kept = vscode.Uri.joinPath(folder, `${name}.${sniffImage(bytes)?.extension ?? 'bin'}`);
  await vscode.workspace.fs.writeFile(kept, bytes);
  return kept;
}
