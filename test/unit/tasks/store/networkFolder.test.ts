import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isNetworkType, isOnNetwork } from '../../../../src/tasks/store/openDatabase.ts';

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

  it('knows the names that Windows has for what other machines share', async () => {
    assert.equal(await isOnNetwork(String.raw`\\server\share`), true);
    await assert.rejects(isOnNetwork(String.raw`\server`));
  });
});
