import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type FileVersion, hasChanged } from '../../../../src/editor/studioPanel/fileVersion.ts';
import { hashOf } from '../../../../src/tasks/files/stagingStore.ts';

void describe('a file that was added to the draft', () => {
  const tomorrow = Date.now() + 86_400_000;
  const then: FileVersion = { mtime: tomorrow, size: 5, sha256: hashOf('image') };
  const isChanged = async (now: { mtime: number; size: number }, contents: string, of = then) =>
    hasChanged(of, now, async () => Buffer.from(contents));

  void it('has not changed, even if its clock was ahead', async () => {
    assert.ok(!(await isChanged({ mtime: tomorrow, size: 5 }, 'image')));
  });

  void it('has changed with its contents, even if they are older', async () => {
    assert.ok(await isChanged({ mtime: tomorrow + 1, size: 5 }, 'other'));
    assert.ok(await isChanged({ mtime: 1000, size: 5 }, 'older'));
    assert.ok(await isChanged({ mtime: tomorrow, size: 4 }, 'less'));
  });

  void it('has not changed when only its time has, as in a checkout', async () => {
    assert.ok(!(await isChanged({ mtime: 1000, size: 5 }, 'image')));
  });

  void it('is told by its contents where nothing else is known', async () => {
    assert.ok(!(await isChanged({ mtime: 1, size: 5 }, 'image', { sha256: then.sha256 })));
    assert.ok(await isChanged({ mtime: 1, size: 5 }, 'other', { sha256: then.sha256 }));
  });
});
