import { stat } from 'node:fs/promises';
import { hashFile } from './stagingStore.ts';

/** How old a change must be, in milliseconds, for any later change to show in the timestamps. */
const settlingTime = 2000;
/** Most remembered files; the oldest is forgotten first. */
const mostKnown = 1000;

const known = new Map<string, { state: string; sha256: string }>();

/**
 * Returns the SHA-256 of a user's file, in hex. An image is chosen, checked, sent, and compared within a short time, so
 * a file that is unchanged according to the file system is not read again.
 *
 * @param now in Unix milliseconds
 * @throws Error of the operating system
 */
export async function hashInput(path: string, now = Date.now()): Promise<string> {
  const before = await stateOf(path);
  const remembered = known.get(path);
  if (remembered?.state === before.state) {
    return remembered.sha256;
  }
  known.delete(path);
  const sha256 = await hashFile(path);
  const after = await stateOf(path);
  if (after.state === before.state && now - after.changedAt > settlingTime) {
    known.set(path, { state: after.state, sha256 });
    for (const oldest of [...known.keys()].slice(0, Math.max(0, known.size - mostKnown))) {
      known.delete(oldest);
    }
  }
  return sha256;
}

/**
 * Returns properties that differ once a file is replaced or written to, and the time of its last change, in Unix
 * milliseconds.
 */
async function stateOf(path: string): Promise<{ state: string; changedAt: number }> {
  const { dev, ino, size, mtimeNs, ctimeNs, mtimeMs, ctimeMs } = await stat(path, { bigint: true });
  return {
    state: [dev, ino, size, mtimeNs, ctimeNs].join(':'),
    changedAt: Number(mtimeMs > ctimeMs ? mtimeMs : ctimeMs),
  };
}
