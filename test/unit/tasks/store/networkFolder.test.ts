import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isNetworkType } from '../../../../src/tasks/store/openDatabase.ts';

describe('isNetworkType', () => {
  it('knows SMB also where its number is read with a sign', () => {
    for (const type of [0xff534d42n, 0xffffffffff534d42n, BigInt(0xff534d42 | 0)]) {
      assert.ok(isNetworkType(type), String(type));
    }
    assert.ok(isNetworkType(0x6969n));
  });

  it('takes a disk for a disk', () => {
    for (const type of [0xef53n, 0x9123683en, 0xffffffff9123683en, 0x58465342n]) {
      assert.ok(!isNetworkType(type), String(type));
    }
  });
});
