import { existsSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';

/**
 * A folder in memory where there is one and no other folder for temporary files is asked for: syncing takes no time in
 * memory.
 */
export const memoryFolder =
  process.env['TMPDIR'] === undefined && existsSync('/dev/shm') ? '/dev/shm' : realpathSync.native(tmpdir());
