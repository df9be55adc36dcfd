import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { undoAtExit } from './cleanup.ts';

/** A folder that is gone when this process ends, or earlier by calling `remove`. */
export function temporaryFolder(purpose: string): { path: string; remove: () => void } {
  const path = mkdtempSync(join(realpathSync(tmpdir()), `limner-${purpose}-`));
  const remove = undoAtExit(() => rmSync(path, { recursive: true, force: true, maxRetries: 5 }));
  return { path, remove };
}
