import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileTrouble } from '../../common/fileErrors.ts';

/** A folder that has one folder for each task. */
export class TaskFolders {
  protected readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  /** Removes everything that a task left here. */
  async remove(taskId: string): Promise<void> {
    await rm(join(this.folder, taskId), { recursive: true, force: true });
  }

  /** Removes the folders of tasks that are not to be kept. */
  async sweep(keep: (taskId: string) => boolean): Promise<void> {
    for (const taskId of await namesIn(this.folder)) {
      if (!keep(taskId)) {
        await this.remove(taskId);
      }
    }
  }
}

/** What is in a folder; nothing where there is none. */
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
