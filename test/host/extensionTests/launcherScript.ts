import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { EditorVersion } from '../fetch/editorVersions.ts';
import { outFolder } from '../../support/folders.ts';

/**
 * Writes an executable that takes the arguments of VS Code's own and runs extension tests in the given version.
 *
 * @returns Its path, for `vscodeExecutablePath`.
 */
export async function writeLauncherScript(version: EditorVersion): Promise<string> {
  const folder = join(outFolder, 'test');
  const script = join(folder, `code-${version}`);
  await mkdir(folder, { recursive: true });
  const launcher = join(import.meta.dirname, 'launcher.ts');
  await writeFile(script, `#!/bin/sh\nexec "${process.execPath}" "${launcher}" --editor=${version} "$@"\n`, {
    mode: 0o755,
  });
  return script;
}
