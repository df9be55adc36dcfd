import { open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileTrouble, isSystemError } from '../../common/fileErrors.ts';

/** A folder that has one folder for each task. */
export class TaskFolders {
  protected readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  async remove(taskId: string): Promise<void> {
    await rm(join(this.folder, taskId), { recursive: true, force: true });
  }

  async sweep(keep: (taskId: string) => boolean): Promise<void> {
    for (const taskId of await namesIn(this.folder)) {
      if (!keep(taskId)) {
        await this.remove(taskId);
      }
    }
  }
}

/** Returns the names in a folder; none when it doesn't exist. */
export async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (fileTrouble(error) === 'gone') {
      return [];
    }
    throw error;
  }
}

/** Makes new names in a folder survive a power cut; Windows needs none of it. */
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
