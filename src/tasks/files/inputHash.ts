import { stat } from 'node:fs/promises';
import { hashFile } from './stagingStore.ts';

/** A file whose last change is younger than this when it is hashed may change again without looking changed. */
const settlingTime = 2000;
/** Files that are remembered; the eldest is forgotten first. */
const mostKnown = 1000;

const known = new Map<string, { state: string; sha256: string }>();

/**
 * Returns the SHA-256 of a file that a person works with, in hex. One that nobody has touched since it was last hashed,
 * as the file system tells, is not read again: images are chosen, checked, sent and compared in a row.
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
    for (const eldest of [...known.keys()].slice(0, Math.max(0, known.size - mostKnown))) {
      known.delete(eldest);
    }
  }
  return sha256;
}

/** Returns what differs when a file was replaced or written to, and when that last was, in Unix milliseconds. */
async function stateOf(path: string): Promise<{ state: string; changedAt: number }> {
  const { dev, ino, size, mtimeNs, ctimeNs, mtimeMs, ctimeMs } = await stat(path, { bigint: true });
  return {
    state: [dev, ino, size, mtimeNs, ctimeNs].join(':'),
    changedAt: Number(mtimeMs > ctimeMs ? mtimeMs : ctimeMs),
  };
}
