import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { imagePrice, isMore, moneyText } from '../../../../src/service/terms/price.ts';

describe('the price of an image', () => {
  const list = {
    amount: 0.04,
    currency: 'USD',
    variants: { '1536x1024': 0.06, high: 0.17, low: 0.01, '1536x1024 high': 0.25 },
  };

  it('is the number alone, without a currency', () => {
    assert.deepEqual(imagePrice(0.5, { size: '64x64', quality: 'high' }), { amount: 0.5, currency: '' });
    assert.deepEqual(imagePrice({ amount: 2 }, {}), { amount: 2, currency: '' });
  });

  const cases: [size: string | undefined, quality: string | undefined, amount: number][] = [
    [undefined, undefined, 0.04],
    ['', '', 0.04],
    ['64x64', 'standard', 0.04],
    ['1536x1024', undefined, 0.06],
    [undefined, 'low', 0.01],
    ['1536x1024', 'high', 0.25],
    // Of two that hold, the higher one.
    ['1536x1024', 'low', 0.06],
    ['1536x1024', 'standard', 0.06],
    ['64x64', 'high', 0.17],
    // However they are written.
    ['1536X1024', ' High', 0.25],
    // One that nobody knows, nor a name of an object's own.
    ['64x64', 'ultra', 0.25],
    ['64x64', 'constructor', 0.25],
  ];
  for (const [size, quality, amount] of cases) {
    it(`is ${amount} for size ${size} and quality ${quality}`, () => {
      assert.deepEqual(imagePrice(list, { size, quality }), { amount, currency: 'USD' });
    });
  }
});

describe('the price of a quality', () => {
  it('is that of the size where no quality has a price of its own', () => {
    const list = { amount: 0.04, variants: { '1536x1024': 0.06 } };
    assert.equal(imagePrice(list, { size: '64x64', quality: 'ultra' }).amount, 0.04);
  });

  it('is that of any image where services usually have it and the list leaves it out', () => {
    const list = { amount: 0.04, variants: { ultra: 0.5 } };
    for (const quality of ['auto', 'low', 'medium', 'high', 'standard', 'hd', 'HD']) {
      assert.equal(imagePrice(list, { quality }).amount, 0.04, quality);
    }
    assert.equal(imagePrice(list, { quality: 'best' }).amount, 0.5);
    assert.equal(imagePrice({ ...list, amount: 2 }, { quality: 'best' }).amount, 2);
  });

  it('is that of both names together, whatever a service calls its sizes', () => {
    const list = { amount: 0.04, variants: { '1k ultra': 0.3, high: 0.9 } };
    assert.equal(imagePrice(list, { size: '1K', quality: 'Ultra' }).amount, 0.3);
    assert.equal(imagePrice(list, { size: '2k', quality: 'ultra' }).amount, 0.9);
  });
});

describe('an amount of money', () => {
  it('has two decimals where it has any, and no more than it needs', () => {
    assert.equal(moneyText(0.1 + 0.2, 'USD', 'en'), '0.30 USD');
    assert.equal(moneyText(16, 'credits', 'en'), '16 credits');
    assert.equal(moneyText(0.0025, '', 'en'), '0.0025');
    assert.equal(moneyText(1234.5, 'EUR', 'de'), '1.234,50 EUR');
  });

  it('is not more than a limit by what floating point adds', () => {
    assert.ok(!isMore(0.1 + 0.2, 0.3));
    assert.ok(
      !isMore(
        Array.from({ length: 1000 }, () => 0.1).reduce((sum, one) => sum + one),
        100,
      ),
    );
    const many = Array.from({ length: 100_000 }, () => 1.1).reduce((sum, one) => sum + one);
    assert.ok(many > 110_000 && !isMore(many, 110_000), `${many}`);
    assert.ok(isMore(110_000.01, 110_000));
    assert.ok(isMore(0.3001, 0.3));
    assert.ok(isMore(0.01, 0));
  });
});
