import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { makeFolder, sweepFolder } from '../../common/folders.ts';

/** How long unused files are kept, in milliseconds: a question about them may still be open. */
const unusedKept = 7 * 24 * 3_600_000;

/**
 * Returns a new path for an input file or a mask of a task. The file is kept as long as its task, which may run again.
 *
 * @param home folder of the store
 * @param inputPaths returns the paths of all files that tasks use
 */
export async function newInputPath(
  home: string,
  inputPaths: () => readonly string[],
  name: string,
): Promise<string> {
  const folder = join(home, 'inputs');
  await sweepFolder(folder, unusedKept, () => {
    const paths = inputPaths();
    return (name) => paths.some((path) => path.includes(name));
  });
  const place = join(folder, randomUUID());
  await makeFolder(place);
  return join(place, name);
}
