import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { type Excess, findExcess, overBudget, readBudget } from '../../../../src/tasks/spending/budget.ts';
import { costFacts, type CostGroup } from '../../../../src/tasks/spending/spending.ts';
import type { Task } from '../../../../src/tasks/task.ts';
import { aRequest, aResult, aTask } from '../../../support/engine/taskBuilders.ts';

const zone = process.env['TZ'];

/** Returns what answers for these tasks. */
function spentBy(...tasks: Task[]): (time: number) => CostGroup[] {
  return (time) =>
    tasks.filter(({ createdAt }) => createdAt >= time).map((task) => ({ facts: costFacts(task), tasks: 1 }));
}

function made(createdAt: number, changes: Parameters<typeof aRequest>[0] = {}): Task {
  return aTask({
    createdAt,
    status: 'completed',
    completedAt: createdAt,
    request: aRequest(changes),
    results: [aResult()],
  });
}

describe('a budget', () => {
  const price = { amount: 1, currency: 'USD' };
  const run = [aRequest({ price })];
  const noon = new Date(2026, 4, 31, 12).getTime();

  afterEach(() => {
    if (zone === undefined) {
      delete process.env['TZ'];
    } else {
      process.env['TZ'] = zone;
    }
  });

  it('may be used up, but not exceeded', () => {
    const spent = spentBy(made(noon, { price }), made(noon, { price }));
    assert.equal(findExcess({ day: 3 }, run, noon, spent), undefined);
    assert.deepEqual(findExcess({ day: 2.5 }, run, noon, spent), {
      period: 'day',
      limit: 2.5,
      unit: 'USD',
      run: 1,
      spent: 2,
      mostSpent: 2,
    } satisfies Excess);
    assert.equal(findExcess({}, run, noon, spent), undefined);
  });

  it('counts what may have been billed as if it was', () => {
    const running = aTask({ createdAt: noon, request: aRequest({ price, n: 2 }), status: 'in_progress' });
    const excess = findExcess({ day: 2 }, run, noon, spentBy(running));
    assert.deepEqual([excess?.spent, excess?.mostSpent], [0, 2]);
  });

  it('is not used up by tenths', () => {
    const tenth = { amount: 0.1, currency: 'USD' };
    const nine = Array.from({ length: 9 }, () => made(noon, { price: tenth }));
    assert.equal(findExcess({ day: 1 }, [aRequest({ price: tenth })], noon, spentBy(...nine)), undefined);
  });

  it('holds for the run as a whole', () => {
    assert.equal(findExcess({ day: 3 }, [...run, ...run, ...run], noon, spentBy()), undefined);
    assert.equal(findExcess({ day: 3 }, [...run, ...run, ...run, ...run], noon, spentBy())?.run, 4);
  });

  it('holds for each currency by itself, and for images where there is none', () => {
    const spent = spentBy(made(noon, { price: { amount: 9, currency: 'EUR' } }), made(noon));
    assert.equal(findExcess({ day: 1 }, run, noon, spent), undefined);
    assert.equal(findExcess({ day: 1 }, [aRequest()], noon, spent)?.unit, 'images');
    assert.equal(findExcess({ day: 2 }, [aRequest()], noon, spent), undefined);
  });

  it('lets through what is free, even where nothing may be spent', () => {
    assert.equal(findExcess({ day: 0 }, [aRequest({ free: true })], noon, spentBy()), undefined);
    const nothing = { amount: 0, currency: 'USD' };
    assert.equal(findExcess({ day: 0 }, [aRequest({ price: nothing })], noon, spentBy()), undefined);
    const overdrawn = spentBy(made(noon, { price }), made(noon, { price }));
    assert.equal(findExcess({ day: 1 }, [aRequest({ price: nothing })], noon, overdrawn), undefined);
    const { limit, spent, mostSpent } = findExcess({ day: 0 }, run, noon, spentBy()) ?? assert.fail();
    assert.deepEqual([limit, spent, mostSpent], [0, 0, 0]);
  });

  it('of agents counts only what agents started, and only for them', () => {
    const byAgent = { price, startedBy: 'agent' } as const;
    const spent = spentBy(made(noon, byAgent), made(noon, { price }), made(noon, { price }));
    assert.equal(findExcess({ agentsDay: 1 }, run, noon, spent), undefined);
    assert.equal(findExcess({ agentsDay: 2 }, [aRequest(byAgent)], noon, spent), undefined);
    assert.equal(findExcess({ agentsDay: 1 }, [aRequest(byAgent)], noon, spent)?.period, 'agentsDay');
    const mixed = [aRequest({ price }), aRequest(byAgent)];
    assert.equal(findExcess({ agentsDay: 1 }, mixed, noon, spent)?.period, 'agentsDay');
    assert.equal(findExcess({ agentsDay: 9, day: 3 }, [aRequest(byAgent)], noon, spent)?.period, 'day');
  });

  for (const place of ['Europe/Berlin', 'America/New_York', 'Asia/Kathmandu', 'Pacific/Apia']) {
    it(`begins anew at midnight, and on the first, in ${place}`, () => {
      process.env['TZ'] = place;
      // Around the end of a month, and around the nights in which the clocks change.
      for (const [month, day] of [
        [1, 28],
        [2, 29],
        [2, 8],
        [9, 25],
        [10, 1],
        [11, 31],
      ] as const) {
        const last = new Date(2026, month, day + 1).getTime() - 1;
        const spent = spentBy(made(last, { price }));
        const isEnd = new Date(last + 1).getDate() === 1;
        assert.ok(findExcess({ day: 1 }, run, last, spent), `${month} ${day}`);
        assert.equal(findExcess({ day: 1 }, run, last + 1, spent), undefined, `${month} ${day}`);
        assert.equal(findExcess({ month: 1 }, run, last + 1, spent) === undefined, isEnd, `${month} ${day}`);
      }
    });
  }

  it('that can not be read allows nothing, and the error says where', () => {
    for (const [value, message] of [
      [{ day: '2' }, /: day: /],
      [{ day: -1 }, /: day: /],
      [{ week: 3 }, /: week: /],
      [5, /: value: /],
      ['a lot', /: value: /],
      [null, /: value: /],
      [[], /: value: /],
    ] as const) {
      assert.throws(() => readBudget(value), { code: 'over_budget', sent: false, message });
    }
    assert.deepEqual(readBudget({ day: 0, month: 2.5 }), { day: 0, month: 2.5 });
  });

  it('says what it is, what the run costs, and what was spent', () => {
    const excess = { limit: 2, unit: 'USD', run: 0.16, spent: 1.9, mostSpent: 1.98 };
    assert.equal(
      overBudget({ ...excess, period: 'day' }).message,
      'The budget for a day is 2 USD. This run costs about 0.16 USD. Spent today: 1.90 USD, and up to 0.08 USD more.',
    );
    assert.equal(
      overBudget({ ...excess, period: 'agentsDay', unit: 'images', limit: 1, spent: 0, mostSpent: 1 })
        .message,
      'The budget of agents for a day is 1 image. This run costs about 0.16 images. Spent today: 0 images, and up to 1 image more.',
    );
    assert.equal(
      overBudget({ period: 'month', limit: 4, unit: 'images', run: 1, spent: 4, mostSpent: 4 }).message,
      'The budget for a month is 4 images. This run costs about 1 image. Spent this month: 4 images.',
    );
  });
});
