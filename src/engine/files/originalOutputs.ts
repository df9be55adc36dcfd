import { isUtf8 } from 'node:buffer';
import { mkdir, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { sweepFolder } from '../../common/folders.ts';
import { copyFile, rename, whileHeld } from '../../common/heldFiles.ts';
import { filesKept } from '../../common/taskStatus.ts';
import type { ArrivedImage, OriginalOutput } from '../task/task.ts';
import { syncFolder, TaskFolders } from './taskFolders.ts';

/**
 * The outputs of the service that Limner made its images from. They are removed with their task, and when they are too
 * old.
 */
export class OriginalOutputs extends TaskFolders {
  /** Deletes outputs that are too old. @param isNeeded whether an image of this task exists nowhere else */
  async sweepOld(isNeeded: (taskId: string) => boolean): Promise<void> {
    await sweepFolder(this.folder, filesKept, () => isNeeded);
  }

  /**
   * Keeps a copy of an image's bytes. Repeating it changes nothing.
   *
   * @param fence separates the files of windows that do the same
   */
  async keep(
    taskId: string,
    { index, stagedPath, size, mediaType, width, height, sha256 }: ArrivedImage,
    fence: number,
  ): Promise<OriginalOutput> {
    const folder = join(this.folder, taskId);
    const isHere = this.nameOf(taskId, stagedPath) !== undefined;
    const path = isHere ? stagedPath : join(folder, `${index + 1}.${mediaType.replace('image/', '')}`);
    if (!isHere) {
      // An interrupted copy is swept away with the staged bytes.
      const part = `${stagedPath}.${fence}.part`;
      await mkdir(folder, { recursive: true });
      await copyFile(stagedPath, part);
      const file = await whileHeld(async () => open(part, 'r+'));
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

  /** Keeps the body of a response without an image, in place of an earlier one. @returns its path */
  async keepResponse(taskId: string, bytes: Buffer): Promise<string> {
    const folder = join(this.folder, taskId);
    const path = join(folder, `response.${extensionOf(bytes)}`);
    await mkdir(folder, { recursive: true });
    const file = await open(`${path}.part`, 'w');
    try {
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(`${path}.part`, path);
    await Promise.all([syncFolder(folder), syncFolder(dirname(folder))]);
    return path;
  }
}

function extensionOf(bytes: Buffer): string {
  const isJson = /^\s*[{[]/u.test(bytes.toString('latin1', 0, 1000));
  return isJson ? 'json' : isUtf8(bytes) ? 'txt' : 'bin';
}
