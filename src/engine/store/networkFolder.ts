import { execFile } from 'node:child_process';
import { realpath, statfs } from 'node:fs/promises';
import { promisify } from 'node:util';

/**
 * Magic numbers of statfs(2): NFS, SMB, CIFS, SMB2, 9P, AFS, CODA, Ceph, Lustre, VirtualBox and VMware folders, and
 * FUSE, which can stand for any file system.
 */
const networkFileSystems = new Set([
  0x6969, 0x517b, 0xff534d42, 0xfe534d42, 0x01021997, 0x5346414f, 0x73757245, 0x00c36400, 0x0bd00bd0,
  0x786f4256, 0xbacbacbc, 0x65735546,
]);

/** Whether a folder is on a network file system, where SQLite's write-ahead log corrupts; true if unknown. */
export async function isOnNetwork(folder: string, platform = process.platform): Promise<boolean> {
  switch (platform) {
    case 'win32':
      return isShare(folder) || isShare(await realpath(folder).catch(() => String.raw`\\`));
    case 'darwin':
      return isMountedFromElsewhere(
        await realpath(folder),
        await promisify(execFile)('/sbin/mount').then(
          ({ stdout }) => stdout,
          () => '',
        ),
      );
    default:
      return isNetworkType((await statfs(folder, { bigint: true })).type);
  }
}

/** Whether a Windows path names a share, like the real path of a mapped drive. */
export function isShare(path: string): boolean {
  return /^\\\\(?![?.]\\(?!UNC\\))/iu.test(path);
}

/** Whether a folder is on a disk of another machine. @param mounted output of `mount` on macOS */
export function isMountedFromElsewhere(folder: string, mounted: string): boolean {
  const disks = mounted.split('\n').flatMap((line) => {
    const [, path, words = ''] = / on (\/.*) \(([^()]*)\)$/u.exec(line) ?? [];
    return path === undefined ? [] : [{ start: path.replace(/\/?$/u, '/'), words: words.split(', ') }];
  });
  const [disk] = disks
    .filter(({ start }) => `${folder}/`.startsWith(start))
    .toSorted((one, other) => other.start.length - one.start.length);
  return disk?.words.includes('local') !== true;
}

/** Whether a type is one of `networkFileSystems`. With a 32-bit `long`, the sign bit is repeated. */
export function isNetworkType(type: bigint): boolean {
  return networkFileSystems.has(Number(BigInt.asUintN(32, type)));
}
