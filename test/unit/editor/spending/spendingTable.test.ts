import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { join } from 'node:path';
import { systemClock } from '../../../../src/common/clock.ts';
import { isoDay } from '../../../../src/editor/spending/spendingCsv.ts';
import { spendingTable } from '../../../../src/editor/spending/spendingTable.ts';
import { TaskStore } from '../../../../src/tasks/store/taskStore.ts';
import { anError, aRequest, aResult, aTask } from '../../../support/engine/taskBuilders.ts';
import { TestLog } from '../../../support/engine/world.ts';
import { temporaryFolder } from '../../../support/temporaryFolder.ts';

describe('the days on which something was spent', () => {
  const folder = temporaryFolder('spending-table');
  const zone = process.env['TZ'];
  let store: TaskStore;

  before(async () => {
    process.env['TZ'] = 'Europe/Berlin';
    const file = join(folder.path, 'limner.db');
    store = await TaskStore.open({ file, clock: systemClock, log: new TestLog(), notice() {} });
  });
  after(async () => {
    await store.close();
    folder.remove();
    if (zone === undefined) {
      delete process.env['TZ'];
    } else {
      process.env['TZ'] = zone;
    }
  });

  /** Adds a task that made one image at a local time. */
  async function made(time: Date, changes: Parameters<typeof aRequest>[0] = {}): Promise<void> {
    const createdAt = time.getTime();
    const request = aRequest({ price: { amount: 2, currency: 'EUR' }, ...changes });
    const results = [aResult()];
    await store.add(aTask({ createdAt, completedAt: createdAt, status: 'completed', request, results }));
  }

  it('are those of the calendar, with a row for each model, service, currency, and who started it', async () => {
    assert.deepEqual(await spendingTable(store.spent), []);
    // In this night the clocks change.
    await made(new Date(2026, 2, 28, 23, 59));
    await made(new Date(2026, 2, 29, 0, 0));
    await made(new Date(2026, 2, 29, 23, 59, 59, 999));
    await made(new Date(2026, 2, 30, 0, 0), { model: 'b' });
    await made(new Date(2026, 2, 30, 5, 0), { model: 'a', startedBy: 'agent' });
    await made(new Date(2026, 2, 30, 7, 0), { model: 'a', startedBy: 'agent', free: true });
    const paid = { createdAt: new Date(2026, 2, 30, 9).getTime(), status: 'failed' } as const;
    await store.add(aTask({ ...paid, error: anError({ billing: 'refunded' }) }));
    const rows = await spendingTable(store.spent);
    assert.deepEqual(
      rows.map(({ day, model, isByAgent, billed, about, unit }) => [
        isoDay(day),
        model,
        isByAgent,
        billed,
        about,
        unit,
      ]),
      [
        ['2026-03-28', 'painter-1', false, 1, 2, 'EUR'],
        ['2026-03-29', 'painter-1', false, 2, 4, 'EUR'],
        ['2026-03-30', 'a', true, 2, 4, 'EUR'],
        ['2026-03-30', 'b', false, 1, 2, 'EUR'],
      ],
    );
  });

  it('are the same once their tasks are gone', async () => {
    const rows = await spendingTable(store.spent);
    await store.clearFinished(new Date(2027, 0, 1).getTime());
    assert.equal(store.count(), 0);
    assert.deepEqual(await spendingTable(store.spent), rows);
  });
});
