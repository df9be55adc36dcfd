import { open, readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { rm } from '../../common/disk/heldFiles.ts';
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
        // What another program holds is swept next time.
        await this.remove(taskId).catch(() => {});
      }
    }
  }

  /**
   * Returns the name of a task's file that is here. Its path may be of another process, which writes that of the home in
   * another way: with another case, by a link, or by the letter of a network drive.
   */
  protected nameOf(taskId: string, path: string): string | undefined {
    const [folder, id, name] = path.split(/[/\\]/u).slice(-3);
    return folder === basename(this.folder) && id === taskId ? name : undefined;
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
