import { copyFile, mkdir, open, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ArrivedImage, OriginalOutput } from '../task.ts';
import { syncFolder, TaskFolders } from './taskFolders.ts';

/** The outputs of the service beside images that were made of them; they are removed with their task. */
export class OriginalOutputs extends TaskFolders {
  /**
   * Keeps a copy of an image's bytes. Repeating it changes nothing.
   *
   * @param fence keeps apart windows that do the same
   */
  async keep(
    taskId: string,
    { index, stagedPath, size, mediaType, width, height, sha256 }: ArrivedImage,
    fence: number,
  ): Promise<OriginalOutput> {
    const folder = join(this.folder, taskId);
    const path = join(folder, `${index + 1}.${mediaType.replace('image/', '')}`);
    if (path !== stagedPath) {
      // Beside those bytes: there, it is swept away should this be cut off.
      const part = `${stagedPath}.${fence}.part`;
      await mkdir(folder, { recursive: true });
      await copyFile(stagedPath, part);
      const file = await open(part, 'r+');
      try {
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(part, path);
      await Promise.all([syncFolder(folder), syncFolder(dirname(folder))]);
    }
    return {
      path,
      size,
      mediaType,
      ...(width !== undefined && { width }),
      ...(height !== undefined && { height }),
      sha256,
    };
  }
}
