import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { systemClock } from '../../../src/common/clock.ts';
import { whileHeld } from '../../../src/common/heldFiles.ts';

describe('whileHeld', () => {
  let pauses: number[];
  let tries: number;

  beforeEach((test) => {
    [pauses, tries] = [[], 0];
    if ('mock' in test) {
      test.mock.method(systemClock, 'setTimeout', (callback: () => void, milliseconds: number) => {
        pauses.push(milliseconds);
        callback();
        return { dispose: () => {} };
      });
    }
  });

  /** Fails a number of times. */
  function failing(code: string, times = Infinity, message = code): () => string {
    return () => {
      tries += 1;
      if (tries > times) {
        return 'done';
      }
      throw Object.assign(new Error(message), { code });
    };
  }

  it('tries what Windows refuses again, less and less often, for ten seconds', async ({ mock }) => {
    mock.property(process, 'platform', 'win32');
    for (const code of ['EPERM', 'EACCES', 'EBUSY']) {
      [pauses, tries] = [[], 0];
      await assert.rejects(whileHeld(failing(code)), { code });
      const all = pauses.reduce((sum, pause) => sum + pause, 0);
      assert.ok(all >= 10_000 && all < 11_000 && pauses[0] === 10, String(pauses));
      assert.deepEqual(
        pauses,
        pauses.toSorted((one, other) => one - other),
      );
      tries = 0;
      assert.equal(await whileHeld(failing(code, 5)), 'done');
    }
  });

  it('knows such a refusal also as the editor tells it', async ({ mock }) => {
    mock.property(process, 'platform', 'win32');
    for (const [code, message] of [
      ['NoPermissions', "Unable to delete file 'c:\\a.png'"],
      ['Unknown', "Unable to write file 'c:\\a.png' (EBUSY: resource busy or locked, open 'c:\\a.png')"],
    ] as const) {
      tries = 0;
      assert.equal(await whileHeld(failing(code, 5, message)), 'done');
    }
    await assert.rejects(whileHeld(failing('Unknown')), { code: 'Unknown' });
  });

  it('believes any other error at once, and every one on other systems', async ({ mock }) => {
    mock.property(process, 'platform', 'linux');
    await assert.rejects(whileHeld(failing('EPERM')), { code: 'EPERM' });
    mock.restoreAll();
    mock.property(process, 'platform', 'win32');
    await assert.rejects(whileHeld(failing('ENOENT')), { code: 'ENOENT' });
    assert.deepEqual([tries, pauses], [2, []]);
  });
});
