import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import {
  findExcess,
  overBudget,
  type OverLimit,
  readBudget,
  type Unmeasured,
} from '../../../../src/engine/task/budget.ts';
import { costFacts, type CostGroup } from '../../../../src/engine/task/spending.ts';
import type { Task } from '../../../../src/engine/task/task.ts';
import { aRequest, aResult, aTask } from '../../../support/engine/taskBuilders.ts';

type Rest = Parameters<typeof findExcess> extends [unknown, ...infer Rest] ? Rest : never;

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

/** Finds what exceeds a budget as users write it. */
function excessOf(budget: object, ...rest: Rest): Partial<OverLimit & Unmeasured> | undefined {
  return findExcess(readBudget(budget), ...rest);
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
    assert.equal(excessOf({ day: '3 USD' }, run, noon, spent), undefined);
    assert.deepEqual(excessOf({ day: '2.5 USD' }, run, noon, spent), {
      period: 'day',
      limit: { amount: 2.5, unit: 'USD' },
      run: 1,
      spent: 2,
      mostSpent: 2,
    });
    assert.equal(excessOf({}, run, noon, spent), undefined);
  });

  it('counts what may have been billed as if it was', () => {
    const running = aTask({ createdAt: noon, request: aRequest({ price, n: 2 }), status: 'in_progress' });
    const excess = excessOf({ day: '2 USD' }, run, noon, spentBy(running));
    assert.deepEqual([excess?.spent, excess?.mostSpent], [0, 2]);
  });

  it('is not used up by tenths', () => {
    const tenth = { amount: 0.1, currency: 'USD' };
    const nine = Array.from({ length: 9 }, () => made(noon, { price: tenth }));
    assert.equal(excessOf({ day: '1 USD' }, [aRequest({ price: tenth })], noon, spentBy(...nine)), undefined);
  });

  it('holds for the run as a whole', () => {
    assert.equal(excessOf({ day: '3 USD' }, [...run, ...run, ...run], noon, spentBy()), undefined);
    assert.equal(excessOf({ day: '3 USD' }, [...run, ...run, ...run, ...run], noon, spentBy())?.run, 4);
  });

  it('counts in its own unit: one currency, or all images', () => {
    const spent = spentBy(made(noon, { price: { amount: 9, currency: 'EUR' } }), made(noon));
    assert.equal(excessOf({ day: '1 USD' }, run, noon, spent), undefined);
    assert.equal(excessOf({ day: '3 images' }, run, noon, spent), undefined);
    const { limit, spent: before } = excessOf({ day: '5 USD, 2 images' }, run, noon, spent) ?? {};
    assert.deepEqual([limit, before], [{ amount: 2, unit: 'images' }, 2]);
    const one = [aRequest({ price: { amount: 1, currency: 'eur' } })];
    for (const written of ['9.50 EUR', '9.50€', '€ 9.50', 'EUR 9.50']) {
      assert.deepEqual(excessOf({ day: written }, one, noon, spent)?.limit, { amount: 9.5, unit: 'EUR' });
    }
  });

  it('lets nothing through that it can not measure, and tells what exceeds a limit first', () => {
    for (const [changes, unit] of [
      [{}, 'images'],
      [{ price: { amount: 1, currency: '' } }, ''],
      [{ price: { amount: 1, currency: 'credits' } }, 'credits'],
    ] as const) {
      const other = [...run, aRequest({ ...changes, model: 'dear' })];
      const found = excessOf({ day: '9 USD', month: '9 images' }, other, noon, spentBy());
      assert.deepEqual([found?.period, found?.model, found?.unit], ['day', 'dear', unit]);
      assert.equal(excessOf({ day: '9 USD, 9 images' }, other, noon, spentBy()), undefined);
      assert.equal(excessOf({ day: '9 USD', month: '1 images' }, other, noon, spentBy())?.period, 'month');
    }
  });

  it('lets through what is free, even where nothing may be spent', () => {
    assert.equal(excessOf({ day: '0 USD' }, [aRequest({ free: true })], noon, spentBy()), undefined);
    const nothing = { amount: 0, currency: 'USD' };
    assert.equal(excessOf({ day: '0 USD' }, [aRequest({ price: nothing })], noon, spentBy()), undefined);
    const overdrawn = spentBy(made(noon, { price }), made(noon, { price }));
    assert.equal(excessOf({ day: '1 USD' }, [aRequest({ price: nothing })], noon, overdrawn), undefined);
    const { limit, spent, mostSpent } = excessOf({ day: '0 USD' }, run, noon, spentBy()) ?? assert.fail();
    assert.deepEqual([limit?.amount, spent, mostSpent], [0, 0, 0]);
  });

  it('of agents counts only what agents started, and only for them', () => {
    const byAgent = { price, startedBy: 'agent' } as const;
    const spent = spentBy(made(noon, byAgent), made(noon, { price }), made(noon, { price }));
    assert.equal(excessOf({ agentsDay: '1 USD' }, run, noon, spent), undefined);
    assert.equal(excessOf({ agentsDay: '2 USD' }, [aRequest(byAgent)], noon, spent), undefined);
    assert.equal(excessOf({ agentsDay: '1 USD' }, [aRequest(byAgent)], noon, spent)?.period, 'agentsDay');
    const mixed = [aRequest({ price }), aRequest(byAgent)];
    assert.equal(excessOf({ agentsDay: '1 USD' }, mixed, noon, spent)?.period, 'agentsDay');
    assert.equal(
      excessOf({ agentsDay: '9 USD', day: '3 USD' }, [aRequest(byAgent)], noon, spent)?.period,
      'day',
    );
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
        assert.ok(excessOf({ day: '1 USD' }, run, last, spent), `${month} ${day}`);
        assert.equal(excessOf({ day: '1 USD' }, run, last + 1, spent), undefined, `${month} ${day}`);
        assert.equal(
          excessOf({ month: '1 USD' }, run, last + 1, spent) === undefined,
          isEnd,
          `${month} ${day}`,
        );
      }
    });
  }

  it('that can not be read allows nothing, and the error says where', () => {
    const unit = /: day: Write an amount with its currency, such as "20 USD", or a number of images/u;
    for (const [value, message] of [
      ...[2, 0, '2', '', '-1 USD', '2.5 images', '0,50 EUR', '1e3 USD', 'two', ['2 USD']].map(
        (day) => [{ day }, unit] as const,
      ),
      [{ week: 3 }, /: week: /],
      [5, /: value: /],
      ['a lot', /: value: /],
      [null, /: value: /],
      [[], /: value: /],
    ] as const) {
      assert.throws(() => readBudget(value), { code: 'over_budget', sent: false, message });
    }
  });

  it('says what it is, what the run costs, and what was spent', () => {
    const excess = { limit: { amount: 2, unit: 'USD' }, run: 0.16, spent: 1.9, mostSpent: 1.98 };
    assert.equal(
      overBudget({ ...excess, period: 'day' }).message,
      'The budget for a day is 2 USD. This run costs about 0.16 USD. Spent today: 1.90 USD, and up to 0.08 USD more.',
    );
    const images = { limit: { amount: 1, unit: 'images' }, run: 1, spent: 0, mostSpent: 1 };
    assert.equal(
      overBudget({ ...images, period: 'agentsDay' }).message,
      'The budget of agents for a day is 1 image. This run costs about 1 image. Spent today: 0 images, and up to 1 image more.',
    );
    const limits = [excess.limit];
    assert.equal(
      overBudget({ period: 'month', limits, model: 'dear', unit: 'images' }).message,
      "The budget for a month is 2 USD. It can't be compared with this run: dear has no price.",
    );
  });
});
