import { open, readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { rm } from '../../common/heldFiles.ts';
import { fileTrouble, isSystemError } from '../../common/fileErrors.ts';

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
        // If another program has it open, the next sweep removes it.
        await this.remove(taskId).catch(() => {});
      }
    }
  }

  /**
   * Returns the name of a task's file if it lies here. Another process may write the path of the home differently: with
   * other case, through a link, or with a drive letter.
   */
  protected nameOf(taskId: string, path: string): string | undefined {
    const [folder, id, name] = path.split(/[/\\]/u).slice(-3);
    return folder === basename(this.folder) && id === taskId ? name : undefined;
  }
}

/** Returns the names in a folder; empty if it doesn't exist. */
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

/** Syncs new names in a folder to disk. Windows does not need this. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') {
    return;
  }
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } catch (error) {
    // Not every file system supports this; only the protection from a power cut is missing then.
    if (!isSystemError(error) || (error.code !== 'EINVAL' && error.code !== 'ENOTSUP')) {
      throw error;
    }
  } finally {
    await handle.close();
  }
}
