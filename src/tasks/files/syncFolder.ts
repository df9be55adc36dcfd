import { open } from 'node:fs/promises';
import { isSystemError } from '../../common/fileErrors.ts';

/** Makes new names in a folder survive a power cut; Windows has no such thing and needs none. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') {
    return;
  }
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } catch (error) {
    // Not every file system can; then nothing is lost but this.
    if (!isSystemError(error) || (error.code !== 'EINVAL' && error.code !== 'ENOTSUP')) {
      throw error;
    }
  } finally {
    await handle.close();
  }
}
