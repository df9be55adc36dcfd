import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';

/** A folder in memory where there is one, else the one for temporary files: syncing takes no time in memory. */
export const memoryFolder = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();
