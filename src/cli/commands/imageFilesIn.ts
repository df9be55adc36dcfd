import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

const images = /\.(?:png|jpe?g|webp|gif|svg|avif)$/iu;
const foreign = /^(?:\.|node_modules$|vendor$|dist$|build$|out$|target$)/u;
/** Most folders that are read. */
const mostFolders = 2000;

/** Returns paths of images in a folder, with slashes, leaving out those of packages and builds. @param most of them */
export async function imageFilesIn(root: string, most: number): Promise<string[]> {
  const found: string[] = [];
  const folders = [''];
  for (const folder of folders) {
    const entries = await readdir(join(root, folder), { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory() && !foreign.test(entry.name) && folders.length < mostFolders) {
        folders.push(path);
      } else if (entry.isFile() && images.test(entry.name)) {
        found.push(path);
      }
    }
    if (found.length >= most) {
      break;
    }
  }
  return found.slice(0, most);
}
