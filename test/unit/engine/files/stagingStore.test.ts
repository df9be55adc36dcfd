import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { it } from 'node:test';
import { StagingStore } from '../../../../src/engine/files/stagingStore.ts';
import { memoryFolder } from '../../../support/memoryFolder.ts';
import { failDisk } from '../run/diskFaults.ts';

it('An image is not whole that the disk could not write while it arrived, although it took the end', async (test) => {
  const folder = await mkdtemp(join(memoryFolder, 'limner-staging-'));
  test.after(async () => rm(folder, { recursive: true }));
  const store = new StagingStore(folder);
  const sink = store.sink('task', 0, 1);
  // The disk tells an error once.
  const fault = await failDisk({ operation: 'datasync', code: 'EIO', on: () => true, times: 1 });
  try {
    // The disk is asked twice meanwhile.
    await sink.write(Buffer.alloc(9 * 1024 * 1024));
    await assert.rejects(sink.close(), { code: 'save_failed' });
  } finally {
    fault.end();
  }
  assert.equal(fault.count(), 1);
  await sink.discard();
  assert.deepEqual(await readdir(join(folder, 'task')), []);
});
