import assert from 'node:assert/strict';
import { it } from 'node:test';
import { exponentOf } from '../../../bench/growth/growth.ts';

it('the exponent of a cost says by which power of the size it grows', () => {
  for (const exponent of [0, 0.5, 1, 2]) {
    const costs = [1, 10, 300, 7000].map((size) => ({ size, cost: 3 * size ** exponent }));
    assert.ok(Math.abs(exponentOf(costs) - exponent) < 1e-9, `${exponentOf(costs)}, not ${exponent}`);
  }
});
