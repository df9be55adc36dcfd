import assert from 'node:assert/strict';
import { watch } from 'node:fs';
import { afterEach, describe, it } from 'node:test';
import { noStops } from '../../../support/platform.ts';
import { taskDuration, WindowProcesses } from '../../../support/engine/windowProcesses.ts';

describe('several windows on one store', () => {
  let all: WindowProcesses;

  afterEach(() => all.dispose());

  it('publish each image once and ask no more often than one window does', async () => {
    const polls: number[] = [];
    for (const shares of [[20], [10, 10]]) {
      all = await WindowProcesses.open(shares.length);
      for (const [index, window] of all.windows.entries()) {
        await all.start(window, shares[index] ?? 0);
      }
      await all.finish();
      await all.assertEachOnce(20);
      polls.push(await all.polls());
      if (shares.length === 1) {
        await all.dispose();
      }
    }
    const [one = 0, two = 0] = polls;
    assert.ok(one >= 20 * 5, `${one} polls of one window`);
    // Pauses between polls are up to a tenth longer by chance, and shorter than the steps of the clock here.
    assert.ok(two <= 1.25 * one, `${two} polls of two windows, ${one} of one`);
  });

  it('take over what a window worked on that was killed, within 15 s', async () => {
    all = await WindowProcesses.open(2);
    const [owner, ...others] = all.windows;
    assert.ok(owner);
    await all.start(owner, 6);
    await all.pass(6000);
    await owner.kill();
    await all.pass(15_000, others);
    const pids = new Set(others.map(({ process }) => process.pid));
    assert.deepEqual(
      all.rows().map(({ fence, pid }) => [fence, pids.has(pid)]),
      Array.from({ length: 6 }, () => [2, true]),
    );
    await all.finish(others);
    await all.assertEachOnce(6);
  });

  it(
    'publish nothing twice with one that was stopped for 20 s while it published',
    { skip: noStops },
    async () => {
      all = await WindowProcesses.open(2);
      const [owner, ...others] = all.windows;
      assert.ok(owner);
      await all.start(owner, 6);
      const watcher = watch(all.images, () => {
        watcher.close();
        owner.process.kill('SIGSTOP');
      });
      const published = new Promise((resolve) => watcher.once('close', resolve));
      const stopped = all.pass(taskDuration + 5000);
      await published;
      await all.stopOutsideOfTransaction(owner);
      await all.pass(20_000, others);
      await all.finish(others);
      assert.ok(all.rows().some(({ fence }) => fence > 1));
      const leases = all.rows().map(({ status, fence }) => [status, fence]);
      const files = await all.files();
      owner.process.kill('SIGCONT');
      await stopped;
      await all.pass(20_000);
      assert.deepEqual(
        all.rows().map(({ status, fence }) => [status, fence]),
        leases,
      );
      assert.deepEqual(await all.files(), files);
      await all.assertEachOnce(6);
      await owner.close();
    },
  );
});
