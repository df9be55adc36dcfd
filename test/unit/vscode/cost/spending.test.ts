import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { systemClock } from '../../../../src/common/clock.ts';
import {
  isoDay,
  spendingCsv,
  type SpendingRow,
  spendingTable,
} from '../../../../src/vscode/cost/spendingTable.ts';
import { TaskStore } from '../../../../src/engine/store/taskStore.ts';
import { anError, aRequest, aResult, aTask } from '../../../support/engine/taskBuilders.ts';
import { TestLog } from '../../../support/engine/world.ts';
import { temporaryFolder } from '../../../support/temporaryFolder.ts';
import { readCsv } from '../../../readers/csv.ts';

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

const day = new Date(2026, 0, 31).getTime();

function row(changes: Partial<SpendingRow> = {}): SpendingRow {
  return {
    day,
    service: 'https://images.example.com',
    model: 'painter-1',
    isByAgent: false,
    billed: 4,
    mostBilled: 5,
    about: 0.16,
    atMost: 0.2,
    unit: 'USD',
    ...changes,
  };
}

/** A program can't tell the apostrophe that hides a formula from one that begins the name. */
const named = (model: string): string => model.replace(/^'(?=[=+\-@\t\r\n＝＋－＠])/u, '');

describe('the table of what was spent', () => {
  it('has a line for each row, and amounts with a decimal point', () => {
    const rows = [row(), row({ unit: 'images', isByAgent: true, about: 4, atMost: 5 })];
    assert.equal(
      spendingCsv(rows),
      [
        'day,service,model,started_by,images,images_at_most,cost,cost_at_most,currency',
        '2026-01-31,https://images.example.com,painter-1,person,4,5,0.16,0.2,USD',
        '2026-01-31,https://images.example.com,painter-1,agent,4,5,,,',
        '',
      ].join('\r\n'),
    );
  });

  it('is read by another program as it was written, whatever models are called', () => {
    const text = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.string({ unit: fc.constantFrom('"', ',', '\r', '\n', ';', ' ', 'a', '\t', '=', '-') }),
    );
    fc.assert(
      fc.property(fc.array(fc.record({ model: text, unit: text }), { maxLength: 5 }), (drawn) => {
        const read = readCsv(spendingCsv(drawn.map(row)));
        assert.deepEqual(
          read.map(({ model = '' }) => named(model)),
          drawn.map(({ model }) => named(model)),
        );
      }),
    );
  });

  for (const model of [
    '=1+1',
    '+1',
    '-1',
    '@SUM(A1)',
    '\t=1',
    '\r=1',
    '\n=1',
    '＝1+1',
    '=HYPERLINK("http://x","y")',
  ]) {
    it(`holds no formula: ${JSON.stringify(model)}`, () => {
      const [read] = readCsv(spendingCsv([row({ model, service: model, unit: model })]));
      for (const field of [read?.['model'], read?.['service'], read?.['currency']]) {
        assert.equal(field, `'${model}`);
      }
    });
  }

  it('names days as the person counts them', () => {
    assert.equal(isoDay(new Date(2026, 11, 31, 23, 59).getTime()), '2026-12-31');
    assert.equal(isoDay(new Date(2027, 0, 1).getTime()), '2027-01-01');
  });
});
