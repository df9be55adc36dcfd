import { statfs } from 'node:fs/promises';

/**
 * Magic numbers of statfs(2): NFS, SMB, CIFS, SMB2, 9P, AFS, CODA, Ceph, Lustre, VirtualBox and VMware folders, and
 * FUSE, behind which may be anything.
 */
const networkFileSystems = new Set([
  0x6969, 0x517b, 0xff534d42, 0xfe534d42, 0x01021997, 0x5346414f, 0x73757245, 0x00c36400, 0x0bd00bd0,
  0x786f4256, 0xbacbacbc, 0x65735546,
]);

/** Whether a folder is on a network file system, where SQLite's write-ahead log corrupts. */
export async function isOnNetwork(folder: string): Promise<boolean> {
  if (folder.startsWith(String.raw`\\`)) {
    return true;
  }
  return isNetworkType((await statfs(folder, { bigint: true })).type);
}

/** Where `long` has 32 bits, the highest of those that a magic number has is taken for a sign and repeated. */
export function isNetworkType(type: bigint): boolean {
  return networkFileSystems.has(Number(BigInt.asUintN(32, type)));
}
