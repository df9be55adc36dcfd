import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import { type Account, findAccount, listApiKeys } from '../../../../src/demo/state/accounts.ts';
import { Ledger } from '../../../../src/demo/state/ledger.ts';

const ada: Account = { id: 'ada', plan: 'quota', apiKeys: ['a-1', 'a-2'] };
const ben: Account = { id: 'ben', plan: 'subscription', apiKeys: ['b-1'] };
const model = { id: 'painter', price: 40 };

/** A ledger in which each account has ordered three images, and Ada one more. */
function opened(): Ledger {
  const ledger = new Ledger();
  const order = { model, prompt: 'a füchsin', size: undefined };
  ledger.reserve({ ...order, id: 'one', account: ada, images: 3 });
  ledger.reserve({ ...order, id: 'two', account: ben, images: 3 });
  ledger.reserve({ ...order, id: 'three', account: ada, images: 1, size: { width: 64, height: 48 } });
  return ledger;
}

describe('the ledger of the demo service', () => {
  it('reserves credits for each image, or one request, and says what was ordered', () => {
    const [one, two, three] = opened().entries();
    const ordered = {
      model: 'painter',
      state: 'reserved',
      billed: 0,
      promptSha256: createHash('sha256').update('a füchsin', 'utf8').digest('hex'),
      imageSha256: [],
    } as const;
    assert.deepEqual(one, { ...ordered, id: 'one', account: 'ada', unit: 'credits', reserved: 120 });
    assert.deepEqual(two, { ...ordered, id: 'two', account: 'ben', unit: 'requests', reserved: 1 });
    assert.deepEqual([three?.reserved, three?.size], [40, { width: 64, height: 48 }]);
  });

  it('bills the images that came, once, and nothing for what failed', () => {
    const ledger = opened();
    assert.deepEqual(ledger.balances(), [
      { account: 'ada', unit: 'credits', reserved: 160, billed: 0 },
      { account: 'ben', unit: 'requests', reserved: 1, billed: 0 },
    ]);
    ledger.settle('one', ['x', 'y']);
    ledger.refund('one');
    ledger.settle('one', ['z']);
    ledger.settle('two', ['x', 'y']);
    ledger.refund('three');
    ledger.settle('three', ['x']);
    ledger.settle('four', ['x']);
    assert.deepEqual(
      ledger.entries().map(({ state, billed, imageSha256 }) => [state, billed, imageSha256]),
      [
        ['settled', 80, ['x', 'y']],
        ['settled', 1, ['x', 'y']],
        ['refunded', 0, []],
      ],
    );
    assert.deepEqual(ledger.balances(), [
      { account: 'ada', unit: 'credits', reserved: 0, billed: 80 },
      { account: 'ben', unit: 'requests', reserved: 0, billed: 1 },
    ]);
  });

  it('forgets what is withdrawn', () => {
    const ledger = opened();
    ledger.withdraw('one');
    assert.deepEqual(
      ledger.entries().map(({ id }) => id),
      ['two', 'three'],
    );
  });
});

describe('the accounts of the demo service', () => {
  it('are found by any of their keys, and by nothing like them', () => {
    const accounts = [ada, ben];
    for (const [authorization, found] of [
      ['Bearer a-1', ada],
      ['bearer   a-2  ', ada],
      ['Bearer b-1', ben],
      ['Bearer b', 'unknown'],
      ['Bearer B-1', 'unknown'],
      ['Bearer ', 'missing'],
      ['Bearer a-1 b-1', 'missing'],
      ['Basic a-1', 'missing'],
      ['x Bearer a-1', 'missing'],
      ['Bearera-1', 'missing'],
      ['', 'missing'],
      [undefined, 'missing'],
    ] as const) {
      assert.equal(findAccount(accounts, authorization), found, authorization);
    }
  });

  it('have their first keys listed first', () => {
    assert.deepEqual(listApiKeys([ada, ben]), ['a-1', 'b-1', 'a-2']);
    assert.deepEqual(listApiKeys([]), []);
  });
});
