import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { undoAtExit } from './cleanup.ts';

/** A folder that is gone when this process ends, or earlier by calling `remove`. */
export function temporaryFolder(purpose: string): { path: string; remove: () => void } {
  // Windows may name it in short, which only the system itself resolves.
  const path = mkdtempSync(join(realpathSync.native(tmpdir()), `limner-${purpose}-`));
  const remove = undoAtExit(() => rmSync(path, { recursive: true, force: true, maxRetries: 5 }));
  return { path, remove };
}

/** Has this process keep what is temporary in a folder, until a test ends. */
export function withTemporaryFolder(test: TestContext, folder: string): void {
  const { TMPDIR: before } = process.env;
  process.env['TMPDIR'] = folder;
  test.after(() => {
    if (before === undefined) {
      delete process.env['TMPDIR'];
    } else {
      process.env['TMPDIR'] = before;
    }
  });
}
