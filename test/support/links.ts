import { readlinkSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from './temporaryFolder.ts';

/** For `skip`: why tests can't make links here, as most users of Windows can't; `false` where they can. */
export const noLinkRights = canLink() ? false : 'this user may not make links';

function canLink(): boolean {
  const { path, remove } = temporaryFolder('link');
  try {
    symlinkSync('nowhere', join(path, 'link'));
    return readlinkSync(join(path, 'link')) === 'nowhere';
  } catch {
    return false;
  } finally {
    remove();
  }
}
