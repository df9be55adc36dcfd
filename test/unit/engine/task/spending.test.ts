import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { type Billing, billings } from '../../../../src/common/limnerError.ts';
import { taskStatuses } from '../../../../src/common/taskStatus.ts';
import {
  addUp,
  billedImages,
  costAhead,
  costFacts,
  type CostFacts,
  costOf,
  imagesMade,
  spendingOf,
} from '../../../../src/engine/task/spending.ts';
import { twoBackgroundsRequest } from '../../../../src/engine/task/twoBackgrounds.ts';
import { newTaskId } from '../../../../src/engine/task/taskId.ts';
import { anError, aRequest, aResult, aTask } from '../../../support/engine/taskBuilders.ts';

const usd = { amount: 0.04, currency: 'USD' };

function facts(changes: Partial<CostFacts>): CostFacts {
  return { ...costFacts(aTask({ request: aRequest({ n: 4 }) })), ...changes };
}

describe('what is on the bill', () => {
  const ends: [what: string, facts: Partial<CostFacts>, billed: number, mostBilled: number][] = [
    ['waits to be sent', { status: 'waiting' }, 0, 4],
    ['waits for a person to send it', { status: 'waiting', isHeld: true }, 0, 0],
    ['waits because the service is busy', { status: 'waiting', billing: 'no' }, 0, 4],
    ['is being sent', { status: 'submitting' }, 0, 4],
    ['is queued', { status: 'queued' }, 0, 4],
    ['is in progress', { status: 'in_progress' }, 0, 4],
    ['is in progress, and two images of its answer are here', { status: 'in_progress', returned: 2 }, 2, 4],
    ['can not be asked for', { status: 'in_progress', billing: 'maybe' }, 0, 4],
    ['waits for a key', { status: 'needs_key', billing: 'maybe' }, 0, 4],
    ['is being saved', { status: 'saving', returned: 4, isComplete: true }, 4, 4],
    ['is being saved, with fewer images', { status: 'saving', returned: 3, isComplete: true }, 3, 3],
    ['is being saved, cut off', { status: 'saving', returned: 2, isComplete: true, billing: 'maybe' }, 2, 4],
    ['needs fresh addresses', { status: 'queued', returned: 4, isComplete: true }, 4, 4],
    ['is completed', { status: 'completed', returned: 4, isComplete: true }, 4, 4],
    ['is completed with fewer images', { status: 'completed', returned: 3, isComplete: true }, 3, 3],
    ['is completed with more images', { status: 'completed', returned: 6, isComplete: true }, 4, 6],
    ['was cut off', { status: 'completed', returned: 2, isComplete: true, billing: 'maybe' }, 2, 4],
    [
      'lacks images that were refused',
      { status: 'completed', returned: 2, isComplete: true, billing: 'no' },
      2,
      2,
    ],
    ['was cut off after two images came damaged', { status: 'failed', returned: 2, billing: 'yes' }, 2, 4],
    [
      'lacks images that came damaged',
      { status: 'completed', returned: 2, isComplete: true, billing: 'yes' },
      2,
      4,
    ],
    ['was stopped with two images', { status: 'completed', returned: 2, billing: 'maybe' }, 2, 4],
    ['was refused', { status: 'failed', billing: 'no' }, 0, 0],
    ['failed at the service', { status: 'failed', billing: 'refunded' }, 0, 0],
    ['failed without an image', { status: 'failed', isComplete: true, billing: 'maybe' }, 0, 4],
    ['failed for an unknown reason', { status: 'failed' }, 0, 4],
    ['could not be read', { status: 'failed', billing: 'yes' }, 4, 4],
    ['could not be saved', { status: 'failed', returned: 3, isComplete: true, billing: 'yes' }, 3, 3],
    ['has an unknown outcome', { status: 'unknown', billing: 'maybe' }, 0, 4],
    ['was stopped before it was sent', { status: 'stopped', billing: 'no' }, 0, 0],
    ['was stopped later', { status: 'stopped', billing: 'maybe' }, 0, 4],
    ['expired', { status: 'expired', returned: 4, isComplete: true, billing: 'yes' }, 4, 4],
    ['is free', { status: 'completed', returned: 4, isComplete: true, isFree: true }, 0, 0],
    [
      'is free but has a price',
      { status: 'completed', returned: 4, isFree: true, price: usd, isComplete: true },
      4,
      4,
    ],
    [
      'has its image edited to black next',
      { status: 'saving', n: 1, returned: 1, isComplete: true, isSecondDue: true },
      1,
      2,
    ],
    ['is on white, not sent yet', { status: 'waiting', n: 1, isSecondDue: true }, 0, 2],
    [
      'is on white, and nothing came of it',
      { status: 'failed', n: 1, isSecondDue: true, billing: 'no' },
      0,
      0,
    ],
  ];
  for (const [what, changes, billed, mostBilled] of ends) {
    it(`of a task of four that ${what}: ${billed}, at most ${mostBilled}`, () => {
      assert.deepEqual(billedImages(facts(changes)), { billed, mostBilled });
    });
  }

  it('is never less than nothing, nor more than was asked for or returned, and a second image', () => {
    const count = fc.integer({ min: 0, max: 20 });
    fc.assert(
      fc.property(
        fc.record({
          status: fc.constantFrom(...taskStatuses),
          isHeld: fc.boolean(),
          n: fc.integer({ min: 1, max: 20 }),
          returned: count,
          isComplete: fc.boolean(),
          billing: fc.constantFrom<(Billing | undefined)[]>(...billings, undefined),
          isSecondDue: fc.boolean(),
          isFree: fc.boolean(),
        }),
        (drawn) => {
          const { billed, mostBilled } = billedImages(facts(drawn));
          assert.ok(billed >= 0 && billed <= mostBilled);
          assert.ok(mostBilled <= Math.max(drawn.n, drawn.returned) + drawn.n);
          // What has come is billed, whatever happened afterwards.
          assert.ok(billed >= Math.min(drawn.n, drawn.returned) || drawn.isHeld || drawn.isFree);
        },
      ),
    );
  });
});

describe('what it costs', () => {
  it('is the price that a task was sent with, for each image', () => {
    const request = aRequest({ n: 2, price: usd });
    const results = [aResult(), aResult({ index: 1 })];
    assert.deepEqual(costOf(aTask({ request, status: 'completed', completedAt: 1, results })), {
      about: 0.08,
      atMost: 0.08,
      unit: 'USD',
    });
    const unknown = aTask({ request, status: 'unknown', error: anError({ billing: 'maybe' }) });
    assert.deepEqual(costOf(unknown), { about: 0, atMost: 0.08, unit: 'USD' });
  });

  it('is a number of images without a price', () => {
    assert.deepEqual(costOf(aTask({ request: aRequest({ n: 3 }) })), { about: 0, atMost: 3, unit: 'images' });
  });

  it('is known before: twice as much on two backgrounds, and nothing at a free service', () => {
    assert.equal(costAhead(aRequest({ n: 3, price: usd }))?.about, 0.12);
    assert.equal(costAhead(twoBackgroundsRequest(aRequest({ price: usd })))?.about, 0.08);
    assert.equal(costAhead(aRequest({ free: true })), undefined);
    assert.equal(costAhead(aRequest({ free: true, price: usd }))?.unit, 'USD');
  });

  it('is known of every request that is not free', () => {
    assert.deepEqual(costAhead(aRequest({ n: 3 })), {
      about: 3,
      atMost: 3,
      billed: 3,
      mostBilled: 3,
      unit: 'images',
    });
  });

  it('is nothing yet of a task that waits for a person, and of one at a free service', () => {
    const nothing = { about: 0, atMost: 0, unit: 'images' };
    assert.deepEqual(costOf(aTask({ held: true })), nothing);
    const free = aTask({ request: aRequest({ free: true, n: 2 }), status: 'in_progress' });
    assert.deepEqual(costOf(free), nothing);
    assert.equal(imagesMade(costFacts(free)), 2, 'they are made all the same');
  });

  it('includes the second image on two backgrounds until that has a task of its own', () => {
    const request = twoBackgroundsRequest(aRequest({ price: usd }));
    const saving = { request, status: 'saving', completedAt: 1 } as const;
    const white = aResult({ state: 'saved' });
    const next = { id: newTaskId(1) };
    const listedBesides = aResult({ index: 1 });
    for (const [atMost, results] of [
      [0.08, [white]],
      [0.08, [{ ...white, onBlack: next }]],
      [0.04, [{ ...white, onBlack: { ...next, begun: true } }]],
      [0.08, [{ ...white, onBlack: { ...next, begun: true } }, listedBesides]],
    ] as const) {
      assert.deepEqual(costOf(aTask({ ...saving, results: [...results] })), {
        about: 0.04,
        atMost,
        unit: 'USD',
      });
    }
  });

  it('tells what agents have sent from what people have', () => {
    const [byAgent, byPerson] = (['agent', undefined] as const).map((startedBy) =>
      costFacts(aTask({ request: aRequest(startedBy && { startedBy }) })),
    );
    assert.deepEqual([byAgent?.isByAgent, byPerson?.isByAgent], [true, false]);
  });

  it('adds up whatever was billed, and leaves out what costs nothing', () => {
    const three = costAhead(aRequest({ n: 3, price: usd }));
    const [sum, ...others] = addUp([undefined, three, costAhead(aRequest({ free: true })), three]).values();
    assert.deepEqual(sum, { about: 0.24, atMost: 0.24, billed: 6, mostBilled: 6, unit: 'USD' });
    assert.deepEqual(others, []);
    const alike = spendingOf({ facts: facts({ status: 'completed', returned: 4, price: usd }), tasks: 3 });
    assert.deepEqual([alike.billed, alike.about], [12, 0.48]);
  });

  it('adds up in each currency by itself', () => {
    const prices = [usd, { amount: 1, currency: '' }, undefined, usd];
    const sums = addUp(
      prices.map((price) => spendingOf({ facts: facts({ status: 'unknown', price }), tasks: 2 })),
    );
    assert.deepEqual(
      [...sums].map(([unit, { billed, mostBilled, atMost }]) => [unit, billed, mostBilled, atMost]),
      [
        ['USD', 0, 16, 0.64],
        ['', 0, 8, 8],
        ['images', 0, 8, 8],
      ],
    );
  });
});
