import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  isMountedFromElsewhere,
  isNetworkType,
  isOnNetwork,
  isShare,
} from '../../../../src/engine/store/networkFolder.ts';

describe('isNetworkType', () => {
  it('knows SMB also where its number is read with a sign', () => {
    for (const type of [0xff534d42n, 0xffffffffff534d42n, BigInt(0xff534d42 | 0)]) {
      assert.ok(isNetworkType(type), String(type));
    }
    assert.ok(isNetworkType(0x6969n));
  });

  it('takes a disk for a disk', () => {
    // ext4, Btrfs with and without a sign, XFS, tmpfs, overlayfs, F2FS, ZFS, exFAT.
    for (const type of [
      0xef53n,
      0x9123683en,
      0xffffffff9123683en,
      0x58465342n,
      0x01021994n,
      0x794c7630n,
      0xf2f52010n,
      0x2fc12fc1n,
      0x2011bab0n,
    ]) {
      assert.ok(!isNetworkType(type), String(type));
    }
  });

  // As `stat -f` and the headers of Linux have them.
  for (const [name, type] of Object.entries({
    NFS: 0x6969n,
    SMB: 0x517bn,
    CIFS: 0xff534d42n,
    SMB2: 0xfe534d42n,
    '9P': 0x01021997n,
    AFS: 0x5346414fn,
    CODA: 0x73757245n,
    Ceph: 0x00c36400n,
    Lustre: 0x0bd00bd0n,
    VirtualBox: 0x786f4256n,
    VMware: 0xbacbacbcn,
    FUSE: 0x65735546n,
  })) {
    it(`knows ${name}, whatever stands in the upper half of the number`, () => {
      for (const seen of [type, 0xffffffff00000000n | type, BigInt.asIntN(32, type)]) {
        assert.ok(isNetworkType(seen), String(seen));
      }
    });
  }
});

describe('isOnNetwork', () => {
  it('knows the real paths that Windows has of what other machines share, and of its own disks', () => {
    for (const path of [
      String.raw`\\server\share\home`,
      String.raw`\\?\UNC\server\share`,
      String.raw`\\wsl$\Ubuntu\home`,
    ]) {
      assert.ok(isShare(path), path);
    }
    for (const path of [String.raw`C:\Users\me`, String.raw`\\?\C:\Users\me`, String.raw`\\.\C:\Users`]) {
      assert.ok(!isShare(path), path);
    }
  });

  it('takes a drive of Windows for one of the network that has no real path', async () => {
    assert.equal(await isOnNetwork('/no/such/folder', 'win32'), true);
    assert.equal(await isOnNetwork('/', 'win32'), false);
  });

  it('knows by what is mounted on a Mac which of its disks are its own', () => {
    const mounted = `/dev/disk3s1s1 on / (apfs, sealed, local, read-only, journaled)
devfs on /dev (devfs, local, nobrowse)
/dev/disk3s5 on /System/Volumes/Data (apfs, local, journaled, nobrowse, protect, root data)
/dev/disk4s1 on /Volumes/My (old) Disk (exfat, local, nodev, nosuid, noowners)
//me@nas._smb._tcp.local/share on /Volumes/share (smbfs, nodev, nosuid, mounted by me)
nas:/export/home on /Users/me/nas (nfs, nodev, nosuid, automounted, nobrowse)
`;
    for (const folder of ['/Users/me/Library', '/', '/Volumes/My (old) Disk/x', '/Volumes/shared']) {
      assert.ok(!isMountedFromElsewhere(folder, mounted), folder);
    }
    for (const folder of ['/Volumes/share', '/Volumes/share/home', '/Users/me/nas/limner']) {
      assert.ok(isMountedFromElsewhere(folder, mounted), folder);
    }
    assert.ok(isMountedFromElsewhere('/Users/me', ''));
  });
});
